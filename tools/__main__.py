"""`python -m tools` lists the tools; `python -m tools NAME '{"argument": 1}'` runs one."""

from __future__ import annotations

import json
import sys

from tools._errors import ToolInputError
from tools._registry import all_tools, get_tool
from tools._result import is_object


def main(arguments: list[str]) -> int:
    """Run the command line; exit code 2 and a message on standard error for bad input."""
    if not arguments:
        for tool in all_tools().values():
            print(f"{tool.name:22} {tool.summary}")
        return 0
    try:
        tool = get_tool(arguments[0])
        if arguments[1:] and arguments[1] in ("-h", "--help"):
            print(json.dumps(tool.parameters, ensure_ascii=False, indent=2))
            return 0
        result = tool.call(_read(arguments[1] if len(arguments) > 1 else "{}"))
    except ToolInputError as error:
        print(error, file=sys.stderr)
        return 2
    print(json.dumps(result.to_dict(), ensure_ascii=False, indent=2, allow_nan=False))
    return 0


def _read(text: str) -> dict[str, object]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):  # no JSON, a number of 5,000 digits, or brackets without end
        read = None
    if not is_object(read):
        raise ToolInputError(
            'The arguments must be one JSON object, e.g. \'{"gpu": "RTX 4090"}\'.',
            '参数必须是一个 JSON 对象，例如 \'{"gpu": "RTX 4090"}\'。',
        )
    return read


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
