"""The one family of errors that a user may see: each message is a sentence that says what, where and what to do."""


class FootfallError(Exception):
    """A mistake in the input that the user can mend; the message is shown as it stands."""
