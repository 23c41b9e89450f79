"""A second source for the episode system: makes packs, and looks whether a pack is one. See `episode_values.py`.

Nothing of it was written with an eye on the verifier, nor on the builder of the packs among the vectors. A pack is a dictionary of bytes
by path. What it makes has other ids, reports and reasons than another maker's; what is wrong with a pack is told in words.
"""

import base64
import json

from episode_contract import hashes, keeps, order, phase_1
from episode_values import H, Rejected, canonical, is_hash, is_rfc_3339, octets_of, public_key, read, sha256, sign, verifies

UNHASHED = ("receipt_hash", "signature")
UNHASHED_HEAD = (*UNHASHED, "signatures", "cose_signature", "anchor")
LISTED = ("receipt_pack.jsonl", "verify_report.json", "verify_transcript.md")


def unsafe(name, ending=""):
    """Whether a name leads elsewhere than to a file below its folder."""
    parts = name.split("/")
    return name.startswith("/") or ".." in parts or "\0" in name or (name + ending).split("/")[-1] == "" or plain(name + ending) == ""


def plain(path):
    return "/".join(part for part in path.split("/") if part not in ("", "."))


def make(contract_text, files, now, key):
    """`episode.pack`: what is answered, and the pack. `files` is what lies in the folder, nothing standing for a folder."""
    try:
        made = Episode(contract_text, files, now, key)
    except Rejected as why:
        return {"is": "reject", "codes": why.codes}, None
    return {"is": "accept", "out": hashes(made.contract)}, made


class Episode:
    """An episode that was recorded: its steps with what became of them."""

    def __init__(self, contract_text, files, now, key):
        self.now, self.seed = now, octets_of(key, 32)
        if not is_rfc_3339(now) or self.seed is None:
            raise Rejected("A_INPUT")
        self.text, self.contract = contract_text, phase_1(contract_text)
        self.steps = self.contract["replay_script"]["steps"]
        self.files = files
        names = [item["ref"] for item in self.contract["inputs"]]
        if any(map(unsafe, names)) or any(unsafe(step["step_id"], ".json") for step in self.steps):
            raise Rejected("episode/path-safety")
        self.check_names(set(names))
        self.inputs = {item["ref"]: self.input(item) for item in self.contract["inputs"]}
        self.status, self.output = {}, {}
        for step in order(self.steps):
            self.run(step)
        self.check_traces()

    def check_traces(self):
        """No pack holds two traces in one file, nor a file and a folder of one name."""
        traces = {}
        for name, digest in self.output_hashes().items():
            if digest is not None and traces.setdefault(plain(name + ".json"), digest) != digest:
                raise Rejected("episode/path-safety")
        if any(one.startswith(other + "/") for one in traces for other in traces):
            raise Rejected("episode/path-safety")

    def check_names(self, inputs):
        known = {step["step_id"] for step in self.steps}
        for step in self.steps:
            params = step["params"]
            if params.get("ref", next(iter(inputs))) not in inputs or params.get("target", next(iter(known))) not in known:
                raise Rejected("episode/completeness")

    def file(self, path):
        octets = self.files.get(plain(path))
        if octets is None:
            raise Rejected("episode/completeness")
        return octets

    def input(self, item):
        octets = self.file("inputs/" + item["ref"])
        if item["hash"] != "sha256:" + sha256(octets):
            raise Rejected("episode/completeness")
        return octets

    def run(self, step):
        name, params = step["step_id"], step["params"]
        if any(self.status[other] != "PASS" for other in step["depends_on"]):
            self.status[name] = "SKIPPED"
            return
        self.status[name] = "PASS"
        if step["opcode"] == "ASSERT_HASH":
            target = params["target"]
            holds = target in self.output and H(self.output[target]) == params["expected_hash"]
            self.output[name] = {"assertion_passed": holds}
            self.status[name] = "PASS" if holds else "FAIL"
            return
        self.output[name] = self.recorded(step)
        if step["opcode"] == "EMIT_OUTPUT" and not keeps(self.output[name], step.get("output_schema", {})):
            self.status[name] = "FAIL"

    def recorded(self, step):
        if step["opcode"] == "LOAD_INPUT":
            try:
                return read(self.inputs[step["params"]["ref"]])
            except Rejected:
                pass
        try:
            return read(self.file("outputs/" + step["step_id"] + ".json"))
        except Rejected:
            raise Rejected("episode/completeness") from None

    def output_hashes(self):
        return {step["step_id"]: H(self.output[step["step_id"]]) if step["step_id"] in self.output else None for step in self.steps}

    def receipts(self):
        derived, own, status = hashes(self.contract), self.output_hashes(), self.status
        both = {"episode_id": self.contract["episode_id"], "comparator_tier": "A"}
        ends = {**both, "episode_spec_hash": derived["episode_spec_hash"], "replay_basis": "recorded_trace"}
        opened = {**ends, **derived, "objective": self.contract.get("objective"), "n_steps": len(self.steps)}
        payloads = [("rce.episode_open/v0", opened)]
        for step in order(self.steps):
            name, ran = step["step_id"], status[step["step_id"]] != "SKIPPED"
            payload = {
                **both,
                "step_id": name,
                "opcode": step["opcode"],
                "step_status": status[name],
                "input_hashes": [own[other] for other in step["depends_on"]] if ran else [],
                "output_hash": own[name],
                "output_size_bytes": len(canonical(self.output[name])) if ran else 0,
                "duration_ms": 0,
            }
            if step["opcode"] == "ASSERT_HASH" and ran:
                payload["assertion_passed"] = status[name] == "PASS"
            payloads.append(("rce.episode_step/v0", payload))
        closing = {
            **ends,
            "outputs_hash": outputs_hash(self.steps, status, own),
            "n_steps_executed": sum(one != "SKIPPED" for one in status.values()),
            "n_steps_passed": sum(one == "PASS" for one in status.values()),
            "all_steps_passed": set(status.values()) == {"PASS"},
        }
        payloads.append(("rce.episode_close/v0", closing))
        receipts, parents = [], []
        for place, (kind, payload) in enumerate(payloads):
            envelope = {
                "receipt_id": f"r_second_source_{place}",
                "receipt_type": kind,
                "ts": self.now,
                "payload": payload,
                "schema_version": "crs/0.1",
                "proof_tier": "core",
                "parent_hashes": parents,
            }
            envelope["receipt_hash"] = H(envelope)
            parents = [envelope["receipt_hash"]]
            receipts.append(envelope)
        return receipts

    def pack(self):
        """The files of the pack."""
        receipts = self.receipts()
        lines = b"".join(canonical(receipt) + b"\n" for receipt in receipts)
        files = {LISTED[0]: lines, LISTED[1]: b"{}\n", LISTED[2]: b"# Made by the second source\n"}
        suite, claims = sha256(b"episode"), sha256(b"none")
        attestation = {
            "pack_format_version": "0.1.0",
            "fingerprint_version": 1,
            "pack_id": "pack_second_source",
            "run_id": "run_second_source",
            "suite_id": "episode",
            "suite_hash": suite,
            "verifier_version": "0",
            "canon_version": "jcs-rfc8785",
            "canon_impl": "second source",
            "canon_impl_version": "0",
            "policy_hash": sha256(b"default-policy-v0"),
            "claim_set_id": "none",
            "claim_set_hash": claims,
            "receipt_integrity": "PASS",
            "claim_check": "N/A" if set(self.status.values()) == {"PASS"} else "FAIL",
            "assurance_level": "L0",
            "proof_tier": "signed-pack",
            "mode": "shadow",
            "head_hash": sha256(canonical(without(receipts[-1], UNHASHED_HEAD))),
            "head_hash_algorithm": "last-receipt-digest-v0",
            "time_authority": "local_clock",
            "n_receipts": len(receipts),
            "timestamp_start": self.now,
            "timestamp_end": self.now,
        }
        public = public_key(self.seed)
        manifest = {
            "pack_id": "pack_second_source",
            "pack_version": "0.1.0",
            "manifest_version": "1.0.0",
            "hash_alg": "sha256",
            "attestation": attestation,
            "attestation_sha256": sha256(canonical(attestation)),
            "suite_hash": suite,
            "claim_set_id": "none",
            "claim_set_hash": claims,
            "receipt_count_expected": len(receipts),
            "files": [{"path": path, "sha256": sha256(files[path]), "bytes": len(files[path])} for path in LISTED],
            "expected_files": [*LISTED, "pack_manifest.json", "pack_signature.sig"],
            "signer_id": "second-source",
            "signer_pubkey": base64.b64encode(public).decode(),
            "signer_pubkey_sha256": sha256(public),
            "signature_alg": "ed25519",
            "signature_scope": "JCS(pack_manifest_excluding_signature_and_pack_root_sha256)",
        }
        signature = sign(self.seed, canonical(manifest))
        manifest["signature"] = base64.b64encode(signature).decode()
        manifest["pack_root_sha256"] = manifest["attestation_sha256"]
        files["pack_manifest.json"] = json.dumps(manifest, indent=1).encode()
        files["pack_signature.sig"] = signature
        files["episode_contract.json"] = self.text
        for name, octets in self.inputs.items():
            files[plain("inputs/" + name)] = octets
        for name, value in self.output.items():
            files[plain("recorded_traces/" + name + ".json")] = canonical(value)
        return files


def outputs_hash(steps, status, own):
    passed = (step["step_id"] for step in steps if step["opcode"] == "EMIT_OUTPUT" and status[step["step_id"]] == "PASS")
    return H([{"step_id": name, "output_hash": own[name]} for name in sorted(passed)])


def without(members, names):
    return {name: member for name, member in members.items() if name not in names}


# Looking at a pack


def faults(made, pack):
    """What is wrong with a pack of an episode, in words: nothing, if it is one."""
    try:
        return Look(made, pack).faults
    except (KeyError, TypeError, AttributeError, IndexError, Rejected) as why:
        return [f"the pack cannot be read: {why!r}"]


class Look:
    def __init__(self, made, pack):
        self.made, self.pack, self.faults = made, pack, []
        manifest = read(pack["pack_manifest.json"])
        receipts = [read(line) for line in pack[LISTED[0]].split(b"\n") if line]
        self.container(manifest, receipts)
        self.chain(receipts)
        self.episode([(kind(receipt), payload(receipt)) for receipt in receipts])

    def same(self, what, found, wanted):
        if found != wanted or type(found) is not type(wanted):
            self.faults.append(f"{what}: {found!r}, not {wanted!r}")

    def container(self, manifest, receipts):
        attestation = manifest["attestation"]
        for entry in manifest["files"]:
            self.same(entry["path"], sha256(self.pack[entry["path"]]), entry["sha256"])
        self.same("listed files", {entry["path"] for entry in manifest["files"]} >= set(LISTED), True)
        self.same("expected files", set(manifest["expected_files"]) <= set(self.pack), True)
        digest = sha256(canonical(attestation))
        self.same("attestation_sha256", manifest["attestation_sha256"], digest)
        self.same("pack_root_sha256", manifest["pack_root_sha256"], digest)
        self.same("receipts", (manifest["receipt_count_expected"], attestation["n_receipts"]), (len(receipts),) * 2)
        self.same("head_hash", attestation["head_hash"], sha256(canonical(without(receipts[-1], UNHASHED_HEAD))))
        self.same("receipt_integrity", attestation["receipt_integrity"], "PASS")
        times = (attestation["timestamp_start"], attestation["timestamp_end"])
        self.same("the times of the attestation", times, (self.made.now,) * 2)
        public = public_key(self.made.seed)
        self.same("the signer", manifest["signer_pubkey"], base64.b64encode(public).decode())
        self.same("signer_pubkey_sha256", manifest["signer_pubkey_sha256"], sha256(public))
        signature = octets_of(manifest["signature"], 64)
        self.same("the detached signature", self.pack["pack_signature.sig"], signature)
        signed = canonical(without(manifest, ("signature", "pack_root_sha256")))
        self.same("the signature", verifies(public, signed, signature), True)

    def chain(self, receipts):
        known = {H(without(receipt, UNHASHED)) for receipt in receipts}
        self.same("receipt ids", len({receipt["receipt_id"] for receipt in receipts}), len(receipts))
        for receipt in receipts:
            self.same("parents", set(receipt["parent_hashes"]) <= known, True)
            if "receipt_hash" in receipt:
                self.same("receipt_hash", receipt["receipt_hash"], H(without(receipt, UNHASHED)))
            for name in ("timestamp", "ts"):
                self.same("a time", receipt.get(name, self.made.now), self.made.now)
            if kind(receipt) == "rce.episode_open/v0":
                self.same("the parents of the first", receipt["parent_hashes"], [])

    def episode(self, payloads):
        made, derived, own = self.made, hashes(self.made.contract), self.made.output_hashes()
        self.same("contract", read(self.pack["episode_contract.json"]), made.contract)
        for name, octets in made.inputs.items():
            self.same(f"the input {name!r}", self.pack[plain("inputs/" + name)], octets)
        (opened,) = (payload for name, payload in payloads if name == "rce.episode_open/v0")
        (closing,) = (payload for name, payload in payloads if name == "rce.episode_close/v0")
        steps = [payload for name, payload in payloads if name == "rce.episode_step/v0"]
        for name, value in {**derived, "n_steps": len(made.steps)}.items():
            self.same(name, opened[name], value)
        self.same("objective", opened.get("objective"), made.contract.get("objective"))
        for end in (opened, closing):
            self.same("episode_spec_hash", end["episode_spec_hash"], derived["episode_spec_hash"])
            self.same("replay_basis", end["replay_basis"], "recorded_trace")
        for one in (opened, closing, *steps):
            self.same("episode_id", one["episode_id"], made.contract["episode_id"])
            self.same("comparator_tier", one["comparator_tier"], "A")
        self.same("steps", sorted(step["step_id"] for step in steps), sorted(own))
        by_name = {step["step_id"]: step for step in made.steps}
        for told in steps:
            self.step(by_name[told["step_id"]], told, own)
        statuses = made.status.values()
        self.same("outputs_hash", closing["outputs_hash"], outputs_hash(made.steps, made.status, own))
        self.same("n_steps_executed", closing["n_steps_executed"], sum(one != "SKIPPED" for one in statuses))
        self.same("n_steps_passed", closing["n_steps_passed"], sum(one == "PASS" for one in statuses))
        self.same("all_steps_passed", closing["all_steps_passed"], set(statuses) == {"PASS"})

    def step(self, step, told, own):
        name, status = step["step_id"], self.made.status[step["step_id"]]
        ran = status != "SKIPPED"
        self.same(f"the status of {name!r}", told["step_status"], status)
        self.same(f"the opcode of {name!r}", told["opcode"], step["opcode"])
        self.same(f"the output of {name!r}", told["output_hash"], own[name])
        self.same(f"the inputs of {name!r}", told["input_hashes"], [own[other] for other in step["depends_on"]] if ran else [])
        if ran:
            self.same(f"the hash of {name!r}", is_hash(told["output_hash"]), True)
            self.same(f"the trace of {name!r}", H(read(self.pack[plain("recorded_traces/" + name + ".json")])), own[name])
        else:
            self.same(f"the cost of {name!r}", (told["output_size_bytes"], told["duration_ms"]), (0, 0))
        if step["opcode"] == "ASSERT_HASH" and ran:
            self.same(f"the assertion of {name!r}", told["assertion_passed"], status == "PASS")
        for count in ("output_size_bytes", "duration_ms"):
            self.same(f"{count} of {name!r}", type(told[count]), int)


def kind(receipt):
    return receipt.get("type", receipt.get("receipt_type"))


def payload(receipt):
    return receipt["payload"] if isinstance(receipt.get("payload"), dict) else receipt
