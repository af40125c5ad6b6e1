# An HTTP proxy between WebKit and the server. WebDriver can neither run a script before those of a page nor drop an
# answer. The proxy adds a script to each document, changes style sheets, counts requests, and loses and delays answers.

import http.client
import http.server
import os
import re
import socket
import threading

from server import ROOT

FIRST_SCRIPT = "/old_browsers.js"
with open(os.path.join(ROOT, "Tests/Tools/Browser/old_browsers.js"), "rb") as file:
    DELETE_FEATURES = file.read()
# Headers of one connection, and those that the proxy sets itself.
OWN_HEADERS = {"connection", "keep-alive", "transfer-encoding", "content-length", "accept-encoding"}


class Proxy:
    """A proxy for the server at `port`. Its own address is `url`."""

    def __init__(self, port):
        self.upstream_port = port
        self.requests = []  # the path and the headers of each request
        self.lost_path = None  # the path whose answers are lost, after the server has sent them
        self.held_script = None  # the end of the path of a script whose imports wait for `release`
        self.release = threading.Event()
        self.has_style_has = True  # whether the browser understands :has
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads, self.server.proxy = True, self
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def headers_of(self, suffix):
        """The headers of all requests for paths with this end."""
        return [headers for path, headers in list(self.requests) if path.endswith(suffix)]

    def close(self):
        self.release.set()
        self.server.shutdown()
        self.server.server_close()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def forward(self):
        proxy = self.server.proxy
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.path == FIRST_SCRIPT:
            return self.answer(200, [("Content-Type", "text/javascript")], DELETE_FEATURES)
        proxy.requests.append((self.path, self.headers))
        is_import = self.headers.get("Sec-Fetch-Dest") == "script"
        if is_import and proxy.held_script and self.path.endswith(proxy.held_script):
            proxy.release.wait()
        # An answer without compression can be changed.
        headers = {name: value for name, value in self.headers.items() if name.lower() not in OWN_HEADERS}
        upstream = http.client.HTTPConnection("127.0.0.1", proxy.upstream_port)
        try:
            upstream.request(self.command, self.path, body or None, {**headers, "Accept-Encoding": "identity"})
            response = upstream.getresponse()
            if response.headers.get_content_type() == "text/event-stream":
                return self.stream(response)
            content = response.read()
        except OSError:
            return self.cut()
        finally:
            upstream.close()
        if self.path == proxy.lost_path:
            return self.cut()
        self.answer(response.status, response.getheaders(), self.changed(response, content))

    do_GET = do_HEAD = do_POST = do_PUT = do_PATCH = do_DELETE = forward

    def changed(self, response, content):
        kind = response.headers.get_content_type()
        if kind == "text/html":
            # The policy of the page permits scripts of its own host.
            return re.sub(rb"<head>", b'<head><script src="%s"></script>' % FIRST_SCRIPT.encode(), content, count=1)
        if kind == "text/css" and not self.server.proxy.has_style_has:
            # No browser understands :unknown.
            return content.replace(b":has(", b":unknown(")
        return content

    def answer(self, status, headers, content):
        self.send_response_only(status)
        for name, value in headers:
            if name.lower() not in OWN_HEADERS:
                self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)

    def stream(self, response):
        """Forwards an event stream until one side closes it."""
        self.close_connection = True
        self.send_response_only(response.status)
        for name, value in [*response.getheaders(), ("Connection", "close")]:
            if name.lower() not in OWN_HEADERS or value == "close":
                self.send_header(name, value)
        self.end_headers()
        while data := response.read1(65_536):
            self.wfile.write(data)

    def cut(self):
        self.close_connection = True
        self.connection.shutdown(socket.SHUT_RDWR)

    def handle(self):
        try:
            super().handle()
        except OSError:
            pass  # The browser has closed the connection.
