export const UNKNOWN_NAME = "WA-RES-I-001";
export const RETIRED = "WA-RES-I-009";
const LAYER = "WA";
export const NO_FILE = `${LAYER}-READ-I-001`;

export const ByName = Object.freeze({
  disk: "WA-READ-E-001",
  gone: "WA-READ-E-404",
} as const);

export enum Codes {
  Closed = "CT-GATE-I-001",
  NotYours = "EN-WRITE-D-001",
  Alien = "DB-READ-E-001",
}

export class Legacy {
  static readonly OPENED = "CT-OPEN-I-001";
}
