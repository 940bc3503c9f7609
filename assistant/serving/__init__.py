"""How other programs reach the assistant: MCP, HTTP, metrics, and who may."""
