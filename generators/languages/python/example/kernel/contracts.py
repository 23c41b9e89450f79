"""The contracts that a comparison holds its inputs to: the bundle, and the decision record."""

from kernel.shape import DIGEST, anything, array, both, cases, closed, natural, one_of, text

KERNEL_VERSION = "kernel_api/v1"
BUNDLE_VERSION = "replay_bundle/v1"

digest = text(DIGEST.pattern)
error_code = "E_[A-Z0-9_]+"
info_code = "I_[A-Z0-9_]+"
null = one_of(None)

BUNDLE = closed(
    {
        "contract_version": one_of(BUNDLE_VERSION),
        "run_envelope": closed({"run_id": text(), "workflow_id": text()}),
        "registry_digest": digest,
        "digests": closed(
            {
                "policy_digest": digest,
                "runtime_profile_digest": digest,
                "contract_registry_snapshot_digest": digest,
            }
        ),
        "turn_results": array(
            closed({"turn_id": text(), "turn_result_digest": digest, "paths": array(text(), least=1)})
        ),
    }
)

DECISION_RECORD = both(
    closed(
        {
            "contract_version": one_of(KERNEL_VERSION),
            "decision_id": digest,
            "run_id": text(),
            "turn_id": text(),
            "tool_name": text(),
            "action": text(),
            "ordinal": natural,
            "stage": one_of("capability"),
            "outcome": one_of("allowed", "denied", "skipped", "unresolved"),
            "deny_code": text(error_code, nullable=True),
            "info_code": text(info_code, nullable=True),
            "reason": one_of(None, "policy_disabled", "module_missing", "enforcement_off"),
            "provenance": closed({"policy_source": text(), "policy_digest": digest, "rule_id": text()}, nullable=True),
        }
    ),
    cases(
        "outcome",
        {
            "allowed": {"deny_code": null, "info_code": null, "reason": null, "provenance": anything},
            "denied": {"deny_code": text(error_code), "info_code": null, "reason": null, "provenance": null},
            "skipped": {"deny_code": null, "info_code": one_of("I_CAPABILITY_SKIPPED"), "provenance": null},
            "unresolved": {
                "deny_code": one_of("E_CAPABILITY_NOT_RESOLVED"),
                "info_code": null,
                "reason": null,
                "provenance": null,
            },
        },
    ),
)
