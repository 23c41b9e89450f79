"""A second source for the reply system, continued: registries, their revisions and what is used. See `reply.py`."""

import re

from reply import AREAS, LAYERS, NO_AREAS, SHAPE, STATUS, Report, answering, judge_code, owed, read, step


def is_texts(value):
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def is_mapping(value):
    return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())


def drop_nulls(report, holder, names):
    """Takes null for absent, which a ruling says of traces alone: another reader may refuse it."""
    for name in names if isinstance(holder, dict) else ():
        if name in holder and holder[name] is None:
            del holder[name]
            report.refusable = True


def check_registries(report, value):
    drop_nulls(report, value, ("used", "tools", "earlier"))
    owed(isinstance(value, dict) and isinstance(value.get("registries"), list) and value["registries"])
    for one in value["registries"]:
        drop_nulls(report, one, ("retired", "areas", "aliases"))
        owed(isinstance(one, dict) and isinstance(one.get("active"), list))
        for row in one["active"]:
            drop_nulls(report, row, ("message_key",))
            owed(isinstance(row, dict) and isinstance(row.get("code"), str) and isinstance(row.get("message_key", ""), str))
        owed(is_texts(one.get("retired", [])) and is_mapping(one.get("aliases", {})))
        areas = one.get("areas", [])
        owed(isinstance(areas, list))
        for area in areas:
            owed(isinstance(area, dict) and isinstance(area.get("area"), str))
            owed(area.get("document") is None or isinstance(area["document"], str))
    owed(is_texts(value.get("used", [])) and is_texts(value.get("tools", [])))
    earlier = value.get("earlier", [])
    owed(isinstance(earlier, list))
    for revision in earlier:
        drop_nulls(report, revision, ("retired",))
        owed(isinstance(revision, dict) and isinstance(revision.get("codes"), dict))
        # A code stays one of its revision though its key is null.
        report.refusable = report.refusable or None in revision["codes"].values()
        owed(all(key is None or isinstance(key, str) for key in revision["codes"].values()))
        owed(is_texts(revision.get("retired", [])))


def judge_legacy(report, code, pointer):
    """R18: whether the text before the first hyphen is not a layer; None where that is open. No ruling says whether a text that no layer
    could be makes a legacy code, as one in lower case or without a hyphen."""
    layer, hyphen, _ = code.partition("-")
    if hyphen and layer in LAYERS:
        return False
    if hyphen and re.fullmatch("[A-Z]+", layer):
        report.find("R18", pointer)
        return True
    report.leave("R18", pointer)
    return None


def is_declared(area):
    """Whether a declaration adds its area: it has a lawful name and a document."""
    return re.fullmatch("[A-Z]+", area["area"]) and area["area"] not in NO_AREAS and area.get("document")


def declared(one):
    return {area["area"] for area in one.get("areas", []) if is_declared(area)}


def judge_areas(report, one, tools, pointer):
    names = {name.lower() for tool in tools for name in ([tool, tool.partition("_")[2]] if "_" in tool else [tool])}
    for index, area in enumerate(one.get("areas", [])):
        place, name = f"{pointer}/areas/{index}", area["area"]
        if name in AREAS:
            continue
        if name.lower() in names:
            report.find("R09", place)
        if not area.get("document") or re.fullmatch("[A-Z]+", name) is None:
            report.find("R08", place)
        if name in NO_AREAS:
            report.find("R10", place)
            # It is not an area that could be registered either.
            report.leave("R08", place)


def judge_active(report, one, pointer):
    seen = set()
    for index, row in enumerate(one["active"]):
        place, code = f"{pointer}/active/{index}", row["code"]
        if judge_code(report, code, place, declared(one)) is not None:
            judge_fields(report, row, place)
        judge_legacy(report, code, place)
        if code in seen:
            report.find("R14", place)
        seen.add(code)
        if code in one.get("retired", []):
            report.find("R15", place)


def judge_fields(report, row, place):
    """The fields of a row against the segments of its code; a number may be written as its segment or as its value."""
    layer, area, kind, number = row["code"].split("-")
    unlike = set()
    for name, segment in {"layer": layer, "area": area, "type": kind, "number": number}.items():
        field = row.get(name, segment)
        if name == "number" and isinstance(field, float):
            # A fraction of zero may be an integer.
            report.leave("R37", place)
        elif field != segment and not (name == "number" and type(field) is int and field == int(segment)):
            unlike.add("R20" if name == "type" else "R37")
    for law in unlike:
        report.find(law, place)


def judge_aliases(report, one, pointer):
    for old, new in one.get("aliases", {}).items():
        place = step(f"{pointer}/aliases", old)
        if not judge_legacy(report, old, place):
            report.advise("R18", "an alias keeps an old code in use", place)
        # A retired code stays out of use, and an alias would bring it back into it.
        if not is_registered(new, one):
            report.find("R17", place)
        shapes = [SHAPE.fullmatch(name) for name in (old, new)]
        kinds = [shape[3] for shape in shapes if shape]
        if not set(kinds) <= set(STATUS):
            # Whether one of a type that there is not changes its type.
            report.leave("R20", place)
        elif len(set(kinds)) == 2:
            report.advise("R20", "the alias changes the type", place)


def judge_history(report, earlier, newest):
    """R15 over the revisions, the newest last."""
    if not earlier and not newest.get("retired"):
        report.advise("R15", "not checked: neither earlier revisions nor retired codes", "")
    revisions = []
    for index, revision in enumerate(earlier):
        codes = [(code, key, step(f"/earlier/{index}/codes", code)) for code, key in revision["codes"].items()]
        revisions.append((codes, revision.get("retired", [])))
    rows = enumerate(newest["active"])
    codes = [(row["code"], row.get("message_key"), f"/registries/0/active/{index}") for index, row in rows]
    revisions.append((codes, newest.get("retired", [])))

    # Message keys; codes that once had none; all that were ever active; those that are gone; those that came back and are listed
    # as retired all the same, of which it was told; those that were ever retired.
    keys, keyless, seen, gone, told, listed = {}, set(), set(), set(), set(), set()
    for codes, retired in revisions:
        present = set()
        for code, key, pointer in codes:
            if code in present or code in gone & told:
                # A repetition of a row, or of what was told: whether it is another change is open.
                report.leave("R15", pointer)
            elif code in gone:
                report.find("R15", pointer)
            elif key is not None and keys.get(code, key) != key:
                # What had no key in between may have had another meaning all along.
                report.leave("R15", pointer) if code in keyless else report.find("R15", pointer)
            present.add(code)
            keyless |= {code} if key is None else set()
            keys.update({} if key is None else {code: key})
        told = gone & present & set(retired)
        seen |= present
        gone = (gone | seen) - present | set(retired)
        listed |= set(retired)
    for code in sorted((seen & gone) - listed):
        report.advise("R15", "removed, and not listed as retired", "/earlier")


@answering
def registry(document):
    """`reply.registry`."""
    value, report = read(document), Report()
    check_registries(report, value)
    registries = value["registries"]
    for index, one in enumerate(registries):
        pointer = f"/registries/{index}"
        if index > 0:
            report.find("R16", pointer)
        judge_areas(report, one, value.get("tools", []), pointer)
        judge_active(report, one, pointer)
        judge_aliases(report, one, pointer)
    judge_history(report, value.get("earlier", []), registries[0])
    for index, code in enumerate(value.get("used", [])):
        place = f"/used/{index}"
        legacy, registered = judge_legacy(report, code, place), is_registered(code, registries[0])
        # A legacy code is out of use, whatever lists it.
        if legacy or not registered:
            report.find("R17", place)
        elif legacy is None:
            report.leave("R17", place)
        if SHAPE.fullmatch(code) is None:
            report.find("R05", place)
    return report.answer()


def is_registered(code, one):
    return code not in one.get("retired", []) and any(row["code"] == code for row in one["active"])


def judge_use(report, code, one, pointer):
    if not is_registered(code, one):
        report.find("R17", pointer)
