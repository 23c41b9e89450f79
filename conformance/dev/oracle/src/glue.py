"""Joins Assize's tests to the sealed comparator, without touching a character of it.

The comparator knows three things of the world: the text of two bundles, the stage order, and the global name `open`. Every
call gets a module namespace of its own, whose `open` serves that call's files, so calls on several threads never meet. The
working directory plays no part.

An abort of the comparator is an answer, and is returned by its class name. Whatever goes wrong in this file instead is a fault
of ours, and leaves as an exception.
"""

import builtins
import errno
import hashlib
import io
import json
import os
import struct
import sys

# What the comparator's load_stage_order is told to open. No path of a turn entry can be this object.
STAGE_ORDER = object()

LARGEST_DESCRIPTOR = 2**31 - 1


class OracleFault(BaseException):
    """A fault of ours inside the comparator's `open`. Not an Exception: the comparator catches some of those."""


def abort_class(error):
    """The class under which an abort is compared: the two that only refine ValueError count as ValueError."""
    if isinstance(error, (json.JSONDecodeError, UnicodeDecodeError)):
        return "ValueError"
    return type(error).__name__


def text_file(content):
    """What open(path, "r", encoding="utf-8") gives for a file of these bytes: real decoding, real line ends."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")


def encoded(path):
    """The bytes that the operating system would get: UTF-8, with U+DC80 to U+DCFF standing for single bytes."""
    octets = path.encode("utf-8", "surrogateescape")
    if b"\0" in octets:
        raise ValueError("embedded null byte")
    return octets


def refuse(path):
    """The error that CPython's open raises for a path that is not a string."""
    if isinstance(path, int) and 0 <= path <= LARGEST_DESCRIPTOR:
        # A descriptor number (true and false are 1 and 0). Never opened: every descriptor counts as closed.
        return OSError(errno.EBADF, os.strerror(errno.EBADF))
    try:
        io.open(path, "r", encoding="utf-8").close()
    except Exception as error:
        return error
    raise OracleFault(f"opened {path!r}")


class MemoryFiles:
    """Files held in a dictionary from relative path to bytes. Folders are what the paths imply."""

    def __init__(self, files):
        self.files = files
        self.folders = {""}
        for path in files:
            while "/" in path:
                path = path.rpartition("/")[0]
                self.folders.add(path)

    def read(self, path):
        """The bytes below a relative path, walked as the operating system walks it."""
        encoded(path)
        if path == "" or path.startswith("/"):
            raise FileNotFoundError(errno.ENOENT, "not below the case's folder")
        here = ""
        for name in path.split("/"):
            if here not in self.folders:
                # "file/name" and "file/" as well as "absent/../name".
                raise self.missing(here)
            if name in ("", "."):
                continue
            if name == "..":
                if here == "":
                    raise FileNotFoundError(errno.ENOENT, "not below the case's folder")
                here = here.rpartition("/")[0]
            else:
                here = f"{here}/{name}" if here else name
        if here in self.folders:
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if here not in self.files:
            raise self.missing(here)
        return self.files[here]

    def missing(self, path):
        if path in self.files:
            return NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        return FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))


class FolderFiles:
    """Files of a real folder."""

    def __init__(self, folder):
        self.folder = os.fsencode(folder)

    def read(self, path):
        octets = encoded(path)
        if octets.startswith(b"/"):
            raise FileNotFoundError(errno.ENOENT, "not below the case's folder")
        # As bytes: the answer must not hang on the locale's file system encoding.
        with io.open(os.path.join(self.folder, octets), "rb") as file:
            return file.read()


def opener(files, stage_order):
    """The `open` of one call."""

    def answer(path):
        if path is STAGE_ORDER:
            return stage_order
        if not isinstance(path, str):
            return refuse(path)
        try:
            return files.read(path)
        except (OSError, ValueError) as error:
            return error

    def open_file(path, mode, encoding):
        try:
            if (mode, encoding) != ("r", "utf-8"):
                raise OracleFault(f"open with mode {mode} and encoding {encoding}")
            found = answer(path)
        except Exception as error:
            raise OracleFault("the comparator's open is broken") from error
        if isinstance(found, Exception):
            raise found
        return text_file(found)

    return open_file


class Number(str):
    """The line of a number, built from its token by a hook of Python's reader."""


class Members(list):
    """An object as the pairs that stand in the text, repeated names included."""


def line_of_float(value):
    return "fnan" if value != value else "f" + struct.pack(">d", value).hex()


def hooked(text):
    """The value of a text with every number by its token and every object by its pairs; no limit on digits is met."""
    return json.loads(
        text,
        parse_int=lambda token: Number("i" + token),
        parse_float=lambda token: Number(f"{line_of_float(float(token))} {token}"),
        parse_constant=lambda token: Number(f"{line_of_float(float(token))} {token}"),
        object_pairs_hook=Members,
    )


def lines(value):
    """A value as lines, one for each bracket, name and scalar; strings in hexadecimal, since some have no UTF-8 form.

    A loop and not a recursion: the depth of what was read must not matter here.
    """
    found = []
    pending = [value]
    while pending:
        here = pending.pop()
        if isinstance(here, Number):
            found.append(here)
        elif isinstance(here, str):
            found.append("s" + here.encode("utf-8", "surrogatepass").hex())
        elif here is None or isinstance(here, bool):
            found.append(json.dumps(here))
        elif isinstance(here, int):
            found.append(f"i{here}")
        elif isinstance(here, float):
            found.append(line_of_float(here))
        elif isinstance(here, (dict, Members)):
            found.append("{")
            pending.append(Number("}"))
            for name, member in reversed(here.items() if isinstance(here, dict) else here):
                pending += (member, Number("n" + name.encode("utf-8", "surrogatepass").hex()))
        else:
            found.append("[")
            pending.append(Number("]"))
            pending += reversed(here)
    return "\n".join(found)


class LongIntegers:
    """Integers of more than 4,300 digits, which Python neither reads nor writes, and shorter ones that stand in for them."""

    def __init__(self, text):
        # A number of 71 digits that nobody wrote into a text by chance.
        self.base = 10**70 + int(hashlib.sha256(text.encode("utf-8")).hexdigest(), 16) % 10**69
        self.tokens = []

    def read(self, token):
        if len(token.lstrip("-")) <= 4300:
            return int(token)
        self.tokens.append(token)
        return self.base + len(self.tokens)

    def put_back(self, octets):
        for number, token in enumerate(self.tokens, start=1):
            octets = octets.replace(str(self.base + number).encode("ascii"), token.encode("ascii"))
        return octets


class Oracle:
    """The sealed comparator, compiled once, and run in a fresh namespace for each call."""

    def __init__(self, source, stage_order):
        limit = getattr(sys, "get_int_max_str_digits", lambda: 4300)()
        if limit != 4300:
            raise OracleFault(f"this interpreter reads integers of {limit} digits: unset PYTHONINTMAXSTRDIGITS")
        self.code = compile(source, "comparator.py", "exec", dont_inherit=True)
        self.stage_order = stage_order
        # For calls that open nothing: namespaces are never written to by the comparator's own functions.
        self.shared = self.namespace(None)

    def namespace(self, open_file):
        """The comparator's module, with an `open` of its own in front of the built-in one."""
        module = {"__name__": "comparator", "__builtins__": builtins, "open": open_file}
        exec(self.code, module)
        return module

    def compare_memory(self, bundle_a, bundle_b, stage_order, files):
        return self.compare(bundle_a, bundle_b, stage_order, MemoryFiles(files))

    def compare_folder(self, bundle_a, bundle_b, stage_order, folder):
        return self.compare(bundle_a, bundle_b, stage_order, FolderFiles(folder))

    def compare(self, bundle_a, bundle_b, stage_order, files):
        """(class of the abort, None) or (None, canonical bytes of the report)."""
        if stage_order is None:
            stage_order = self.stage_order
        module = self.namespace(opener(files, stage_order))
        load_stage_order, compare = module["load_stage_order"], module["compare"]
        try:
            lookup = load_stage_order(STAGE_ORDER)
        except Exception as error:
            return abort_class(error), None
        try:
            loaded_a = json.loads(bundle_a.decode("utf-8"))
            loaded_b = json.loads(bundle_b.decode("utf-8"))
        except (ValueError, RecursionError):
            # A bundle that does not load is a ValueError, whatever kept it from loading.
            return "ValueError", None
        try:
            report = compare(loaded_a, loaded_b, lookup)
        except Exception as error:
            return abort_class(error), None
        text = json.dumps(report, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return None, text.encode("utf-8")

    def canonical_sovereign(self, text, any_size):
        return self.canonical(text, self.shared["canonical_serialize"], any_size)

    def canonical_authority(self, text, any_size):
        def serialize(value):
            spelling = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
            return spelling.encode("utf-8")

        return self.canonical(text, serialize, any_size)

    def canonical(self, text, serialize, any_size):
        """(class of the refusal, whether the text could be read, None) or (None, True, bytes).

        Integers of more than 4,300 digits are unreadable, unless they are said to be of any size.
        """
        try:
            text = text.decode("utf-8")
            long = LongIntegers(text) if any_size else None
            value = json.loads(text, parse_int=long.read) if long else json.loads(text)
        except Exception as error:
            return abort_class(error), False, None
        try:
            octets = serialize(value)
        except Exception as error:
            return abort_class(error), True, None
        return None, True, long.put_back(octets) if long else octets

    def read(self, text):
        """Two pairs of (class of the refusal, lines): of the value, and of the text as the hooks of the reader meet it."""

        def attempt(reader):
            try:
                value = reader(text.decode("utf-8"))
            except Exception as error:
                return abort_class(error), None
            return None, lines(value)

        return attempt(json.loads), attempt(hooked)

    def sha256_hex(self, octets):
        return hashlib.sha256(octets).hexdigest()

    def version(self):
        return sys.version
