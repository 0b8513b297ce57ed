"""A small HTTP server for tests: it serves bytes, knows ranges if it should, and can break off."""

import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class FileServer:
    """What a test sets and reads.

    Args:
        content: of the one file, whatever its path.
        ranges: it answers requests for a part with that part.
        break_after: how many bytes the next answers give before the connection is closed, one number an answer.
        validator: its ETag.
        status: an error that it answers with instead.
    """

    def __init__(self, content=b"", ranges=True, break_after=(), validator='"one"', status=None):
        self.content, self.ranges, self.break_after = content, ranges, list(break_after)
        self.validator, self.status = validator, status
        self.requests = []  # path and Range of every request
        self.url = ""

    @contextmanager
    def running(self):
        server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        self.url = f"http://127.0.0.1:{server.server_address[1]}/file"
        try:
            yield self
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _handler(files):
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            wanted = self.headers.get("Range")
            files.requests.append((self.path, wanted))
            if files.status:
                self.send_error(files.status)
                return
            start = 0
            if wanted and files.ranges and self.headers.get("If-Range") == files.validator:
                start = int(wanted.removeprefix("bytes=").rstrip("-"))
            part = files.content[start:]
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(files.content) - 1}/{len(files.content)}")
            if files.validator:
                self.send_header("ETag", files.validator)
            self.send_header("Content-Length", str(len(part)))
            self.end_headers()
            self.wfile.write(part[: files.break_after.pop(0)] if files.break_after else part)

        def log_message(self, *arguments):
            """Stay quiet."""

    return Handler
