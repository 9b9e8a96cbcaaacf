import { plain } from "../diagnostics/plain.ts";
import type { DesiredRecord } from "../dns/desired-live.ts";
import { formatDuration } from "../dns/duration.ts";
import { nameKey, relativeTo, sortKey } from "../dns/name.ts";
import { placeOf, rdataText } from "../dns/zone.ts";
import { type Deletion, type RecordChange, type Step, subject, type ZonePlan } from "../planner/change.ts";
import { gapText } from "./gap-text.ts";
import type { Line, Symbols } from "./line.ts";
import type { GuardNotes } from "./plan-guards.ts";
import { deletionLine, newZoneLine, settingLine } from "./setting-lines.ts";

/** The effects of a zone's plan: the zone itself, its settings, then records by name and type. */
export function linesOf(zone: ZonePlan, symbols: Symbols, guardNotes: GuardNotes): Line[] {
  const records = zone.steps
    .flatMap((step) => withNotes(stepLines(step, zone, symbols), step, guardNotes))
    .sort((a, b) => compare(a.name, b.name) || compare(a.type, b.type));
  const settings = zone.settings.map((change) => {
    const line = settingLine(change, zone, symbols);
    return noted(line, guardNotes(nameKey(zone.zone.name), [change.name]));
  });
  return [...(zone.domainId === undefined ? [newZoneLine(zone)] : []), ...settings, ...records];
}

/** The findings of guards precede the consequence of an effect. */
function withNotes(lines: readonly Sorted[], { writes, kind }: Step, guardNotes: GuardNotes): Sorted[] {
  return lines.map((line, index) => {
    const shown = kind !== "write" ? writes : writes.slice(index, index + 1);
    const [first] = shown;
    const types = shown.map((write) => subject(write).type);
    return first ? noted(line, guardNotes(nameKey(subject(first).owner), types)) : line;
  });
}

/** A domain that goes. */
export function linesOfDeletion(zone: Deletion, guardNotes: GuardNotes): Line[] {
  return [noted(deletionLine(zone), guardNotes(nameKey(zone.name), [zone.settings.type]))];
}

function noted<T extends Line>(line: T, notes: readonly string[]): T {
  return { ...line, comment: [...notes, line.comment].filter(Boolean).join("  ") };
}

type Sorted = Line & Place;

/** Sort key of a line. */
interface Place {
  readonly name: string;
  readonly type: string;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function stepLines(step: Step, zone: ZonePlan, symbols: Symbols): Sorted[] {
  const [first] = step.writes;
  if (step.kind === "write" || !first)
    return step.writes.map((change) => {
      const line = changeLine(change, zone, symbols);
      const gap = gapText(step.gaps, zone.zone.name);
      return { ...line, comment: [gap, line.comment].filter(Boolean).join("  ") };
    });
  return [swapLine(step, first, zone, symbols)];
}

function changeLine(change: RecordChange, zone: ZonePlan, symbols: Symbols): Sorted {
  const names = namesOf(change, zone);
  const { type } = subject(change);
  switch (change.kind) {
    case "create": {
      const { ttl, value } = after(change.after, zone);
      return { ...names, kind: "create", cells: [type, ttl, value], comment: sourceOf(change.after) };
    }
    case "delete": {
      const { ttl, value } = before(change.before, zone);
      return {
        ...names,
        kind: "delete",
        cells: [type, ttl, value],
        comment: `caches may keep it for up to ${spell(ttl)}`,
      };
    }
    case "update":
      return { ...names, kind: "change", ...inPlace(before(change.before, zone), after(change.after, zone)) };
  }

  function inPlace(from: Shown, to: Shown): Pick<Line, "cells" | "comment"> {
    const { arrow } = symbols;
    const ttl = from.ttl === to.ttl ? to.ttl : `${from.ttl} ${arrow} ${to.ttl}`;
    const value = from.value === to.value ? to.value : `${from.value} ${arrow} ${rest(from.value, to.value, symbols)}`;
    // An own TTL that the zone's TTL was until now: nothing of the record changes, and it would with the zone's.
    const keeps = ttl === from.ttl && value === from.value;
    const effect = keeps
      ? "keeps its TTL while the zone's changes"
      : `updated in place; caches may keep the old value for up to ${spell(from.ttl)}`;
    return { cells: [type, ttl, value], comment: [effect, sourceOf(subject(change))].filter(Boolean).join("  ") };
  }
}

/** All of a swap in one line, for it is one effect. */
function swapLine({ writes, gaps }: Step, first: RecordChange, zone: ZonePlan, symbols: Symbols): Sorted {
  const gone = writes.flatMap((change) =>
    change.kind === "create" ? [] : [{ type: change.before.type, ...before(change.before, zone) }],
  );
  const come = writes.flatMap((change) =>
    change.kind === "delete" ? [] : [{ type: change.after.type, ...after(change.after, zone) }],
  );
  const text = (records: readonly (Shown & { type: string })[]) =>
    records.map(({ type, ttl, value }) => `${type} ${ttl} ${value}`).join(" + ");
  const added = writes.find((change) => change.kind === "create");
  const gap = gaps === undefined ? "swapped in place, never without a record" : gapText(gaps, zone.zone.name);
  return {
    ...namesOf(added ?? first, zone),
    kind: "swap",
    cells: [`${text(gone)} ${symbols.arrow} ${text(come)}`],
    comment: [gap, added && sourceOf(added.after)].filter(Boolean).join("  "),
  };
}

interface Shown {
  readonly ttl: string;
  readonly value: string;
}

function before(record: DesiredRecord, zone: ZonePlan): Shown {
  return { ttl: String(record.ttl ?? zone.defaultTtl.before), value: valueText(record, zone) };
}

function after(record: DesiredRecord, zone: ZonePlan): Shown {
  return { ttl: String(record.ttl ?? zone.defaultTtl.after), value: valueText(record, zone) };
}

function valueText(record: DesiredRecord, { zone }: ZonePlan): string {
  return plain(rdataText(record, (name) => relativeTo(name, zone.name)));
}

/**
 * A new text without the words at its start that the old one has too: `"… -all"`. No value holds an ellipsis itself.
 */
function rest(from: string, to: string, { ellipsis }: Symbols): string {
  let same = 0;
  while (same < to.length && from[same] === to[same]) same++;
  const words = to.lastIndexOf(" ", same - 1);
  return ellipsis === undefined || words < 10 || !to.startsWith('"') ? to : `"${ellipsis}${to.slice(words)}`;
}

function spell(ttl: string): string {
  return formatDuration(Number(ttl));
}

function namesOf(change: RecordChange, { zone }: ZonePlan): Pick<Line, "owner"> & Place {
  const { owner, type } = subject(change);
  return { owner: plain(relativeTo(owner, zone.name)), name: sortKey(owner), type };
}

function sourceOf(record: DesiredRecord): string {
  const place = placeOf(record);
  return place ? plain(`${place.file}:${place.line}`) : "";
}
