"""How much entropy a noise source gives at least, by its raw samples: NIST SP 800-90B (2018), sections 3.1 and 6.3.

It asks files, not boards; `doctor.capture` fills them. It needs the extra `wallwright[entropy]`.
"""
