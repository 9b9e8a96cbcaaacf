import { escapeControl } from "../../diagnostics/escape.ts";
import { durationInWords } from "../../diagnostics/quantities.ts";
import { type Name, relativeTo } from "../../dns/name/name.ts";
import type { Gap } from "../../planner/changes/change.ts";

/** Maximum number of listed names; further ones are counted. */
const listed = 3;

/** The names, relative to the zone, and types that a step leaves briefly without an answer: one text, or none. */
export function gapTexts(gaps: readonly Gap[] | undefined, zone: Name): string[] {
  if (gaps === undefined || gaps.length === 0) return [];
  const names = gaps.slice(0, listed).map(({ owner, types }) => `${types.join(", ")} of ${relativeTo(owner, zone)}`);
  const more = gaps.length > listed ? ` and ${gaps.length - listed} more names` : "";
  const longest = durationInWords(gapSeconds(gaps));
  return [
    escapeControl(
      `brief gap: ${names.join("; ")}${more}: a resolver that asks during the change may cache "no such record" for up to ${longest}`,
    ),
  ];
}

/** The longest time that a resolver may keep "no such record", in seconds. */
export function gapSeconds(gaps: readonly Gap[] = []): number {
  return gaps.reduce((most, { seconds }) => Math.max(most, seconds), 0);
}
