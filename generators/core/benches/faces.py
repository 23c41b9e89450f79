#!/usr/bin/env python3
"""What a package that verifies costs against the same verifier as native code: 10,000 small questions, and one of 10 MB.

Small: `canon.bytes` of a record of about 400 bytes. Large: `sovereign.compare` in law mode of two bundles with 700 turns each. Each
program asks them in its own process, begins to count after a question that is not counted, and says what came out, which has to be the
same everywhere. They run interleaved, so that a busy machine slows all of them; nothing is asserted about a time.

    .ci/core && cargo build --release -p assize && cargo build --release -p assize-core --benches
    RUSTFLAGS='--cfg sha2_backend="soft"' CARGO_TARGET_DIR=target/soft cargo build --release -p assize-core --benches
    python3 generators/core/benches/faces.py [--runs 7]

The second build has no instructions of the processor for SHA-256, as WebAssembly has none; the package for C++ is native code and has them.
Needs Node.js, npm, Go, a JDK, Maven, CMake and a C++ compiler; npm, Go and Maven fetch what the packages need the first time. A package that
compiles the core is built in target/core/cost, and needs minutes for it the first time.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path.append(os.path.join(ROOT, "conformance/benches"))

from compare import make_pair  # noqa: E402
from processes import newest  # noqa: E402

RECORD = (
    '{"tool_name": "fs", "action": "write", "stage": "capability", "ordinal": %d, "rate": %d.50, "turn_id": "turn-%06d", '
    '"decision_id": "%064x", "outcome": "allowed", "deny_code": null, "reason": "\\u00dcbergr\\u00f6\\u00dfe", '
    '"provenance": {"policy_source": "policy://default", "policy_digest": "%064x", "rule_id": "rule-%d"}}'
)

NODE = """
import { readdirSync, readFileSync } from "node:fs";
import { canonBytes, sovereignCompare } from "./dist/verifier/index.js";
const folder = process.argv[2];
const small = readFileSync(`${folder}/small.jsonl`, "utf8").trimEnd().split("\\n");
const files = {};
for (const side of ["a", "b"]) {
  for (const name of readdirSync(`${folder}/${side}`)) {
    files[`${side}/${name}`] = readFileSync(`${folder}/${side}/${name}`);
  }
}
const bundle = (side) => readFileSync(`${folder}/${side}.json`);
const request = { mode: "law", bundleA: bundle("a"), bundleB: bundle("b"), files };
canonBytes({ profile: "rfc8785", doc: "1" });
const timed = (run) => {
  const began = process.hrtime.bigint();
  const out = run();
  return [Number(process.hrtime.bigint() - began) / 1e9, out];
};
const [smallTime, accepted] = timed(() => small.filter((doc) => canonBytes({ profile: "rfc8785", doc }).is === "accept").length);
const [largeTime, said] = timed(() => sovereignCompare(request));
const report = Buffer.byteLength(said.out.report);
console.log(JSON.stringify({ small: smallTime, large: largeTime, accepted, report }));
"""

GO = """package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"example.com/conformance/verifier"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	ctx, folder := context.Background(), os.Args[1]
	core := must(verifier.New(ctx))
	small := bytes.Split(bytes.TrimSpace(must(os.ReadFile(folder+"/small.jsonl"))), []byte("\\n"))
	files := verifier.Files{}
	for _, side := range []string{"a", "b"} {
		for _, path := range must(filepath.Glob(folder + "/" + side + "/*")) {
			files[side+"/"+filepath.Base(path)] = verifier.Entry{Bytes: must(os.ReadFile(path))}
		}
	}
	request := verifier.SovereignCompareRequest{Mode: "law", Files: files}
	request.BundleA, request.BundleB = must(os.ReadFile(folder+"/a.json")), must(os.ReadFile(folder+"/b.json"))
	must(core.CanonBytes(ctx, verifier.CanonBytesRequest{Profile: "rfc8785", Doc: []byte("1")}))
	began := time.Now()
	accepted := 0
	for _, doc := range small {
		if _, err := core.CanonBytes(ctx, verifier.CanonBytesRequest{Profile: "rfc8785", Doc: doc}); err == nil {
			accepted++
		}
	}
	smallTime := time.Since(began).Seconds()
	began = time.Now()
	said := must(core.SovereignCompare(ctx, request))
	largeTime := time.Since(began).Seconds()
	fmt.Printf(`{"small": %f, "large": %f, "accepted": %d, "report": %d}`+"\\n", smallTime, largeTime, accepted, len(said.Report))
}
"""

JAVA = r"""
import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.example.conformance.verifier.Entry;
import org.example.conformance.verifier.Requests;
import org.example.conformance.verifier.Verifier;

public final class Cost {
  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    List<String> small = Files.readAllLines(folder.resolve("small.jsonl"));
    Map<String, Entry> files = new LinkedHashMap<>();
    for (String side : new String[] {"a", "b"}) {
      try (var inside = Files.list(folder.resolve(side))) {
        for (Path path : (Iterable<Path>) inside::iterator) {
          files.put(side + "/" + path.getFileName(), new Entry.File(Files.readAllBytes(path)));
        }
      }
    }
    byte[] a = Files.readAllBytes(folder.resolve("a.json"));
    byte[] b = Files.readAllBytes(folder.resolve("b.json"));
    try (Verifier verifier = new Verifier()) {
      verifier.canonBytes(new Requests.CanonBytes("rfc8785", new byte[] {'1'}));
      long began = System.nanoTime();
      int accepted = 0;
      for (String doc : small) {
        verifier.canonBytes(new Requests.CanonBytes("rfc8785", doc.getBytes(UTF_8)));
        accepted++;
      }
      double smallTime = (System.nanoTime() - began) / 1e9;
      began = System.nanoTime();
      var said = verifier.sovereignCompare(new Requests.SovereignCompare("law", a, b).withFiles(files));
      double largeTime = (System.nanoTime() - began) / 1e9;
      int report = said.report().getBytes(UTF_8).length;
      System.out.println(
          "{\"small\": " + smallTime + ", \"large\": " + largeTime + ", \"accepted\": " + accepted + ", \"report\": " + report + "}");
    }
  }
}
"""


CPP = r"""
#include <conformance/verifier.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>

namespace fs = std::filesystem;
namespace verifier = conformance::verifier;

std::string content(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

double since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

int main(int, char **arguments) {
  const fs::path folder = arguments[1];
  std::istringstream lines(content(folder / "small.jsonl"));
  std::vector<std::string> small;
  for (std::string line; std::getline(lines, line);)
    small.push_back(line);
  std::map<std::string, std::string> held;
  for (const char *side : {"a", "b"})
    for (const auto &entry : fs::directory_iterator(folder / side))
      held[std::string(side) + "/" + entry.path().filename().string()] = content(entry.path());
  const std::string a = content(folder / "a.json"), b = content(folder / "b.json");
  verifier::SovereignCompareRequest large;
  large.mode = verifier::SovereignCompareMode::law;
  large.bundle_a = a;
  large.bundle_b = b;
  for (const auto &[path, bytes] : held)
    large.files.emplace(path, verifier::File{bytes});
  const auto canonical = [](std::string_view doc) {
    verifier::CanonBytesRequest request;
    request.profile = verifier::CanonBytesProfile::rfc8785;
    request.doc = doc;
    return std::holds_alternative<verifier::CanonBytesAccepted>(verifier::canon_bytes(request));
  };
  canonical("1");
  auto began = std::chrono::steady_clock::now();
  int accepted = 0;
  for (const std::string &doc : small)
    accepted += canonical(doc);
  const double small_time = since(began);
  began = std::chrono::steady_clock::now();
  const auto said = verifier::sovereign_compare(large);
  const double large_time = since(began);
  const auto report = std::get<verifier::SovereignCompareAccepted>(said).report.text.size();
  std::printf("{\"small\": %f, \"large\": %f, \"accepted\": %d, \"report\": %zu}\n", small_time, large_time, accepted, report);
}
"""


def emitted(assize, core, language, folder):
    place = os.path.join(folder, language)
    words = [assize, "emit", "--what", "verifier", "--lang", language, "--core", core, "--out", place, "--laws", "canon/i-json"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    return place


def typescript(assize, core, folder):
    place = emitted(assize, core, "typescript", folder)
    for words in (["npm", "install", "--silent", "--no-audit", "--no-fund"], ["npm", "run", "--silent", "build"]):
        subprocess.run(words, cwd=place, check=True, stdout=subprocess.DEVNULL)
    write(os.path.join(place, "cost.mjs"), NODE)
    return ["node", os.path.join(place, "cost.mjs")]


def go(assize, core, folder):
    place = emitted(assize, core, "go", folder)
    os.makedirs(os.path.join(place, "cmd/cost"))
    write(os.path.join(place, "cmd/cost/main.go"), GO)
    subprocess.run(["go", "build", "-o", "cost", "./cmd/cost"], cwd=place, check=True)
    return [os.path.join(place, "cost")]


def java(assize, core, folder):
    place = emitted(assize, core, "java", folder)
    write(os.path.join(place, "Cost.java"), JAVA)
    subprocess.run(["mvn", "-B", "-q", "compile"], cwd=place, check=True)
    subprocess.run(["javac", "-cp", "target/classes", "-d", "target/cost", "Cost.java"], cwd=place, check=True)
    parts = [os.path.join(place, "target", part) for part in ("cost", "classes", "lib/*")]
    return ["java", "-XX:-DontCompileHugeMethods", "-cp", os.pathsep.join(parts), "Cost"]


def cpp(assize, _, folder):
    place, built = emitted(assize, os.path.join(ROOT, "target/core/sources"), "cpp", folder), os.path.join(folder, "built")
    environment = os.environ | {"CARGO_TARGET_DIR": os.path.join(ROOT, "target/core/cost")}
    for words in (["cmake", "-S", place, "-B", built, "-DASSIZE_TESTS=OFF"], ["cmake", "--build", built]):
        subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)
    write(os.path.join(folder, "cost.cpp"), CPP)
    words = ["c++", "-std=c++17", "-O2", "-I", os.path.join(place, "include"), "-o", os.path.join(folder, "cost")]
    library = os.path.join(built, "lib/libconformance.a")
    subprocess.run([*words, os.path.join(folder, "cost.cpp"), library, "-lpthread", "-ldl", "-lm"], check=True)
    return [os.path.join(folder, "cost")]


def write(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--assize", default=os.path.join(ROOT, "target/release/assize"))
    options = parser.parse_args()
    core = os.path.join(ROOT, "target/core/assize-core.wasm")
    native = {
        "native, SHA instructions": [newest(os.path.join(ROOT, "target/release/deps/native-*"))],
        "native, none": [newest(os.path.join(ROOT, "target/soft/release/deps/native-*"))],
    }
    with tempfile.TemporaryDirectory() as folder:
        makers = {"TypeScript in Node.js": typescript, "Go": go, "Java": java, "C++": cpp}
        programs = native | {name: make(options.assize, core, folder) for name, make in makers.items()}
        questions = os.path.join(folder, "questions")
        os.makedirs(questions)
        make_pair(questions, 700, 0.03)
        records = (RECORD % (n, n, n % 1000, n, n * 7, n % 99) for n in range(10_000))
        write(os.path.join(questions, "small.jsonl"), "".join(f"{record}\n" for record in records))
        times, answers = {name: [] for name in programs}, set()
        for _ in range(options.runs):
            for name, words in programs.items():
                said = json.loads(subprocess.run([*words, questions], check=True, stdout=subprocess.PIPE).stdout)
                times[name].append((said["small"], said["large"]))
                answers.add((said["accepted"], said["report"]))
    if len(answers) != 1:
        sys.exit(f"answers differ: {answers}")
    print(f"{'':26}{'10,000 small':>14}{'against native':>24}{'10 MB':>12}{'against native':>24}")
    for name, rows in times.items():
        print(f"{name:26}", end="")
        for kind in (0, 1):
            ratios = sorted(row[kind] / base[kind] for row, base in zip(rows, times["native, none"]))
            median = statistics.median(row[kind] for row in rows) * 1000
            spread = f"{ratios[0]:.2f} {statistics.median(ratios):.2f} {ratios[-1]:.2f}"
            print(f"{median:>{11 if kind == 0 else 9}.0f} ms{spread:>24}", end="")
        print()
    print("\nratios to `native, none`: minimum, median, maximum of each round")


main()
