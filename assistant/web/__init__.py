"""The chat page: what an answer looks like, and how a number on it opens."""
