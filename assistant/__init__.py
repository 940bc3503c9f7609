"""The assistant: understands a question, lets tools compute, proves every number of the answer."""
