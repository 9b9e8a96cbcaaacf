import { Fault } from "../name/fault.ts";
import type { TokenTable } from "./token-table.ts";

/**
 * Reads the next token of a field that consists of several.
 * @throws {Fault} `rdata-syntax` if the data ends before it.
 */
export function readPart<T>(tokens: TokenTable, what: string, read: (tokens: TokenTable, what: string) => T): T {
  if (!tokens.isAtEnd) return read(tokens, what);
  throw new Fault("rdata-syntax", `the RDATA ends before ${what}`, "Add the missing fields at the end.");
}
