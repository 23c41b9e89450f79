/** What you implement: the suite and the shim read `declared` and ask `implementation`. */

import type { Capabilities } from "./conformance/declaration.js";
import type { Declaration, Implementation } from "./conformance/interface.js";

/**
 * Operations with the values of their closed arguments, for instance `"canon.bytes": { profile:
 * ["rfc8785"] }`. What is declared has to be answered; the cases of anything else are skipped.
 */
export const declared: Declaration = {};

/** What can be asked beside operations, for instance `{ max_depth: 512 }`. ASSIZE.md says more. */
export const capabilities: Capabilities = {};

/** One method an operation, named like it: `canonBytes({ profile, doc })` answers `canon.bytes`. */
export const implementation: Implementation = {};
