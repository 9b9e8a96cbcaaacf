import { plain } from "../diagnostics/plain.ts";
import { formatDuration } from "../dns/duration.ts";
import { type Name, relativeTo } from "../dns/name.ts";
import type { Gap } from "../planner/change.ts";

/** Number of names that are listed; the rest is counted. */
const listed = 3;

/**
 * The names and types that a step leaves without an answer for a moment, names relative to the zone; empty for none.
 */
export function gapText(gaps: readonly Gap[] | undefined, zone: Name): string {
  if (gaps === undefined || gaps.length === 0) return "";
  const names = gaps.slice(0, listed).map(({ owner, types }) => `${types.join(", ")} of ${relativeTo(owner, zone)}`);
  const more = gaps.length > listed ? ` and ${gaps.length - listed} more names` : "";
  const longest = formatDuration(Math.max(...gaps.map(({ seconds }) => seconds)));
  return plain(
    `brief gap: ${names.join("; ")}${more}: a resolver that asks during the change may cache "no such record" for up to ${longest}`,
  );
}
