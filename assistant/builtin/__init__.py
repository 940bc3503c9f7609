"""The built-in model: understands by rule, plans tool calls, phrases by reference. No key, no download."""
