/** The contracts of the specification that a comparison binds its inputs to. */

import { memberText } from "../json/value.js";
import {
  all,
  array,
  matching,
  members,
  natural,
  nullable,
  object,
  oneOf,
  string,
  type Shape,
} from "../shape.js";

/** Contract 6: the law that a turn file's own shape falls under. */
export const TURN_LAW = "sovereign/contract-turn-result";

const digest = matching(/^[a-f0-9]{64}$/);
const errorCode = matching(/^E_[A-Z0-9_]+$/);
const infoCode = matching(/^I_[A-Z0-9_]+$/);
const absent = oneOf(null);

/** Contract 4. */
export const replayBundle = object({
  contract_version: oneOf("replay_bundle/v1"),
  run_envelope: object({ run_id: string, workflow_id: string }),
  registry_digest: digest,
  digests: object({
    policy_digest: digest,
    runtime_profile_digest: digest,
    contract_registry_snapshot_digest: digest,
  }),
  turn_results: array(
    object({ turn_id: string, turn_result_digest: digest, paths: array(string, 1) }),
  ),
});

const provenance = object({ policy_source: string, policy_digest: digest, rule_id: string });

const record = object({
  contract_version: oneOf("kernel_api/v1"),
  decision_id: digest,
  run_id: string,
  turn_id: string,
  tool_name: string,
  action: string,
  ordinal: natural,
  stage: oneOf("capability"),
  outcome: oneOf("allowed", "denied", "skipped", "unresolved"),
  deny_code: nullable(errorCode),
  info_code: nullable(infoCode),
  reason: oneOf(null, "policy_disabled", "module_missing", "enforcement_off"),
  provenance: nullable(provenance),
});

/** What an outcome asks of the other members. */
const conditions: Readonly<Record<string, Shape>> = {
  allowed: members({ provenance, deny_code: absent, info_code: absent, reason: absent }),
  denied: members({ deny_code: errorCode, info_code: absent, reason: absent, provenance: absent }),
  skipped: members({
    info_code: oneOf("I_CAPABILITY_SKIPPED"),
    deny_code: absent,
    provenance: absent,
  }),
  unresolved: members({
    deny_code: oneOf("E_CAPABILITY_NOT_RESOLVED"),
    info_code: absent,
    reason: absent,
    provenance: absent,
  }),
};

/** Contract 3. Without an outcome none of its conditions binds. */
export const decisionRecord: Shape = all(record, (value, pointer) => {
  const outcome = memberText(value, "outcome") ?? "";
  const condition = Object.hasOwn(conditions, outcome) ? conditions[outcome] : undefined;
  return condition?.(value, pointer) ?? [];
});
