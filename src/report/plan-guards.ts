import { plain } from "../diagnostics/plain.ts";
import type { NameKey } from "../dns/name.ts";
import { blockedText, findingsText, type JudgedBlock, remedy } from "../planner/acks.ts";
import type { Effect } from "../planner/effects.ts";
import type { Palette } from "./palette.ts";

/** Findings of guards by effect, for the lines of the plan. */
export type GuardNotes = (name: NameKey, types: readonly string[]) => string[];

export function guardNotes(zone: NameKey, guards: readonly JudgedBlock[]): GuardNotes {
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

/** Blocked changes with their approvals; each one without an approval shows how to approve it. */
export function guardLines(guards: readonly JudgedBlock[], until: string, { red, dim }: Palette): string[] {
  return guards.flatMap((one) => {
    const { guard, state, reason } = one;
    if (state === "held") {
      const line = blockedText(one);
      return [`${red("blocked")}${line.slice("blocked".length)}`, `  ${dim(remedy(one, until))}`];
    }
    const why = reason === undefined ? "" : ` (${reason})`;
    return [`${dim(state)}  ${plain(`${guard} ${findingsText(one)}${why}`)}`];
  });
}
