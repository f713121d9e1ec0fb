#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test_external.py ENGINE: tests external.py with an engine and with a server in place of lichess. The last line is
"N passed, N failed, 0 skipped"."""

import base64
import contextlib
import http.server
import io
import json
import os
import queue
import socket
import stat
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock
import urllib.error
import urllib.parse

import external

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
WAIT_S = 20  # longest wait; only a failed test, or a busy machine, takes so long


class Lichess(http.server.BaseHTTPRequestHandler):
    """Plays the site and the server that hands out positions."""

    protocol_version = "HTTP/1.1"
    jobs = queue.Queue()     # answers to requests for work: objects, or status codes
    uploads = queue.Queue()  # bodies of the answers
    calls = queue.Queue()    # of the site: method, path, token, body
    engines = []             # registered before
    answers = []             # of the site, before the usual ones: status, headers, body
    most_lines = {}          # by id of a job: the server hangs up after so many lines, 0: at once

    def log_message(self, *unused):
        pass

    def say(self, status, value=None):
        self.say_text(status, {}, json.dumps(value) if value is not None else "")

    def say_text(self, status, headers, text):
        body = text.encode()
        self.send_response(status)
        for name, content in headers.items():
            self.send_header(name, content)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        length = int(self.headers.get("Content-Length") or 0)
        return json.loads(self.rfile.read(length)) if length else None

    def site(self):
        self.calls.put((self.command, self.path, self.headers.get("Authorization"), self.body()))
        if self.answers:
            self.say_text(*self.answers.pop(0))
            return
        self.say(200, self.engines if self.command == "GET" else {"id": "eei_1"})

    def lines(self):
        """Yields the lines of a body that comes in chunks."""
        while True:
            size = int(self.rfile.readline() or b"0", 16)
            text = self.rfile.read(size).decode()
            self.rfile.readline()
            if size == 0:
                return
            yield from text.splitlines()

    def upload(self, name):
        most, got = self.most_lines.get(name), []
        if most != 0:
            for line in self.lines():
                got.append(line)
                if most is not None and len(got) >= most:
                    break
        if most is None:
            self.say(200)
        self.close_connection = True
        self.uploads.put((name, got))

    def do_POST(self):
        if not self.path.startswith("/api/external-engine/work"):
            self.site()
        elif self.path.count("/") == 4:
            self.upload(self.path.rsplit("/", 1)[1])
        else:
            asked = self.body()
            try:
                job = self.jobs.get(timeout=0.1)
            except queue.Empty:
                job = 204
            if asked != {"providerSecret": "secret-of-the-test"}:
                job = 400
            self.say(*([job] if isinstance(job, int) else [200, job]))

    do_GET = do_PUT = site


class Proxy(Lichess):
    """The same behind a proxy. It opens no tunnels."""

    asked = queue.Queue()  # method, address, login

    def do_POST(self):
        self.asked.put((self.command, self.path, self.headers.get("Proxy-Authorization")))
        self.path = urllib.parse.urlsplit(self.path).path
        super().do_POST()

    def do_CONNECT(self):
        self.asked.put((self.command, self.path, self.headers.get("Proxy-Authorization")))
        self.say(502)


def job(name, most_lines=None, **work):
    """Hands out a position; returns the lines that come back."""
    Lichess.most_lines[name] = most_lines
    Lichess.jobs.put({"id": name, "engine": {}, "work": {
        "sessionId": "s", "threads": 1, "hash": 4, "multiPv": 1, "variant": "chess", "initialFen": START, "moves": [], **work}})
    got, lines = Lichess.uploads.get(timeout=WAIT_S)
    assert got == name, f"{got} in place of {name}"
    return lines


def write_script(path, text):
    """Writes a shell script that stands for an engine."""
    with open(path, "w", encoding="ascii") as file:
        file.write("#!/bin/sh\n" + text)
    os.chmod(path, 0o700)


class Tests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        external.RETRY_S = (0.05, 0.1)
        external.print = lambda *unused, **words: None
        os.environ["no_proxy"] = "127.0.0.1"
        url = cls.serve(Lichess)
        with tempfile.NamedTemporaryFile("w", suffix=".secret") as file:
            file.write("secret-of-the-test\n")
            file.flush()
            os.environ["LICHESS_API_TOKEN"] = "lip_test"
            cls.provider = external.Provider(external.parse(
                ["--engine", ENGINE, "--threads", "2", "--hash", "8", "--depth", "6", "--lichess", url, "--broker", url,
                 "--secret-file", file.name, "--option", "Move Overhead=55"]))
        cls.provider.start_engine()
        threading.Thread(target=cls.provider.serve, daemon=True).start()

    @staticmethod
    def serve(handler):
        """Starts a server, returns its address."""
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    @classmethod
    def tearDownClass(cls):
        cls.provider.engine.close()

    def test_a_new_engine_is_registered(self):
        Lichess.engines = [{"id": "eei_0", "name": "Another"}]
        self.provider.register()
        self.assertEqual(Lichess.calls.get(timeout=WAIT_S), ("GET", "/api/external-engine", "Bearer lip_test", None))
        method, path, token, body = Lichess.calls.get(timeout=WAIT_S)
        self.assertEqual((method, path, token), ("POST", "/api/external-engine", "Bearer lip_test"))
        self.assertEqual(body, {"name": "Palimpsest", "maxThreads": 2, "maxHash": 8, "defaultDepth": 6, "variants": ["chess"],
                                "providerSecret": "secret-of-the-test"})

    def test_registration_is_tried_again(self):
        register, tries = self.provider.register, []

        def unreachable_at_first():
            tries.append(1)
            if len(tries) == 1:
                raise OSError("unreachable")
            register()
        self.provider.register = unreachable_at_first
        self.provider.register_at_last()
        self.assertEqual(len(tries), 2)
        for _ in range(2):
            Lichess.calls.get(timeout=WAIT_S)

    def pauses(self, *answers):
        """Registers the engine at a site that gives these answers first; returns the pauses between the attempts."""
        Lichess.answers = list(answers)
        with unittest.mock.patch.object(time, "sleep") as sleep:
            try:
                external.Provider(self.provider.options).register_at_last()
            finally:
                while not Lichess.calls.empty():
                    Lichess.calls.get()
        return [call[0][0] for call in sleep.call_args_list]

    def test_a_busy_site_is_tried_again(self):
        first, longest = external.RETRY_S
        self.assertEqual(self.pauses((503, {}, ""), (408, {}, "")), [first, 2 * first])
        self.assertEqual(self.pauses((429, {}, "")), [longest])
        self.assertRaises(urllib.error.HTTPError, self.pauses, (401, {}, ""))

    def test_too_many_requests_for_work_have_the_longest_pause(self):
        provider = external.Provider(self.provider.options)
        provider.engine = self.provider.engine
        too_many = urllib.error.HTTPError("http://site.invalid", 429, "Too Many Requests", {}, io.BytesIO())
        with unittest.mock.patch.object(time, "sleep") as sleep, \
                unittest.mock.patch.object(provider, "request", side_effect=[too_many, KeyboardInterrupt]):
            self.assertRaises(KeyboardInterrupt, provider.serve)
        sleep.assert_called_once_with(external.RETRY_S[1])

    def test_the_token_follows_no_redirect(self):
        redirect = (302, {"Location": "http://127.0.0.1:1/elsewhere"}, "")
        for answers in [redirect], [(200, {}, "[]"), redirect]:
            with unittest.mock.patch.object(external, "print") as said:
                self.assertEqual(self.pauses(*answers), [external.RETRY_S[0]])
            self.assertIn("HTTP Error 302: redirected to http://127.0.0.1:1/elsewhere; trying", said.call_args_list[0][0][0])

    def test_an_answer_that_is_not_that_of_lichess_is_survived(self):
        for text in "<html>Log in</html>", "\u00e9", "", "null", "7", '["name"]', '[{"id": "x"}]', '[{"name": "Palimpsest"}]':
            self.assertEqual(self.pauses((200, {}, text)), [external.RETRY_S[0]], text)
        self.assertEqual(self.pauses((200, {}, "[]"), (200, {}, "<html>")), [external.RETRY_S[0]])

    def test_a_known_engine_is_updated(self):
        Lichess.engines = [{"id": "eei_1", "name": "Palimpsest"}]
        self.provider.register()
        Lichess.calls.get(timeout=WAIT_S)
        self.assertEqual(Lichess.calls.get(timeout=WAIT_S)[:2], ("PUT", "/api/external-engine/eei_1"))

    def test_lines_have_what_the_board_shows(self):
        lines = job("lines", depth=5, multiPv=2, moves=["e2e4", "e7e5"])
        for line in lines:
            words = line.split()
            self.assertEqual(words[0], "info")
            for word in ("depth", "multipv", "score", "nodes", "time", "pv"):
                self.assertIn(word, words)
            self.assertNotIn("lowerbound", words)
            self.assertNotIn("upperbound", words)
        self.assertTrue(any(" depth 5 " in line and " multipv 2 " in line for line in lines))

    def test_castling_is_that_of_chess960(self):
        lines = job("castling", depth=3, initialFen="5k2/8/7N/8/8/6P1/1B2R3/5KR1 w G - 0 1")
        self.assertIn(" pv f1g1", lines[-1])  # mate by castling: the king to the square of the rook

    def test_a_search_without_limit_has_the_default_depth(self):
        lines = job("default", infinite=False)
        self.assertIn(" depth 6 ", lines[-1])

    def test_the_search_ends_with_its_reader(self):
        self.assertEqual(len(job("reader", most_lines=2, infinite=True)), 2)
        self.assertTrue(job("next", nodes=2000))

    def test_a_silent_search_ends_with_its_reader(self):
        self.assertEqual(job("silent", most_lines=0, infinite=True, initialFen="7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"), [])
        self.assertTrue(job("after", movetime=5))

    def test_lines_pass_a_proxy(self):
        url = self.serve(Proxy)
        login = "Basic " + base64.b64encode(b"me:p@ss").decode()
        with unittest.mock.patch.dict(os.environ, {"http_proxy": url, "https_proxy": url.replace("//", "//me:p%40ss@")}):
            upload = external.Upload("http://broker.invalid/api/external-engine/work/proxy")
            upload.send("info\n")
            upload.finish()
            upload.close()
            self.assertEqual(Lichess.uploads.get(timeout=WAIT_S), ("proxy", ["info"]))
            self.assertEqual(Proxy.asked.get(timeout=WAIT_S),
                             ("POST", "http://broker.invalid/api/external-engine/work/proxy", None))
            self.assertRaisesRegex(OSError, "502", external.Upload, "https://broker.invalid/api/external-engine/work/tunnel")
            self.assertEqual(Proxy.asked.get(timeout=WAIT_S), ("CONNECT", "broker.invalid:443", login))
            self.assertTrue(job("without", depth=1))  # no_proxy has its address

    def test_a_request_writes_no_other_command(self):
        self.assertEqual(job("faulty", initialFen=START + "\nquit"), [])
        self.assertEqual(job("moves", moves=["e2e4\nquit"]), [])
        self.assertTrue(job("sound", depth=1))

    def test_a_refused_position_gets_no_lines_of_another_one(self):
        self.assertEqual(job("refused", depth=1, initialFen="4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1"), [])
        self.assertEqual(job("illegal", depth=1, moves=["e2e5"]), [])
        self.assertTrue(job("legal", depth=1))

    def test_a_move_beyond_ascii_is_refused(self):
        self.assertEqual(job("accents", depth=1, moves=["x" + 20 * "\u00e9"]), [])
        self.assertTrue(job("plain", depth=1))

    def test_an_engine_may_print_any_bytes(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(external, "ENGINE_S", WAIT_S):
            path = os.path.join(folder, "engine")
            write_script(path, f"printf 'id author M\\374ller\\n'\nexec \"{ENGINE}\"\n")
            external.Engine(path, {}).close()

    def test_the_engine_does_not_get_the_token(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "engine")
            write_script(path, f'echo "[$LICHESS_API_TOKEN]" > "{folder}/token"\nexec "{ENGINE}"\n')
            external.Engine(path, {}).close()
            with open(os.path.join(folder, "token"), encoding="ascii") as file:
                self.assertEqual(file.read(), "[]\n")

    def test_limits_are_those_of_the_registration(self):
        job("limits", threads=64, hash=100000, depth=1)
        self.assertEqual((self.provider.engine.values["threads"], self.provider.engine.values["hash"]), ("2", "8"))

    def test_options_are_set(self):
        values = self.provider.engine.values
        self.assertEqual((values["uci_chess960"], values["uci_analysemode"], values["move overhead"]), ("true", "true", "55"))

    def test_an_unknown_option_is_refused(self):
        self.assertRaises(external.NoSuchOption, external.Engine, ENGINE, {"Hsh": "8"})

    def test_an_error_of_the_server_is_survived(self):
        Lichess.jobs.put(500)
        Lichess.jobs.put(429)
        self.assertTrue(job("later", depth=1))

    def test_a_timeout_of_python_3_8_is_no_error(self):
        class Timeout(OSError):
            """As socket.timeout was before Python 3.10: no TimeoutError."""

        provider = external.Provider(self.provider.options)
        provider.engine = self.provider.engine
        with unittest.mock.patch.object(socket, "timeout", Timeout), unittest.mock.patch.object(time, "sleep") as sleep, \
                unittest.mock.patch.object(provider, "request", side_effect=[Timeout("timed out"), KeyboardInterrupt]):
            self.assertRaises(KeyboardInterrupt, provider.serve)
        sleep.assert_not_called()

    def test_an_infinite_number_is_survived(self):
        self.assertEqual(job("huge", most_lines=0, threads=float("inf")), [])
        self.assertTrue(job("usual", depth=1))

    def test_a_dead_engine_is_started_again(self):
        engine = self.provider.engine
        self.lose_engine("lost")
        self.assertTrue(job("found", depth=1))
        self.assertIsNot(self.provider.engine, engine)

    def lose_engine(self, name):
        """Kills the engine and hands out a position, which is lost with it."""
        self.provider.engine.process.kill()
        Lichess.most_lines[name] = 0
        Lichess.jobs.put({"id": name, "engine": {}, "work": {
            "threads": 1, "hash": 4, "multiPv": 1, "initialFen": START, "moves": [], "depth": 1}})
        Lichess.uploads.get(timeout=WAIT_S)

    def test_an_engine_that_does_not_start_is_started_again(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "engine")
            write_script(path, f'[ ! -e "{folder}/tried" ] || exec "{ENGINE}"\ntouch "{folder}/tried"\n')
            with unittest.mock.patch.object(self.provider.options, "engine", path):
                self.lose_engine("unstarted")
                self.assertTrue(job("restarted", depth=1))
            self.assertTrue(os.path.exists(os.path.join(folder, "tried")))

    def test_an_engine_that_hangs_at_its_start_is_ended(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(external, "ENGINE_S", 0.5):
            path = os.path.join(folder, "engine")
            write_script(path, f'echo $$ > "{folder}/number"\nexec sleep 600\n')
            self.assertRaises(external.EngineGone, external.Engine, path, {})
            with open(os.path.join(folder, "number"), encoding="ascii") as file:
                self.assertRaises(ProcessLookupError, os.kill, int(file.read()), 0)

    def test_an_engine_may_be_slow_at_its_start_only(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(external, "ENGINE_S", 0.5), \
                unittest.mock.patch.object(external, "NOTE_S", 0.5), unittest.mock.patch.object(external, "print") as said:
            path = os.path.join(folder, "engine")
            write_script(path, "read uci; echo uciok; read isready; sleep 1.5; echo readyok; exec sleep 600\n")
            engine = external.Engine(path, {})
            self.assertIn("not ready", said.call_args[0][0])
            with self.assertRaises(external.EngineGone):
                list(engine.until("readyok"))
            engine.close()

    def test_an_engine_that_ends_at_its_start_is_noticed(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "engine")
            write_script(path, "read uci; echo uciok; read isready\n")
            self.assertRaises(external.EngineGone, external.Engine, path, {})

    def test_an_engine_that_cannot_be_started_is_named(self):
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch.object(external, "print") as said:
            path, secret = os.path.join(folder, "engine"), os.path.join(folder, "secret")
            self.assertEqual(external.main(["--engine", path, "--secret-file", secret]), 1)
        for words in path, "make", "--engine":
            self.assertIn(words, str(said.call_args[0][0]))

    def test_a_dead_engine_says_so_each_time(self):
        engine = external.Engine(ENGINE, {})
        engine.process.kill()
        for _ in range(2):
            self.assertRaises(external.EngineGone, engine.line, 5)
        engine.close()

    def test_the_secret_is_kept_private(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "state/secret")
            secret = external.secret_of(path)
            self.assertGreaterEqual(len(secret), 16)
            self.assertEqual(external.secret_of(path), secret)
            self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)

    def test_a_secret_that_cannot_be_read_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            empty, other = (os.path.join(folder, name) for name in ("empty", "other"))
            for path, content in (empty, b""), (other, b"\xff\n"):
                with open(path, "wb") as file:
                    file.write(content)
            for path in folder, empty, other:
                with contextlib.redirect_stderr(io.StringIO()) as said:
                    self.assertRaises(SystemExit, external.parse, ["--secret-file", path])
                self.assertIn(path, said.getvalue())

    def test_numbers_below_one_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            for option in "--threads", "--hash", "--depth":
                for number in "0", "-1", "x":
                    with contextlib.redirect_stderr(io.StringIO()) as said:
                        self.assertRaises(SystemExit, external.parse,
                                          ["--secret-file", os.path.join(folder, "secret"), option, number])
                    self.assertIn(f"{option}: must be a whole number from 1 on", said.getvalue())

    def test_a_missing_token_names_the_page(self):
        with unittest.mock.patch.dict(os.environ, LICHESS_API_TOKEN=""), contextlib.redirect_stderr(io.StringIO()) as said:
            self.assertRaises(SystemExit, external.parse, [])
        self.assertIn("scripts/lichess/README.md", said.getvalue())

    def test_faulty_addresses_and_tokens_are_named(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["--secret-file", os.path.join(folder, "secret")]

            def parse(token, *more):
                with unittest.mock.patch.dict(os.environ, LICHESS_API_TOKEN=token):
                    return external.parse([*arguments, *more])

            self.assertEqual(parse("lip_x\r\n").token, "lip_x")
            self.assertEqual(parse("lip_x", "--lichess", "http://localhost:8080/").lichess, "http://localhost:8080")
            for named, faulty in (("--lichess", ["lip_x", "--lichess", "lichess.org"]), ("--broker", ["lip_x", "--broker", "http://"]),
                                  ("--lichess", ["lip_x", "--lichess", "ftp://lichess.org"]), ("LICHESS_API_TOKEN", ["lip x"]),
                                  ("LICHESS_API_TOKEN", ["lip\u20acx"])):
                with contextlib.redirect_stderr(io.StringIO()) as said:
                    self.assertRaises(SystemExit, parse, *faulty)
                self.assertIn(named, said.getvalue())


if __name__ == "__main__":
    ENGINE = os.path.abspath(sys.argv[1])
    started = time.monotonic()
    result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=0).result
    failed = len(result.failures) + len(result.errors)
    print(f"{max(0, result.testsRun - failed)} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)
