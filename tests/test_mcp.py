"""The MCP server as a client sees it: what it lists, what a call returns, what an error says."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from mcp.client import Client
from mcp.shared.exceptions import MCPError

from assistant.mcp_server import build_server
from assistant.serving.catalogue import catalogue
from scripts.pin_descriptions import PINS, pins
from tests.arguments import ARGUMENTS
from tools.api import all_tools, is_array, is_object

PASSAGE = {
    "id": "a.en:1:1",
    "article": "a",
    "title": "A",
    "section": "1",
    "url": "https://a.example",
    "date": "2023-01-01",
    "text": "Leave a slot.",
    "language": "en",
    "score": 0.9,
}


class Asking:
    """Opens a client for each request: a client must be closed by the task that opened it, which a fixture is not."""

    def __getattr__(self, method: str) -> Any:
        async def ask(*arguments: Any) -> Any:
            failed: MCPError
            async with Client(build_server(catalogue(lambda _query, _k: [PASSAGE]))) as client:
                try:
                    return await getattr(client, method)(*arguments)
                except MCPError as error:
                    failed = error  # raised inside, it would arrive wrapped in groups
            raise failed

        return ask


@pytest.fixture
def client() -> Asking:
    return Asking()


async def test_every_tool_is_listed_with_title_schemas_and_read_only(client: Asking) -> None:
    listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(listed) == {*all_tools(), "search_articles"}
    for tool in listed.values():
        assert tool.title and tool.description
        assert tool.annotations and tool.annotations.read_only_hint and not tool.annotations.open_world_hint
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema and tool.output_schema["properties"]


async def test_every_argument_says_its_unit_in_the_description(client: Asking) -> None:
    for name, tool in all_tools().items():
        for argument, schema in tool.parameters["properties"].items():
            kinds = {schema.get("type"), *(option.get("type") for option in schema.get("anyOf", []))}
            if kinds & {"number", "integer"}:
                assert schema["description"].rstrip(".").endswith("]"), f"{name}.{argument}"


async def test_strict_clients_find_no_keyword_of_our_own(client: Asking) -> None:
    standard = {
        "type",
        "properties",
        "required",
        "additionalProperties",
        "description",
        "default",
        "enum",
        "items",
        "anyOf",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
    }

    def check(schema: Any) -> None:
        assert set(schema) <= standard
        for part in schema.get("properties", {}).values():
            check(part)
        for part in (*schema.get("anyOf", []), *([schema["items"]] if "items" in schema else [])):
            check(part)

    for tool in (await client.list_tools()).tools:
        check(tool.input_schema)
        check(tool.output_schema)


@pytest.mark.parametrize("name", sorted({*all_tools(), "search_articles"}))
async def test_a_call_gives_structured_content_and_text(client: Asking, name: str) -> None:
    assert name in ARGUMENTS, f"add a call of {name} to tests/arguments.py"
    reply = await client.call_tool(name, ARGUMENTS[name])  # the client checks the output schema
    assert not reply.is_error, reply.content
    assert is_object(reply.structured_content) and reply.content[0].type == "text"
    if name in all_tools():
        assert reply.structured_content == all_tools()[name].call(ARGUMENTS[name]).to_dict() | _lists(reply)
        assert "Sources:" in reply.content[0].text or not reply.structured_content["sources"]


def _lists(reply: Any) -> dict[str, Any]:
    """JSON knows lists only, where the dict may hold tuples."""
    return {key: value for key, value in reply.structured_content.items() if is_array(value)}


async def test_the_text_holds_figures_with_units(client: Asking) -> None:
    reply = await client.call_tool("power_check", ARGUMENTS["power_check"])
    assert "system_w: 1600 W" in reply.content[0].text


@pytest.mark.parametrize(
    ("name", "arguments", "message"),
    [
        (
            "power_check",
            {"cards": {"RTX 3090": 4}, "psu": 1600},
            "`psu` is not an argument of power_check. Did you mean `psu_w`? It takes: cards, platform_w, psu_w,"
            " power_limit_w, psu_efficiency, outlet_v, outlet_a, outlet, cpu, cpu_w, drives, fans, psu_class, atx,"
            " psu_count, psu_connectors, pigtails.",
        ),
        ("kv_cache", {}, "kv_cache needs `model`, `tokens`."),
        (
            "search_articles",
            {"query": " "},
            "`query` must be a text of 1 to 2000 characters."
            " Give the question in a sentence, e.g. 'how to cool four RTX 3090'.",
        ),
        ("search_articles", {"query": "x", "k": 99}, "`k` must be a whole number from 1 to 10. Leave it out for 4."),
    ],
)
async def test_an_error_names_the_argument_and_the_way_out(
    client: Asking, name: str, arguments: dict[str, Any], message: str
) -> None:
    reply = await client.call_tool(name, arguments)
    assert reply.is_error and reply.content[0].text == message


async def test_an_unknown_tool_lists_the_known_ones(client: Asking) -> None:
    reply = await client.call_tool("power", {})
    assert reply.is_error and "power_check" in reply.content[0].text


async def test_our_own_mistake_reaches_the_client_as_a_mark_only() -> None:
    def broken(_query: str, _k: int) -> list[dict[str, Any]]:
        raise RuntimeError("secret detail")

    async with Client(build_server(catalogue(broken))) as client:
        reply = await client.call_tool("search_articles", {"query": "x"})
    assert reply.is_error
    assert "secret" not in str(reply.content) and "a mistake of ours" in str(reply.content)


async def test_articles_cards_and_quantities_can_be_read(client: Asking) -> None:
    uris = [str(item.uri) for item in (await client.list_resources()).resources]
    assert len([uri for uri in uris if "/articles/" in uri]) >= 6
    for uri in uris:
        assert len((await client.read_resource(uri)).contents[0].text) > 1000
    card = await client.read_resource("gpu-advisor://cards/RTX%204090")
    assert json.loads(card.contents[0].text)["memory_gb"] == 24
    assert (await client.list_resource_templates()).resource_templates[0].uri_template == "gpu-advisor://cards/{name}"


@pytest.mark.parametrize(
    "uri",
    [
        "file:///etc/passwd",
        "gpu-advisor://articles/../settings.py",
        "gpu-advisor://cards/no such",
        "gpu-advisor://articles/%2e%2e%2fapp.py",
    ],
)
async def test_no_other_address_can_be_read(client: Asking, uri: str) -> None:
    with pytest.raises(MCPError):
        await client.read_resource(uri)


async def test_prompts_take_their_arguments(client: Asking) -> None:
    names = [prompt.name for prompt in (await client.list_prompts()).prompts]
    assert names == ["plan_a_build", "buy_or_rent", "will_it_fit", "power_and_cooling"]
    reply = await client.get_prompt("buy_or_rent", {"desktop_usd": "2200", "cloud_usd_per_h": "2.14"})
    assert "2200 USD or rent at 2.14 USD per hour" in reply.messages[0].content.text
    with pytest.raises(MCPError, match="needs desktop_usd, cloud_usd_per_h"):
        await client.get_prompt("buy_or_rent", {})


def test_descriptions_are_pinned() -> None:
    assert pins() == json.loads(PINS.read_text("utf-8")), (
        "what agents read has changed: read it once more, then run `python scripts/pin_descriptions.py`"
    )


def test_the_command_starts_without_torch_langchain_or_gradio() -> None:
    code = (
        "import sys; sys.argv[1:] = ['mcp', '--print-config']\n"
        "import runpy, contextlib\n"
        "with contextlib.suppress(SystemExit): runpy.run_module('assistant', run_name='__main__')\n"
        "import assistant.mcp_server\n"
        "from assistant.serving.catalogue import catalogue; catalogue(lambda q, k: [])\n"
        "bad = {'torch', 'gradio', 'langchain', 'langchain_core', 'chromadb'} & set(sys.modules)\n"
        "sys.exit(f'imported {bad}' if bad else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=Path(__file__).parent.parent, check=False
    )
    assert done.returncode == 0, done.stderr
    assert '"mcpServers"' in done.stdout and "-m assistant mcp" in done.stdout
