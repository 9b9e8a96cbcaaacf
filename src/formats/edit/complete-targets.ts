import { indexZone } from "../../dns/lookup/rule.ts";
import { findDoubtful } from "../../dns/lookup/target-dot.ts";
import type { DotlessTarget, Zone } from "../../dns/zone/zone.ts";

/**
 * The relative targets of a file that look like absolute names only since an edit removed the records of their names.
 * `before` is the zone before the edit.
 */
export function findNewlyDoubtful(before: Zone, after: Zone): DotlessTarget[] {
  const doubtful = findDoubtful(indexZone(after));
  if (doubtful.length === 0) return doubtful;
  const known = new Set(findDoubtful(indexZone(before)).map(keyOf));
  return doubtful.filter((target) => !known.has(keyOf(target)));
}

function keyOf({ owner, name, written }: DotlessTarget): string {
  return `${owner} ${name} ${written}`;
}

/** The file with these of its targets as absolute names; those that it does not contain literally stay. */
export function completeTargets(file: string, bytes: Uint8Array, targets: readonly DotlessTarget[]): Uint8Array {
  const lines = Buffer.from(bytes).toString("latin1").split("\n");
  // From the end, so that the columns before it stay. An alias is found at its anchor, once for each user.
  const places = new Map(targets.map((target) => [`${target.at.line}:${target.at.column}`, target]));
  const inOrder = [...places.values()].sort(({ at: a }, { at: b }) => b.line - a.line || b.column - a.column);
  for (const { at, written, name } of inOrder) {
    const line = lines[at.line - 1] ?? "";
    const [, mark = "", octets = ""] = /^(\u00ef\u00bb\u00bf)?(.*)$/s.exec(line) ?? [];
    const text = Buffer.from(octets, "latin1").toString("utf8");
    const isText = Buffer.from(text).toString("latin1") === octets;
    const [start, end] = [at.column - 1, at.column - 1 + at.length];
    const token = text.slice(start, end);
    if (at.file !== file || !isText || token.split(written).length !== 2) continue;
    const completed = text.slice(0, start) + token.replace(written, () => name) + text.slice(end);
    lines[at.line - 1] = mark + Buffer.from(completed).toString("latin1");
  }
  return Buffer.from(lines.join("\n"), "latin1");
}
