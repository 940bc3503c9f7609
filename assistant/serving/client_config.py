"""Ready configuration for programs that speak MCP, as `python -m assistant mcp --print-config` prints it."""

from __future__ import annotations

import json
import sys


def client_config(python: str = sys.executable, address: str = "http://127.0.0.1:7860/mcp") -> str:
    """Return what to paste where, for the common clients.

    Args:
        python: The interpreter that has GPU Advisor installed.
        address: Where the HTTP endpoint listens.
    """
    command = {"command": python, "args": ["-m", "assistant", "mcp"]}
    quoted = f'"{python}"' if " " in python else python
    parts = {
        "Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json), Windsurf, Cline": _json(
            {"mcpServers": {"gpu-advisor": command}}
        ),
        "VS Code (.vscode/mcp.json)": _json({"servers": {"gpu-advisor": {"type": "stdio", **command}}}),
        "Claude Code": f"claude mcp add gpu-advisor -- {quoted} -m assistant mcp",
        "Codex (~/.codex/config.toml)": f'[mcp_servers.gpu-advisor]\ncommand = {json.dumps(python)}\nargs = ["-m", "assistant", "mcp"]',
        "Gemini CLI (~/.gemini/settings.json)": _json({"mcpServers": {"gpu-advisor": command}}),
        "Over HTTP, for any of them, while `python app.py` runs (leave headers out when no key is set)": _json(
            {
                "mcpServers": {
                    "gpu-advisor": {"type": "http", "url": address, "headers": {"Authorization": "Bearer YOUR_KEY"}}
                }
            }
        ),
    }
    return "\n\n".join(f"# {where}\n{text}" for where, text in parts.items())


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)
