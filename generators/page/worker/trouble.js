// What people are told when there is no judgement, and what to do about it.

"use strict";

/** The most bytes of a question: what the core takes. */
const MOST_BYTES = 256 * 1024 * 1024;

const LESS = "drop less at a time, or ask the command assize about it";

/** Something that is no fault of this page. */
class Trouble extends Error {}
