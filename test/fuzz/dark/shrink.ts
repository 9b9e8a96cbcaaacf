import { isValid } from "./generate.ts";
import type { DarkWorld, DarkZone, ZoneSide } from "./world.ts";

/**
 * A smaller world that fails still: zones and records are left out, or made equal on both sides, as long as it does.
 */
export async function shrink(world: DarkWorld, fails: (world: DarkWorld) => Promise<boolean>): Promise<DarkWorld> {
  let smallest = world;
  for (;;) {
    const next = await firstOf(smaller(smallest), async (one) => isValid(one) && (await fails(one)));
    if (next === undefined) return smallest;
    smallest = next;
  }
}

async function firstOf<T>(list: Iterable<T>, holds: (item: T) => Promise<boolean>): Promise<T | undefined> {
  for (const item of list) if (await holds(item)) return item;
  return undefined;
}

function* smaller(world: DarkWorld): Generator<DarkWorld> {
  const { zones } = world;
  const withZone = (index: number, zone: DarkZone): DarkWorld => ({ ...world, zones: zones.with(index, zone) });
  for (const index of zones.keys()) if (zones.length > 1) yield { ...world, zones: zones.toSpliced(index, 1) };
  for (const [index, zone] of zones.entries()) {
    const { before, after } = zone;
    const lines = new Set([...(before?.lines ?? []), ...(after?.lines ?? [])]);
    for (const line of lines)
      yield withZone(index, {
        ...zone,
        ...(before && { before: without(before, line) }),
        ...(after && { after: without(after, line) }),
      });
    if (zone.isSecondary) continue;
    for (const line of lines) {
      if (before && after && !before.lines.includes(line))
        yield withZone(index, { ...zone, before: { ...before, lines: [...before.lines, line] } });
      if (before && after && !after.lines.includes(line))
        yield withZone(index, { ...zone, after: { ...after, lines: [...after.lines, line] } });
    }
    if (before?.isDisabled && after) yield withZone(index, { ...zone, before: { lines: before.lines } });
    if (after?.isDisabled && before) yield withZone(index, { ...zone, after: { lines: after.lines } });
  }
}

function without({ lines, isDisabled }: ZoneSide, line: string): ZoneSide {
  return { lines: lines.filter((other) => other !== line), ...(isDisabled && { isDisabled }) };
}
