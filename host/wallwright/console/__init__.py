"""The console: a hall of tables in a browser, for director, referees, scorers, operators and the hall's screen.

`app.make_app` joins a `Desk` (what is known of the hall, and what somebody wants done with it), accounts, pages and the
API. The pages are HTML that the server writes; the same API that programs use does what their buttons say.
"""
