import { type NameKey, nameKey, readName, spellName } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import { excusesByOwner } from "../edit/order.ts";
import type { Task } from "../edit/rewrite-file.ts";
import type { Splice } from "../edit/splice.ts";
import type { CommentRange, Tree } from "./tree.ts";

/** The edits for new `lenient` entries: existing directive comments grow, and other owners get one in the head. */
export function planLenient(
  { before, after }: Task,
  { settings, text }: Tree,
): { readonly splices: readonly Splice[]; readonly head: readonly string[] } {
  const splices: Splice[] = [];
  const head: string[] = [];
  const added = excusesByOwner(after);
  if (added.length === 0) return { splices, head };
  const lines = new Map<NameKey, CommentRange>();
  for (const line of settings) {
    const [, owner] = /^lenient (.*)$/s.exec(line.setting) ?? [];
    if (owner !== undefined) lines.set(nameKey(readName(owner, before.name)), line);
  }
  for (const [owner, rules] of added) {
    const list = toOctets(rules.join(", "));
    const line = lines.get(nameKey(owner));
    if (line) {
      const at = line.start + text.slice(line.start, line.end).trimEnd().length;
      splices.push({ start: at, end: at, text: `, ${list}` });
    } else head.push(`;@ lenient ${spellName(owner, before.name)}: ${list}`);
  }
  return { splices, head };
}
