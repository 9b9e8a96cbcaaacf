import { plain } from "../diagnostics/plain.ts";
import { durationInWords } from "../dns/duration.ts";
import { type Name, relativeTo } from "../dns/name.ts";
import type { Gap } from "../planner/change.ts";

/** Number of names that are listed; the rest is counted. */
const listed = 3;

/** Names and types that a step leaves without an answer for a moment, relative to the zone; none or one text. */
export function gapTexts(gaps: readonly Gap[] | undefined, zone: Name): string[] {
  if (gaps === undefined || gaps.length === 0) return [];
  const names = gaps.slice(0, listed).map(({ owner, types }) => `${types.join(", ")} of ${relativeTo(owner, zone)}`);
  const more = gaps.length > listed ? ` and ${gaps.length - listed} more names` : "";
  const longest = durationInWords(Math.max(...gaps.map(({ seconds }) => seconds)));
  return [
    plain(
      `brief gap: ${names.join("; ")}${more}: a resolver that asks during the change may cache "no such record" for up to ${longest}`,
    ),
  ];
}
