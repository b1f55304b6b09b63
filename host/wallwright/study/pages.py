"""Writes pages from the templates of this folder, whose values are escaped; pictures are not, for they are ours."""

import jinja2

_TEMPLATES = jinja2.Environment(
    loader=jinja2.PackageLoader(__package__, ""), autoescape=True, undefined=jinja2.StrictUndefined
)


def render(template: str, **values: object) -> str:
    """Return the page that the template of that name makes of `values`."""
    return _TEMPLATES.get_template(template).render(**values)
