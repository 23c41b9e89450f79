/** The shape of an episode contract. */

import { memberText, type JsonValue } from "../json/value.js";
import {
  all,
  anyObject,
  array,
  dictionary,
  matching,
  members,
  nullable,
  object,
  oneOf,
  string,
  type Shape,
} from "../shape.js";

const hash = matching(/^sha256:[0-9a-f]{64}$/);

const input = object({ ref: string, hash }, { media_type: string });

const PARAMS: Readonly<Record<string, Shape>> = {
  LOAD_INPUT: object({ ref: string }),
  ASSERT_HASH: object({ target: string, expected_hash: hash }),
  APPLY_TRANSFORM: object(
    { transform: string },
    { provider: string, model_id: string, config_hash: hash, system_fingerprint: nullable(string) },
  ),
  EMIT_OUTPUT: object({ claim_type: string, output_ref: string }),
};

const distinct: Shape = (value, pointer) => {
  const texts = value.kind === "array" ? value.items.map((item) => JSON.stringify(item)) : [];
  return new Set(texts).size < texts.length ? [{ pointer, message: "an item is repeated" }] : [];
};

const step = all(
  object(
    {
      step_id: string,
      opcode: oneOf(...Object.keys(PARAMS)),
      params: anyObject,
      depends_on: all(array(string), distinct),
    },
    { output_schema: anyObject },
  ),
  (value: JsonValue, pointer) => {
    const opcode = memberText(value, "opcode") ?? "";
    const params = Object.hasOwn(PARAMS, opcode) ? PARAMS[opcode] : undefined;
    return params === undefined ? [] : members({ params })(value, pointer);
  },
);

export const episodeContract = object(
  {
    schema_version: oneOf("rce/0.1"),
    episode_id: matching(/^ep_[0-9a-f]{24}$/),
    inputs: array(input, 1),
    replay_script: object({ schema_version: oneOf("replay_script/0.1"), steps: array(step, 1) }),
    replay_policy: object(
      { replay_basis: oneOf("recorded_trace"), comparator_tier: oneOf("A") },
      { comparator_tiers_by_step: dictionary(oneOf("A")) },
    ),
    environment: object(
      {
        env_fingerprint_hash: hash,
        provider: string,
        model_id: string,
        tool_versions: dictionary(string),
        container_digest: nullable(string),
      },
      { model_version_hint: nullable(string), system_fingerprint: nullable(string) },
    ),
  },
  { objective: string },
);
