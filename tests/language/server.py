"""A real HTTP endpoint for tests, whose answers a test writes."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

KEY = "sk-planted-0123456789"


@dataclass
class Reply:
    """What the endpoint does with one request."""

    content: str | None = None
    status: int = 200
    tokens: int | None = 120
    raw: bytes | None = None
    after: str | None = None
    seconds: float = 0.0
    drip: float = 0.0
    """Seconds between the bytes of the body."""
    error: dict[str, Any] | None = None
    reason: str = "stop"

    def body(self) -> bytes:
        if self.raw is not None:
            return self.raw
        if self.error is not None:
            return json.dumps({"error": self.error}).encode()
        choice = {"index": 0, "message": {"role": "assistant", "content": self.content}, "finish_reason": self.reason}
        usage = {} if self.tokens is None else {"usage": {"total_tokens": self.tokens}}
        return json.dumps({"id": "c", "object": "chat.completion", "choices": [choice], **usage}).encode()


Answering = Callable[[dict[str, Any]], Reply]


@dataclass
class Server:
    """The endpoint's address and what it was asked; `answer` may be changed while it runs."""

    url: str
    answer: Answering
    requests: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)

    def data(self, number: int = -1) -> dict[str, Any]:
        """Return the data of a question."""
        return json.loads(self.requests[number]["messages"][1]["content"])


@contextmanager
def serving(answer: Answering) -> Iterator[Server]:
    """Run the endpoint on a free port."""
    server = Server("", answer)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            server.requests.append(asked)
            server.keys.append(self.headers["Authorization"])
            reply = server.answer(asked)
            time.sleep(reply.seconds)
            body = reply.body()
            try:
                self.send_response(reply.status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                if reply.after is not None:
                    self.send_header("Retry-After", reply.after)
                self.end_headers()
                for part in [body[at : at + 1] for at in range(len(body))] if reply.drip else [body]:
                    self.wfile.write(part)
                    self.wfile.flush()
                    time.sleep(reply.drip)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the client has had enough

        def log_message(self, *_: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    http.daemon_threads = True
    server.url = f"http://127.0.0.1:{http.server_address[1]}/v1"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        http.shutdown()
        http.server_close()
        thread.join()


def one_after_another(*replies: Reply) -> Answering:
    """Give the replies in turn, the last of them for ever."""
    waiting = list(replies)
    return lambda _: waiting.pop(0) if len(waiting) > 1 else waiting[0]


def saying(answer: object) -> Reply:
    """Answer with a JSON object."""
    return Reply(json.dumps(answer, ensure_ascii=False))
