import type { ApiErrorEntry } from "../../contract/errors.ts";
import { errorEntry } from "../kit/api-error.ts";

interface Placed {
  readonly type: string;
  readonly name: string;
  readonly target: string;
}

/** Conflicts of a record with the others at its name (service: Records, CNAME and MX). */
export function neighbourErrors(record: Placed, others: readonly Placed[]): ApiErrorEntry[] {
  if (others.some(({ type }) => type === "CNAME" || record.type === "CNAME")) {
    return [errorEntry("name", "Record conflict - CNAMES must be unique")];
  }
  const exchanges = others.filter(({ type }) => type === "MX");
  if (record.type !== "MX" || exchanges.length === 0) return [];
  if (exchanges.some(({ target }) => target === "")) {
    return [errorEntry("type", "Cannot add a new MX record for a domain that already advertises a null MX record.")];
  }
  return record.target === ""
    ? [errorEntry("type", "Cannot add a null MX record for a domain that has other MX records.")]
    : [];
}
