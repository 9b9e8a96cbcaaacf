import type { ZonePlan } from "../changes/change.ts";
import { type Effect, effectJson, effectsOf } from "../changes/effects.ts";

/**
 * Whether one plan of a zone is what remains of another: all its effects are among those of the other. TTLs that
 * records take from the zone may have changed in between.
 */
export function isRemainderOf(remainder: ZonePlan, whole: ZonePlan): boolean {
  const all = effectsOf({ zones: [whole] });
  const open = createEffectPool(all.map(withoutDefaults));
  return effectsOf({ zones: [remainder] }).every(
    (effect) => open.take(withoutDefaults(effect)) || isOfNewZone(effect, all),
  );
}

function withoutDefaults({ before, after, ...effect }: Effect): Effect {
  const textOf = (side: string | null) => side?.replace(/^default\(\d+\) /, "default ") ?? null;
  return { ...effect, before: textOf(before), after: textOf(after) };
}

/** A multiset of effects, from which they are taken one by one. */
export function createEffectPool(effects: readonly Effect[]): { take(effect: Effect): boolean; left(): Effect[] } {
  const open = new Map<string, Effect[]>();
  for (const effect of effects) {
    const list = open.get(effectJson(effect));
    if (list) list.push(effect);
    else open.set(effectJson(effect), [effect]);
  }
  return {
    take: (effect) => open.get(effectJson(effect))?.pop() !== undefined,
    left: () => [...open.values()].flat(),
  };
}

/**
 * Whether the effect is a setting of a new domain that was created meanwhile with the settings approved in its zone.
 */
export function isOfNewZone({ kind, type, after }: Effect, approved: readonly Effect[]): boolean {
  const isNew = approved.some((effect) => effect.kind === "domain");
  if (!isNew || kind !== "setting") return false;
  return approved.some((effect) => {
    if (effect.kind === "domain")
      return (
        (type === "status" && JSON.stringify(effect.after) === after) ||
        (type === "type" && JSON.stringify(effect.type) === after)
      );
    return effect.kind === "setting" && effect.type === type && effect.after === after;
  });
}
