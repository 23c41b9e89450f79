"""Artifacts of the kernel's second source: writing what a run traces, and judging what was written (KE-53)."""

from kernel_values import (
    DIGEST,
    OPEN,
    Banned,
    Unsettled,
    canonical,
    escape,
    fail,
    issue_key,
    lone,
    read,
    refused,
    sha256,
    token,
    without_form,
)

VERSIONS = {"contract_version": "kernel_api/v1"}


def octets(schema, **members):
    """The bytes of a file of a schema."""
    return canonical({**VERSIONS, "schema_version": schema, **members}).encode("utf-8")


def rows_of(text):
    """The artifacts that an index lists, by name; or ValueError."""
    index = read(text)
    if not isinstance(index, dict) or not isinstance(index.get("artifacts"), list):
        raise ValueError("no index")
    rows = {}
    for row in index["artifacts"]:
        if not isinstance(row, dict) or set(row) != {"name", "digest"}:
            raise ValueError("no row")
        if not all(isinstance(part, str) for part in row.values()) or not DIGEST.match(row["digest"]):
            raise ValueError("no row")
        rows[row["name"]] = row["digest"]
    if text != listing(rows):
        raise ValueError("another form")
    return rows


def table(rows):
    return [{"name": name, "digest": rows[name]} for name in sorted(rows)]


def listing(rows):
    """The bytes of an index."""
    return octets("trace_index/v1", artifacts=table(rows))


def write_trace_artifacts(home, operation):
    """Every artifact of a bundle, or none."""
    if not operation["run_id"]:
        return {"outcome": "FAIL", "issues": refused("/run_id").issues, "artifacts": None}
    folder = f"trace/{token(operation['run_id'])}"
    index = f"{folder}/index.json"
    try:
        rows = rows_of(home[index]) if index in home else {}
    except (TypeError, ValueError):
        # What becomes of an index that was damaged, no ruling tells.
        raise Unsettled from None
    files, issues = {}, []
    for name, content in operation["trace_bundle"].items():
        place = f"/trace_bundle/{escape(name)}"
        formless = [*without_form(content, place)]
        if lone(name):
            raise Unsettled
        if name in ("", "index"):
            issues += refused(place).issues
        elif formless:
            issues += [fail("determinism", "E_CANONICALIZATION_ERROR", one) for one in formless]
        else:
            path, text = f"{folder}/{token(name)}.json", octets("trace_artifact/v1", name=name, content=content)
            if home.get(path, text) != text or rows.get(name, sha256(text)) != sha256(text):
                issues += refused(place).issues
            files[path] = text
            rows[name] = sha256(text)
    if issues:
        told = OPEN if any(found["location"] is OPEN for found in issues) else sorted(issues, key=issue_key)
        return {"outcome": "FAIL", "issues": told, "artifacts": None}
    home.update(files)
    home[index] = listing(rows)
    return {"outcome": "PASS", "issues": [], "artifacts": table(rows)}


def breaches(home):
    """Places of what is unlawful about the artifacts of all runs."""
    runs = {path.split("/")[1] for path in home.below("trace") if path.count("/") > 1}
    for run in sorted(runs):
        yield from of_run(home, f"trace/{run}")


def of_run(home, folder):
    index = f"{folder}/index.json"
    try:
        rows = rows_of(home[index]) if index in home else {}
    except ValueError:
        rows = None
        yield index
    named = {f"{folder}/{token(name)}.json": digest for name, digest in (rows or {}).items()}
    for path in home.below(folder):
        if path == index:
            continue
        if not is_artifact(home[path]):
            yield path
        if rows is not None and path not in named:
            yield path
        elif rows is not None and named[path] != sha256(home[path]):
            yield index
    for path in named:
        if path not in home:
            yield index


def is_artifact(text):
    try:
        value = read(text)
    except ValueError:
        return False
    if not isinstance(value, dict) or set(value) != {"contract_version", "schema_version", "name", "content"}:
        return False
    if any(True for _ in without_form(value, "")) or isinstance(value["name"], Banned):
        return False
    return text == octets("trace_artifact/v1", name=value["name"], content=value["content"])
