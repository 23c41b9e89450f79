"""The hashes of an episode contract: RFC 8785 digests of the parts that make it the episode it is."""

from __future__ import annotations

from dataclasses import dataclass

from kernel.canonical import PACK_PROFILE, canonical, digest
from kernel.errors import Refusal
from kernel.reader import EPISODE, read
from kernel.shape import anything, array, both, cases, closed, faults, one_of, text, values
from kernel.tree import Object, Value

ENVIRONMENT = ("provider", "model_id", "tool_versions", "container_digest")

prefixed = text("sha256:[0-9a-f]{64}")
optional_text = text(nullable=True)

STEP = both(
    closed(
        {
            "step_id": text(),
            "opcode": one_of("LOAD_INPUT", "ASSERT_HASH", "APPLY_TRANSFORM", "EMIT_OUTPUT"),
            "params": anything,
            "depends_on": array(text(), unique=True),
        },
        {"output_schema": anything},
    ),
    cases(
        "opcode",
        {
            "LOAD_INPUT": {"params": closed({"ref": text()})},
            "ASSERT_HASH": {"params": closed({"target": text(), "expected_hash": prefixed})},
            "APPLY_TRANSFORM": {
                "params": closed(
                    {"transform": text()},
                    {
                        "provider": text(),
                        "model_id": text(),
                        "config_hash": prefixed,
                        "system_fingerprint": optional_text,
                    },
                )
            },
            "EMIT_OUTPUT": {"params": closed({"claim_type": text(), "output_ref": text()})},
        },
    ),
)

CONTRACT = closed(
    {
        "schema_version": one_of("rce/0.1"),
        "episode_id": text("ep_[0-9a-f]{24}"),
        "inputs": array(closed({"ref": text(), "hash": prefixed}, {"media_type": text()}), least=1),
        "replay_script": closed({"schema_version": one_of("replay_script/0.1"), "steps": array(STEP, least=1)}),
        "replay_policy": closed(
            {"replay_basis": one_of("recorded_trace"), "comparator_tier": one_of("A")},
            {"comparator_tiers_by_step": values(one_of("A"))},
        ),
        "environment": closed(
            {
                "env_fingerprint_hash": prefixed,
                "provider": text(),
                "model_id": text(),
                "tool_versions": values(text()),
                "container_digest": optional_text,
            },
            {"model_version_hint": optional_text, "system_fingerprint": optional_text},
        ),
    },
    {"objective": text()},
)


@dataclass(frozen=True)
class Hashes:
    """The hashes that derive from a contract alone."""

    episode_spec: str
    env_fingerprint: str
    inputs: str
    script: str


def hashes(document: bytes) -> Hashes:
    """Derives the hashes of a contract of the right shape; the fingerprint it declares is not judged."""
    contract = read(document, EPISODE)
    # A value without canonical form is refused as that, whatever its shape.
    canonical(contract, PACK_PROFILE)
    found = faults(CONTRACT, contract)
    if found or not isinstance(contract, Object):
        raise Refusal("A_SCHEMA", "; ".join(f"{place}: {message}" for place, message in found[:5]))
    members = dict(contract.pairs)
    environment = members["environment"]
    assert isinstance(environment, Object)  # the shape demands it
    identity = Object([pair for pair in environment.pairs if pair[0] in ENVIRONMENT])
    view = {name: members[name] for name in ("inputs", "replay_script", "replay_policy")}
    return Hashes(
        episode_spec=_prefixed(Object([*view.items(), ("environment", identity)])),
        env_fingerprint=_prefixed(identity),
        inputs=_prefixed(members["inputs"]),
        script=_prefixed(members["replay_script"]),
    )


def _prefixed(value: Value) -> str:
    """A digest as the episode layer spells it."""
    return f"sha256:{digest(value, PACK_PROFILE)}"
