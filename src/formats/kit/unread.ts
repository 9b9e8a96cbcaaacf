import type { Problem } from "../../diagnostics/problem.ts";
import { asName, nameKey } from "../../dns/name/name.ts";
import type { Zone } from "../../dns/zone/zone.ts";

/** The owners of records that were omitted because of errors. */
export function unreadOf(problems: readonly Problem[]): Pick<Zone, "unread"> {
  const errors = problems.filter(({ severity }) => severity === "error");
  if (errors.length === 0) return {};
  const owners = new Set(errors.flatMap(({ owner }) => (owner === undefined ? [] : [nameKey(asName(owner))])));
  return { unread: { owners, isAny: errors.some(({ owner }) => owner === undefined) } };
}
