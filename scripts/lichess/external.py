#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Serves a UCI engine on this computer as an external engine of lichess's analysis board.

Registers the engine with lichess, waits for positions that the owner of the account analyses, searches them, and sends
the engine's lines back. The protocol is that of https://lichess.org/api, section "External engine". Needs Python 3.8 or
later and nothing else. README.md in this folder has the recipe.
"""

import argparse
import base64
import http.client
import json
import os
import queue
import secrets
import select
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.parse
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
POLL_S = 0.1        # between two looks at the connection while the engine is silent
REQUEST_S = 30      # longest wait for an answer
LONG_POLL_S = 90    # longest wait for a position; lichess answers earlier
RETRY_S = (1, 60)   # first and longest pause after a failed request
ENGINE_S = 30       # longest wait for the engine, but not for its start
NOTE_S = 60         # between two lines that say that the engine still starts
REFUSALS = ("info string error: position", "info string error: illegal move")  # of the command position


class EngineGone(Exception):
    """The engine has ended or does not answer."""


class WrongAnswer(ValueError):
    """The answer does not come from lichess; a network may have sent its login page."""


class NoSuchOption(Exception):
    """The engine does not have an option of the command line."""


class Engine:
    """A UCI engine in a process of its own."""

    def __init__(self, path, options):
        # A session of its own: Ctrl-C ends this program, which then lets the engine save its files.
        # Any bytes may pass: some engines name an author in Latin-1, and an error message may quote half a letter.
        # The token is not for the engine.
        environment = {name: value for name, value in os.environ.items() if name != "LICHESS_API_TOKEN"}
        try:
            self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8",
                                            errors="surrogateescape", bufsize=1, start_new_session=True, env=environment)
        except OSError as error:
            raise OSError(f"cannot start the engine '{path}': {error.strerror}; `make` builds it, --engine names another") from None
        self.lines = queue.Queue()
        self.known = {}  # the engine's options in lower case: their default values
        self.values = {}  # what was set last
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()
        try:
            self.greet(options)
        except BaseException:
            self.close()  # nobody else can: there is no object
            raise

    def greet(self, options):
        """Begins the session and sets the options."""
        self.send("uci")
        for line in self.until("uciok"):
            self.learn_option(line)
        for name in options:
            if name.lower() not in self.known:
                raise NoSuchOption(f"--option: the engine has no option '{name}'")
        for name, value in {"UCI_Chess960": "true", "UCI_AnalyseMode": "true", **options}.items():
            self.set(name, value)
        self.send("isready")
        for line in self.until("readyok", is_start=True):
            if line.startswith("info string"):
                print(line, file=sys.stderr)

    def read(self):
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def send(self, line):
        try:
            self.process.stdin.write(line + "\n")
            self.process.stdin.flush()
        except OSError as error:
            raise EngineGone(str(error)) from None

    def line(self, seconds):
        """The next line, or "" if there is none within these seconds."""
        try:
            line = self.lines.get(timeout=seconds)
        except queue.Empty:
            return ""
        if line is None:
            self.lines.put(None)  # for the next call
            raise EngineGone("the engine has ended")
        return line

    def until(self, word, is_start=False):
        """Yields the lines before the one that begins with the word. At the start, which may load a hash file or verify tables
        for minutes, it waits as long as the engine runs."""
        started = noted = time.monotonic()
        while is_start or time.monotonic() < started + ENGINE_S:
            line = self.line(1)
            if line.split(" ", 1)[0] == word:
                return
            if line:
                yield line
            if is_start and time.monotonic() >= noted + NOTE_S:
                noted = time.monotonic()
                print(f"the engine is not ready after {noted - started:.0f} s; still waiting", file=sys.stderr)
        raise EngineGone(f"no {word} within {ENGINE_S} s")

    def learn_option(self, line):
        """Remembers an option that the engine names."""
        words = line.split()
        if words[:2] != ["option", "name"] or "type" not in words:
            return
        name = " ".join(words[2:words.index("type")])
        default = words[words.index("default") + 1:][:1] if "default" in words else []
        self.known[name.lower()] = default[0] if default else ""

    def set(self, name, value):
        """Sets an option that the engine has, if the value is a new one."""
        key, value = name.lower(), str(value)
        if key in self.known and self.values.get(key) != value:
            self.send(f"setoption name {name} value {value}")
            self.values[key] = value

    def go(self, work, limits):
        """Starts the search that lichess asks for. False if the request is faulty: it would write other commands, or the
        engine refuses its position and keeps another one."""
        fen, moves = work["initialFen"], work.get("moves", [])
        words = [fen, *moves]
        if not all(isinstance(word, str) and word.isprintable() for word in words) or any(" " in move for move in moves):
            return False
        self.set("Threads", min(max(int(work["threads"]), 1), limits.threads))
        self.set("Hash", min(max(int(work["hash"]), 1), limits.hash))
        self.set("MultiPV", min(max(int(work["multiPv"]), 1), 5))
        self.send(f"position fen {fen}" + (f" moves {' '.join(moves)}" if moves else ""))
        self.send("isready")
        refusals = [line for line in self.until("readyok") if line.startswith(REFUSALS)]
        if refusals:
            return False
        for word in ("movetime", "depth", "nodes"):
            if work.get(word):
                self.send(f"go {word} {int(work[word])}")
                return True
        self.send("go infinite" if work.get("infinite") else f"go depth {limits.depth}")
        return True

    def stop(self):
        """Ends the search."""
        self.send("stop")
        for _ in self.until("bestmove"):
            pass

    def close(self):
        try:
            self.send("quit")
            self.process.wait(ENGINE_S)
        except (EngineGone, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        self.reader.join()
        self.process.stdout.close()
        try:
            self.process.stdin.close()
        except OSError:
            pass  # it holds a line that a dead engine never read


def is_result(line):
    """Whether the line is one that the board can show. Bounds are left out: the board takes a score for exact."""
    words = line.split()
    return words[:1] == ["info"] and "score" in words and "pv" in words and not {"lowerbound", "upperbound"} & set(words)


def proxy_for(address):
    """The host and port of the proxy for an address, and the header that logs in to it. "" and no header if there is none.
    The address is the parts of a URL. urllib takes the same proxy."""
    proxy = urllib.request.getproxies().get(address.scheme)
    if not proxy or urllib.request.proxy_bypass(address.netloc):
        return "", {}
    parts = urllib.parse.urlsplit(proxy if "//" in proxy else "//" + proxy)
    login = {}
    if parts.username:
        account = urllib.parse.unquote(f"{parts.username}:{parts.password or ''}")
        login = {"Proxy-Authorization": "Basic " + base64.b64encode(account.encode()).decode()}
    return parts.netloc.rpartition("@")[2], login


class Upload:
    """A POST whose body is sent in parts, as they arise."""

    def __init__(self, url):
        parts = urllib.parse.urlsplit(url)
        proxy, login = proxy_for(parts)
        if parts.scheme == "https":
            self.connection = http.client.HTTPSConnection(proxy or parts.netloc, timeout=REQUEST_S)
            if proxy:
                self.connection.set_tunnel(parts.netloc, headers=login)
                login = {}  # not for the site
        else:
            self.connection = http.client.HTTPConnection(proxy or parts.netloc, timeout=REQUEST_S)
        self.connection.putrequest("POST", url if proxy and parts.scheme == "http" else parts.path)
        for name, value in login.items():
            self.connection.putheader(name, value)
        self.connection.putheader("Content-Type", "text/plain")
        self.connection.putheader("Transfer-Encoding", "chunked")
        self.connection.endheaders()

    def send(self, text):
        data = text.encode()
        self.connection.send(b"%x\r\n%s\r\n" % (len(data), data))

    def is_over(self):
        """Whether the server has closed the connection or answered early: nobody reads the rest."""
        sock = self.connection.sock
        if not select.select([sock], [], [], 0)[0]:
            return False
        sock.settimeout(0)
        try:
            sock.recv(1)
            return True
        except (ssl.SSLWantReadError, BlockingIOError):
            return False  # TLS has something to say, but no data
        finally:
            sock.settimeout(REQUEST_S)

    def finish(self):
        """Ends the body and waits for the answer."""
        self.connection.send(b"0\r\n\r\n")
        self.connection.getresponse().read()

    def close(self):
        self.connection.close()


def pause_after(error, pause):
    """The pause after a failed request: the given one, or a minute, as lichess asks for, after too many requests."""
    return RETRY_S[1] if isinstance(error, urllib.error.HTTPError) and error.code == 429 else pause


class RefuseRedirects(urllib.request.HTTPRedirectHandler):
    """Makes a redirect an error: urllib would send the token to the other site, too, and make a GET of a POST."""

    def redirect_request(self, req, fp, code, msg, headers, newurl):
        raise urllib.error.HTTPError(req.full_url, code, f"redirected to {newurl}", headers, fp)


class Provider:
    """Registers the engine and answers requests."""

    def __init__(self, options):
        self.options = options
        self.opener = urllib.request.build_opener(RefuseRedirects)
        self.engine = None

    def request(self, method, url, body=None, has_token=False, seconds=REQUEST_S):
        """Sends JSON, returns the JSON of the answer; None if there is none."""
        headers = {"Content-Type": "application/json"}
        if has_token:
            headers["Authorization"] = "Bearer " + self.options.token
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(url, data=data, headers=headers, method=method)
        with self.opener.open(request, timeout=seconds) as answer:
            text = answer.read()
        try:
            return json.loads(text) if text else None
        except ValueError:
            raise WrongAnswer("the answer is not JSON; perhaps it is a login page") from None

    def register(self):
        """Registers the engine, in place of an earlier registration of the same name."""
        options = self.options
        url = options.lichess + "/api/external-engine"
        entry = {"name": options.name, "maxThreads": options.threads, "maxHash": options.hash,
                 "defaultDepth": options.depth, "variants": ["chess"], "providerSecret": options.secret}
        engines = self.request("GET", url, has_token=True)
        try:
            known = [engine["id"] for engine in engines if engine["name"] == options.name]
        except (KeyError, TypeError):
            raise WrongAnswer("the answer is not a list of engines") from None
        if known:
            self.request("PUT", f"{url}/{known[0]}", entry, has_token=True)
        else:
            self.request("POST", url, entry, has_token=True)
        print(f"{options.name}: {'updated' if known else 'registered'}, waiting for positions", file=sys.stderr)

    def register_at_last(self):
        """Registers the engine; while the site does not answer as lichess does it tries again, later each time."""
        pause = RETRY_S[0]
        while True:
            try:
                return self.register()
            except urllib.error.HTTPError as error:
                if 400 <= error.code < 500 and error.code not in (408, 429):
                    raise  # such as a refused token; a redirect may be that of a network's login page
                pause = pause_after(error, pause)
                print(f"{error.url}: {error}; trying again in {pause} s", file=sys.stderr)
            except (OSError, http.client.HTTPException, WrongAnswer) as error:
                print(f"{self.options.lichess}: {error or type(error).__name__}; trying again in {pause} s", file=sys.stderr)
            time.sleep(pause)
            pause = min(2 * pause, RETRY_S[1])

    def start_engine(self):
        self.engine = Engine(self.options.engine, self.options.option)

    def answer(self, job):
        """Searches the position of a request and sends the lines until the end of the search or of the requester."""
        upload = Upload(f"{self.options.broker}/api/external-engine/work/{urllib.parse.quote(job['id'], safe='')}")
        is_searching = False
        try:
            is_searching = self.engine.go(job["work"], self.options)
            if not is_searching:
                print("faulty request", file=sys.stderr)
            while is_searching and not upload.is_over():
                line = self.engine.line(POLL_S)
                if line.startswith("bestmove"):
                    is_searching = False
                elif is_result(line):
                    upload.send(line + "\n")
            if not is_searching:
                upload.finish()
        except (OSError, http.client.HTTPException):
            pass  # the requester is gone
        finally:
            upload.close()
            if is_searching:
                self.engine.stop()

    def serve(self):
        """Answers requests until Ctrl-C; after an error it tries again, later each time."""
        pause = RETRY_S[0]
        while True:
            try:
                if self.engine is None:
                    self.start_engine()
                job = self.request("POST", self.options.broker + "/api/external-engine/work",
                                   {"providerSecret": self.options.secret}, seconds=LONG_POLL_S)
                if job is not None:
                    self.answer(job)
                pause = RETRY_S[0]
                continue
            except EngineGone as error:
                print(f"engine: {error}; starting it again", file=sys.stderr)
                if self.engine is not None:  # else it did not start
                    self.engine.close()
                self.engine = None
            except (socket.timeout, TimeoutError):  # two classes before Python 3.10
                continue
            except (OSError, http.client.HTTPException, ValueError, OverflowError, KeyError, TypeError) as error:
                pause = pause_after(error, pause)
                print(f"{error or type(error).__name__}; trying again in {pause} s", file=sys.stderr)
            time.sleep(pause)
            pause = min(2 * pause, RETRY_S[1])


def pair(text):
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError("must be NAME=VALUE")
    return name, value


def count(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError("must be a whole number from 1 on")
    return int(text)


def site(text):
    """An address without a slash at its end: paths are appended to it."""
    parts = urllib.parse.urlsplit(text)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise argparse.ArgumentTypeError("must begin with http:// or https:// and a name")
    return text.rstrip("/")


def secret_of(path):
    """The secret between lichess and this program; made once and kept in a file that only its owner can read. An OSError or
    a ValueError if the file cannot be used."""
    try:
        with open(path, encoding="ascii") as file:
            secret = file.read().strip()
        if not secret:
            raise ValueError("the file is empty; delete it")  # the disk may have been full when it was made
        return secret
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        secret = secrets.token_urlsafe(32)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secret + "\n")
        return secret


def parse(arguments):
    home = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0], epilog="The environment variable LICHESS_API_TOKEN "
                                     "must hold a token with the rights engine:read and engine:write.")
    parser.add_argument("--engine", default=os.path.normpath(os.path.join(HERE, "../../palimpsest")), help="the engine (%(default)s)")
    parser.add_argument("--name", default="Palimpsest", help="its name on lichess (%(default)s)")
    parser.add_argument("--threads", type=count, default=os.cpu_count() or 1, help="most threads that the menu offers (%(default)s)")
    parser.add_argument("--hash", type=count, default=1024, help="most MiB of hash that it offers (%(default)s)")
    parser.add_argument("--depth", type=count, default=30, help="depth of a search without limit (%(default)s)")
    parser.add_argument("--option", type=pair, action="append", default=[], metavar="NAME=VALUE",
                        help="an option of the engine; may be repeated")
    parser.add_argument("--secret-file", default=os.path.join(home, "palimpsest/lichess-secret"),
                        help="keeps the secret of the registration (%(default)s)")
    parser.add_argument("--lichess", type=site, default="https://lichess.org", help="the site (%(default)s)")
    parser.add_argument("--broker", type=site, default="https://engine.lichess.ovh",
                        help="where requests come from (%(default)s)")
    options = parser.parse_args(arguments)
    options.token = os.environ.get("LICHESS_API_TOKEN", "").strip()
    options.option = dict(options.option)
    if not options.token:
        parser.error("LICHESS_API_TOKEN is not set: scripts/lichess/README.md says how to get a token")
    if not options.token.isascii() or not options.token.isprintable() or " " in options.token:
        parser.error("LICHESS_API_TOKEN holds a character that no token has")
    try:
        options.secret = secret_of(options.secret_file)
    except (OSError, ValueError) as error:
        parser.error(f"--secret-file {options.secret_file}: {error}")
    return options


def main(arguments):
    provider = Provider(parse(arguments))
    signal.signal(signal.SIGTERM, lambda *unused: sys.exit(0))
    try:
        provider.start_engine()
        provider.register_at_last()
        provider.serve()
    except KeyboardInterrupt:
        pass
    except urllib.error.HTTPError as error:
        print(f"{error.url}: {error}" + ("; is the token right?" if error.code in (401, 403) else ""), file=sys.stderr)
        return 1
    except (OSError, EngineGone, NoSuchOption) as error:
        print(error, file=sys.stderr)
        return 1
    finally:
        if provider.engine is not None:
            provider.engine.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
