/** What is implemented here: the suite and the shim read `declared` and ask `implementation`. */

import { checkChain } from "./authority/chain.js";
import {
  canonicalText,
  EPISODE,
  PYTHON,
  RFC_8785,
  SOVEREIGN,
  type Profile,
} from "./canon/canonical.js";
import type { Capabilities } from "./conformance/declaration.js";
import {
  accept,
  type CanonBytesRequest,
  type Declaration,
  type Implementation,
} from "./conformance/interface.js";
import { sha256 } from "./digest.js";
import { parseJson } from "./json/reader.js";
import { judged } from "./reject.js";
import { denyCode } from "./sovereign/deny-code.js";
import { openFolder } from "./sovereign/files.js";
import { orderMismatches } from "./sovereign/ordering.js";
import { selectPath } from "./sovereign/paths.js";
import { reportIdentity } from "./sovereign/report.js";

export const declared: Declaration = {
  "canon.bytes": { profile: ["rfc8785", "episode", "sovereign", "authority"] },
  "sovereign.deny_code": {},
  "sovereign.order": {},
  "sovereign.report_id": {},
  "sovereign.select_path": {},
  "authority.chain": {},
};

/** Nothing is beyond it, which needs no word; this extra is said by its name. */
export const capabilities: Capabilities = { features: ["hostile-paths"] };

const UNCANONICAL = "E_CANONICALIZATION_ERROR";

const PROFILES: Readonly<
  Record<CanonBytesRequest["profile"], { readonly profile: Profile; readonly uncanonical: string }>
> = {
  rfc8785: { profile: RFC_8785, uncanonical: "A_VALUE" },
  episode: { profile: EPISODE, uncanonical: "A_VALUE" },
  sovereign: { profile: SOVEREIGN, uncanonical: UNCANONICAL },
  authority: { profile: PYTHON, uncanonical: "A_VALUE" },
};

export const implementation: Implementation = {
  canonBytes({ profile: name, doc }) {
    const { profile, uncanonical } = PROFILES[name];
    return judged(uncanonical, () => {
      const bytes = Buffer.from(canonicalText(parseJson(doc, profile.dialect), profile));
      return accept({ bytes, sha256: sha256(bytes) });
    });
  },

  sovereignDenyCode({ conditions }) {
    return judged(UNCANONICAL, () => accept({ denyCode: denyCode(conditions) }));
  },

  sovereignOrder({ mismatches, stageOrder }) {
    return judged(UNCANONICAL, () =>
      accept({ mismatches: orderMismatches(mismatches, stageOrder) }),
    );
  },

  sovereignReportId({ report }) {
    return judged(UNCANONICAL, () => accept({ reportId: reportIdentity(report) }));
  },

  sovereignSelectPath({ entry, root }) {
    return judged(UNCANONICAL, () => accept({ path: selectPath(entry, openFolder(root)) }));
  },

  authorityChain({ records }) {
    return judged("authority/canonical-form", () => {
      checkChain(records);
      return accept({});
    });
  },
};
