#!/usr/bin/env python3
"""Sweeps many artefacts: how fast against the floor, how much memory, what of planted damage is found, and what a kill costs.

The floor reads the same files once and hashes them with SHA-256 of the `sha2` crate, on as many cores. Artefacts are small pairs of
bundles, packs of two steps and ledgers of twenty records, made by the generators that tests use; of every so many of a kind each
damage of that kind is done to one. A row is asserted to be lawful where nothing was planted and unlawful where something was;
times are facts about a machine.

    cargo build --release -p assize && cargo build --release -p assize-verifier --bench floor
    cargo build --release -p assize-packs --example fleet
    python3 conformance/benches/fleet.py [--pairs 1000000] [--packs 100000] [--ledgers 10000] [--every 10000] [--kills 30]

Sizes are a hundredth, a tenth and the whole of these, each kind by itself. Then a tenth of all kinds together is swept once without
disturbance and once with so many kills at random moments; both have to write the same rows. `--folder` keeps the artefacts there, and
uses those that it finds.

With `--archives tar`, `tar.gz`, `tar.zst` or `zip`, repeatable, the same artefacts are swept out of archives too, 32,000 in each, beside the same
floor: rows have to be those of the files. Needs only the standard library and a Unix with tar, for `tar.zst` with zstd.
"""

import argparse
import collections
import json
import math
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zipfile

from processes import RELEASE, cost, newest


def measured(words, ends=(0,)):
    """CPU seconds, wall seconds and megabytes of one run."""
    took = cost(words, ends=ends)
    return took.cpu, took.wall, took.megabytes


def made(place, maker, counts, every):
    """A folder with so many pairs, packs and ledgers."""
    if not os.path.isdir(place):
        # Made under another name and then renamed: a half-made fleet is never measured.
        making = f"{place}.part"
        shutil.rmtree(making, ignore_errors=True)
        subprocess.run([maker, making, *map(str, counts), str(every)], check=True)
        # The list of files names them where they lie.
        listing = os.path.join(making, "files.txt")
        with open(listing, encoding="utf-8") as file, open(f"{listing}.new", "w", encoding="utf-8") as moved:
            moved.writelines(line.replace(making, place, 1) for line in file)
        os.replace(f"{listing}.new", listing)
        os.rename(making, place)
    return place


# Folders in an archive; each holds 500 artefacts.
GROUP = 64


def archive(path, kind, place, shards):
    """These folders as one archive."""
    if kind == "zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as packed:
            for shard in shards:
                for folder, folders, files in os.walk(os.path.join(place, shard)):
                    folders.sort()
                    for name in sorted(files):
                        file = os.path.join(folder, name)
                        packed.write(file, os.path.relpath(file, place))
    else:
        how = {"tar": ["-cf"], "tar.gz": ["-czf"], "tar.zst": ["--zstd", "-cf"]}[kind]
        subprocess.run(["tar", *how, path, "-C", place, *shards], check=True)


def archived(place, kind):
    """A folder with the same artefacts in archives, and the manifest that leads into them."""
    packed = f"{place}-{kind}"
    if not os.path.isdir(packed):
        making = f"{packed}.part"
        shutil.rmtree(making, ignore_errors=True)
        os.makedirs(making)
        tops = (top for top in ("pairs", "packs", "ledgers") if os.path.isdir(os.path.join(place, top)))
        shards = [f"{top}/{name}" for top in tops for name in sorted(os.listdir(os.path.join(place, top)))]
        holds = {}
        for number in range(0, len(shards), GROUP):
            name, group = f"{number // GROUP:04}.{kind}", shards[number : number + GROUP]
            archive(os.path.join(making, name), kind, place, group)
            holds.update((shard, name) for shard in group)
        listed, moved = (os.path.join(folder, "manifest.jsonl") for folder in (place, making))
        with open(listed, encoding="utf-8") as file, open(moved, "w", encoding="utf-8") as into:
            for line in map(json.loads, file):
                line["paths"] = [f"{holds['/'.join(path.split('/')[:2])]}!/{path}" for path in line["paths"]]
                into.write(json.dumps(line) + "\n")
        shutil.copy(os.path.join(place, "planted.jsonl"), making)
        os.rename(making, packed)
    return packed


def same(of_files, of_archives):
    """Rows say the same but for where things are, and how long it took."""
    for one, other in zip(rows(of_files), rows(of_archives), strict=True):
        for row in (one, other):
            for name in ("id", "paths", "ms", "error", "help"):
                row.pop(name, None)
        if one != other:
            sys.exit(f"{of_archives}: {other}, where the files give {one}")


def rows(folder):
    with open(os.path.join(folder, "results.jsonl"), encoding="utf-8") as file:
        yield from map(json.loads, file)


def found(place, out):
    """What was found of each planted damage; every other row has to be lawful."""
    with open(os.path.join(place, "planted.jsonl"), encoding="utf-8") as file:
        planted = {planted["row"]: planted for planted in map(json.loads, file)}
    verdicts, false = collections.Counter(), []
    for row in rows(out):
        plant = planted.pop(row["row"], None)
        if (plant is None) != (row["exit_code"] == 0):
            false.append(row)
        if plant:
            verdicts[plant["kind"], plant["damage"], row["verdict"]] += 1
    if false or planted:
        sys.exit(f"{place}: {len(false)} rows are wrong, the first is {false[:1]}; without a row: {list(planted)[:5]}")
    return verdicts


def swept(binary, place, out):
    return [binary, "sweep", os.path.join(place, "manifest.jsonl"), "--out", out, "--quiet"]


def growth(binary, floor, maker, folder, chosen):
    """Each kind by itself, in three sizes."""
    print(f"{'kind':<16}{'artefacts':>10}{'CPU s':>9}{'wall s':>9}{'a second':>10}{'floor':>8}{'CPU/floor':>10}{'wall/floor':>11}{'exponent':>10}{'MB':>6}  planted, all found")
    for number, kind in enumerate(("pairs", "packs", "ledgers")):
        most, last = getattr(chosen, kind), {}
        for size in sorted({max(1, most // 100), max(1, most // 10), most}) if most else ():
            counts = [size if other == number else 0 for other in range(3)]
            fleet = made(os.path.join(folder, f"{kind}-{size}"), maker, counts, chosen.every)
            listing = ["--list", os.path.join(fleet, "files.txt")]
            # What is in the cache of the system is so for both.
            measured([floor, *listing])
            read, read_wall, _ = measured([floor, *listing])
            for way in ("", *chosen.archives):
                place = archived(fleet, way) if way else fleet
                out = os.path.join(folder, f"out-{way}")
                shutil.rmtree(out, ignore_errors=True)
                seconds, wall, megabytes = measured(swept(binary, place, out), (0, 1, 2, 3))
                planted = sum(found(place, out).values())
                if way:
                    same(os.path.join(folder, "out-"), out)
                before = last.get(way)
                exponent = f"{math.log(seconds / before[0]) / math.log(size / before[1]):.2f}" if before else ""
                print(
                    f"{f'{kind} {way}':<16}{size:>10,}{seconds:>9.2f}{wall:>9.2f}{size / wall:>10,.0f}{read_wall:>8.2f}{seconds / read:>10.2f}"
                    f"{wall / read_wall:>11.2f}{exponent:>10}{megabytes:>6.0f}  {planted}", flush=True,
                )
                last[way] = seconds, size
                if way and not chosen.folder:
                    shutil.rmtree(place)
            if not chosen.folder:
                shutil.rmtree(fleet)


def without_times(out):
    timeless = ({**row, "ms": 0} for row in rows(out))
    return [json.dumps(row, sort_keys=True) for row in timeless]


def killed(binary, maker, folder, chosen):
    """A sweep that is killed again and again writes what one writes that nobody disturbs."""
    counts = [max(1, count // 10) for count in (chosen.pairs, chosen.packs, chosen.ledgers)]
    every = max(20, chosen.every // 10)
    fleet = made(os.path.join(folder, f"all-{'-'.join(map(str, counts))}-{every}"), maker, counts, every)
    quiet, disturbed = (os.path.join(folder, name) for name in ("quiet", "disturbed"))
    for way in ("", *chosen.archives):
        place = archived(fleet, way) if way else fleet
        for out in (quiet, disturbed):
            shutil.rmtree(out, ignore_errors=True)
        _, wall, _ = measured(swept(binary, place, quiet), (0, 1, 2, 3))
        damages = sorted(found(place, quiet).items())
        if not way:
            print("\ndamage, by the verdict that it has")
            for (kind, damage, verdict), count in damages:
                print(f"  {kind:<10}{damage:<28}{verdict:<16}{count:>6}")
        rng, kills, there = random.Random(chosen.seed), 0, set()
        while kills < chosen.kills:
            process = subprocess.Popen(swept(binary, place, disturbed), stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            time.sleep(rng.uniform(0, 2 * wall / chosen.kills))
            if process.poll() is not None:
                sys.exit(f"the sweep had ended before the kill {kills + 1}: more artefacts, or fewer --kills")
            process.send_signal(signal.SIGKILL)
            process.wait()
            kills += 1
            results = os.path.join(disturbed, "results.jsonl")
            there.add(os.path.getsize(results) if os.path.exists(results) else 0)
        measured(swept(binary, place, disturbed), (0, 1, 2, 3))
        if without_times(quiet) != without_times(disturbed):
            sys.exit(f"the sweep of {place} that was killed wrote other rows")
        what = f"artefacts in {way}" if way else "artefacts"
        print(f"\n{sum(counts):,} {what}, killed {kills} times at {len(there)} lengths of the results: the same rows", flush=True)


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=1_000_000)
    options.add_argument("--packs", type=int, default=100_000)
    options.add_argument("--ledgers", type=int, default=10_000)
    options.add_argument("--every", type=int, default=10_000)
    options.add_argument("--kills", type=int, default=30)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--folder", help="where artefacts are made and kept; a temporary folder otherwise")
    options.add_argument("--archives", action="append", default=[], choices=("tar", "tar.gz", "tar.zst", "zip"))
    options.add_argument("--only", choices=("growth", "kills"))
    options.add_argument("--assize", default=os.path.join(RELEASE, "assize"))
    chosen = options.parse_args()
    binary, floor = newest(chosen.assize), newest(os.path.join(RELEASE, "deps", "floor-*"))
    maker = newest(os.path.join(RELEASE, "examples", "fleet"))
    folder = chosen.folder or tempfile.mkdtemp(prefix="assize-fleet-")
    os.makedirs(folder, exist_ok=True)
    folder = os.path.realpath(folder)
    try:
        if chosen.only != "kills":
            growth(binary, floor, maker, folder, chosen)
        if chosen.only != "growth":
            killed(binary, maker, folder, chosen)
    finally:
        if not chosen.folder:
            shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
