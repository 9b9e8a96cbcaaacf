import { plain } from "../diagnostics/plain.ts";
import type { NameKey } from "../dns/name.ts";
import { remedy, type Weighed } from "../planner/acks.ts";
import type { Effect } from "../planner/effects.ts";
import type { Palette } from "./palette.ts";

/** What guards say of single effects, to stand at their lines. */
export type GuardNotes = (name: NameKey, types: readonly string[]) => string[];

export function guardNotes(zone: NameKey, guards: readonly Weighed[]): GuardNotes {
  const notes = new Map<string, Set<string>>();
  for (const { guard, zone: of, findings } of guards) {
    if (of !== zone) continue;
    for (const { text, effects, isWide } of findings) {
      if (isWide) continue;
      for (const effect of effects) {
        const key = keyOf(effect);
        notes.set(key, (notes.get(key) ?? new Set()).add(plain(`${guard}: ${text}`)));
      }
    }
  }
  return (name, types) => [...new Set(types.flatMap((type) => [...(notes.get(keyOf({ name, type })) ?? [])]))];
}

function keyOf({ name, type }: Pick<Effect, "name" | "type">): string {
  return `${name} ${type}`;
}

/** What guards hold, and what lets it pass; below what is held, what to write. */
export function guardLines(guards: readonly Weighed[], until: string, { red, dim }: Palette): string[] {
  return guards.flatMap((one) => {
    const { guard, zone, state, reason, findings } = one;
    const texts = [...new Set(findings.map(({ text }) => text))];
    const more = texts.length > 3 ? `; and ${texts.length - 3} more` : "";
    const where = zone === "*" ? "this run" : zone.slice(0, -1);
    const why = reason === undefined ? "" : ` (${reason})`;
    const line = plain(`${guard} ${where}: ${texts.slice(0, 3).join("; ")}${more}${why}`);
    if (state !== "held") return [`${dim(state)}  ${line}`];
    return [`${red("held")}  ${line}`, `      ${dim(remedy(one, until))}`];
  });
}
