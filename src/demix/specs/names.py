"""Names that entries of the configuration have."""

from typing import Annotated

from pydantic import StringConstraints

Name = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._+-]*$")]
"""A name that becomes part of a path and of a rule."""
