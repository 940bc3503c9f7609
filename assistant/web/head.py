"""Put our styles and scripts into the chat page itself; Gradio's `head` would add them only after its own have run."""

from __future__ import annotations

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from assistant.web.pages import site_data

# Files of our own; through Gradio's `css` every rule would be prefixed and would miss what stands around it.
CHAT_SCRIPTS = ("numbers.js", "computed.js", "forms.js", "chat.js", "history.js", "what-if.js")
OWN = (
    "site.js",
    *CHAT_SCRIPTS,
    "calculators.js",
    "cards.js",
    "site.css",
    "page.css",
    "chart.css",
    "print.css",
    "favicon.svg",
)


def head() -> str:
    """Return what stands at the end of the head."""
    return (
        "".join(f'<link rel="stylesheet" href="/{name}">' for name in ("site.css", "page.css", "chart.css"))
        + f'<script type="application/json" id="site-words">{site_data()}</script><script src="/site.js"></script>'
        + "".join(f'<script src="/{name}" defer></script>' for name in CHAT_SCRIPTS)
    )


class Headed:
    """ASGI middleware that completes the head of the page at /."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap an app."""
        self._app = app
        self._head = head().encode() + b"</head>"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on; the page at / is held until it is whole."""
        if scope["type"] != "http" or scope["path"] != "/" or scope["method"] != "GET":
            await self._app(scope, receive, send)
            return
        start: Message = {}
        body = b""

        async def hold(message: Message) -> None:
            nonlocal start, body
            if message["type"] == "http.response.start":
                start = message
                return
            if message["type"] != "http.response.body":  # a test client also gets the template's data
                await send(message)
                return
            body += message.get("body", b"")
            if message.get("more_body"):
                return
            whole = body.replace(b"</head>", self._head, 1)
            headers = [pair for pair in start.get("headers", []) if pair[0].lower() != b"content-length"]
            await send({**start, "headers": [*headers, (b"content-length", str(len(whole)).encode())]})
            await send({"type": "http.response.body", "body": whole})

        await self._app(scope, receive, hold)
