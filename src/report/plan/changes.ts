import { escapeControl } from "../../diagnostics/escape.ts";
import { durationInWords } from "../../diagnostics/quantities.ts";
import { type Name, type NameKey, nameKey, relativeTo } from "../../dns/name/name.ts";
import type { DesiredRecord } from "../../dns/zone/desired-live.ts";
import { isType, placeOf, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { zoneKindOf } from "../../dns/zone/zone-settings.ts";
import { settingWrites } from "../../executor/journal/writes.ts";
import type { JudgedBlock } from "../../planner/blocks/acks.ts";
import {
  type CountEqual,
  type Deletion,
  equalRecords,
  type RecordChange,
  type SettingChange,
  type Step,
  subject,
  type ZonePlan,
} from "../../planner/changes/change.ts";
import { withoutSerial } from "../../targets/without-serial.ts";
import type { DriftFinding, ZoneFinding } from "../../workflow/drift/finding.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { type ChangePlace, findPlaces, type PlaceFinder } from "../text/change-place.ts";
import { attributionText } from "../text/drift-words.ts";
import { gapSeconds, gapTexts } from "../text/gap-text.ts";
import type { Line, LineKind, Symbols, Value } from "../text/line.ts";
import { nameText } from "../text/name-text.ts";
import { deletionLine, newZoneLine, settingLine, type Unnumbered } from "../text/setting-lines.ts";
import { numberSteps, type StepNumbers } from "../text/step-numbers.ts";
import { type GuardMarks, guardMarks } from "./guards.ts";

/** The changes of one zone, as every report shows them. */
export interface ZoneChanges {
  readonly name: Name;
  /** Its file; absent for a zone that no file describes. */
  readonly file?: string;
  /** In the order of their writes. */
  readonly lines: readonly Line[];
  /** Changes that guards block, and their approvals. */
  readonly blocks: readonly JudgedBlock[];
}

/** The changes of each zone, and the blocks of no zone of the plan. */
interface PlanChanges {
  readonly zones: readonly ZoneChanges[];
  readonly otherBlocks: readonly JudgedBlock[];
  /** The round of each step: all steps of a round can be sent at once when those before it are done. */
  readonly rounds: ReadonlyMap<number, number>;
}

export const lineKinds: readonly LineKind[] = ["create", "change", "swap", "delete"];

export function changesOf(
  { plan, guards, handEdits = [] }: Pick<PlanReport, "plan" | "guards" | "handEdits">,
  symbols: Symbols,
): PlanChanges {
  const numbers = numberSteps(plan);
  const blocks = new Map<NameKey | "*", JudgedBlock[]>();
  for (const block of guards) {
    const list = blocks.get(block.zone);
    if (list) list.push(block);
    else blocks.set(block.zone, [block]);
  }
  const blocksOf = (name: Name) => blocks.get(nameKey(name)) ?? [];
  const zones = [
    ...plan.zones.map((zone): ZoneChanges => {
      const { name, file } = zone.zone;
      const own = blocksOf(name);
      const edits = handEditEffects(handEdits, nameKey(name));
      const lines = linesOf(zone, symbols, { marks: guardMarks(own), edits }, numbers);
      return { name, ...(file !== undefined && { file }), lines, blocks: own };
    }),
    ...plan.deletions.map((zone): ZoneChanges => {
      const own = blocksOf(zone.name);
      return { name: zone.name, lines: [lineOfDeletion(zone, guardMarks(own), numbers)], blocks: own };
    }),
  ];
  const isAbout = new Set<NameKey | "*">(zones.map(({ name }) => nameKey(name)));
  return { zones, otherBlocks: guards.filter(({ zone }) => !isAbout.has(zone)), rounds: numbers.rounds };
}

export function countLines(lines: readonly Line[], wanted: LineKind): number {
  return lines.filter(({ kind }) => kind === wanted).length;
}

/** The longest time that resolvers may keep old answers, in seconds; 0 if there are none. */
export function countSettling(lines: readonly Line[]): number {
  return lines.reduce((most, { settling }) => Math.max(most, settling), 0);
}

/** The absolute owner name of a line, without its final dot. */
export function absoluteOwner(owner: string, zone: Name): string {
  const apex = nameText(zone);
  if (owner === "@") return apex;
  if (owner === "(zone)") return `${apex} (zone)`;
  return owner.endsWith(".") ? owner.slice(0, -1) : `${owner}.${apex}`;
}

/** The guards that block changes of a zone, and the changes outside git that they undo. */
interface LineMarks {
  readonly marks: GuardMarks;
  readonly edits: HandEditEffects;
}

/** The changes of a zone, in the order of their writes. */
function linesOf(
  zone: ZonePlan,
  symbols: Symbols,
  { marks, edits }: LineMarks,
  { open, stepOf, last }: StepNumbers,
): Line[] {
  const name = nameKey(zone.zone.name);
  const { last: lastSettings } = settingWrites(zone);
  const isNew = zone.domainId === undefined;
  const places = findPlaces(zone);
  const countEqual = equalRecords(zone);
  const lines: Line[] = [
    ...(isNew
      ? [{ step: open.get(zone) ?? 0, ...withEffects(newZoneLine(zone), edits.ofZone()), ...causeOf(places.ofZone()) }]
      : []),
    ...zone.settings.map((change) => {
      const isLast = lastSettings.includes(change);
      const line = withEffects(settingLine(change, zone, symbols), edits.ofSetting(change));
      const cause = causeOf(places.ofSetting(change.name));
      return { step: (isLast ? last : open).get(zone) ?? 0, ...line, marks: marks(name, [change.name]), ...cause };
    }),
    ...zone.steps.flatMap((step) =>
      stepLines(step, zone, { symbols, marks, edits, places, countEqual }).map((line) => ({
        step: stepOf.get(step) ?? 0,
        ...line,
      })),
    ),
  ];
  return lines.sort((a, b) => a.step - b.step);
}

function causeOf(cause: ChangePlace | undefined): { cause?: ChangePlace } {
  return cause ? { cause } : {};
}

/** The deletion of a domain. */
function lineOfDeletion(zone: Deletion, marks: GuardMarks, { open }: StepNumbers): Line {
  return {
    step: open.get(zone) ?? 0,
    ...deletionLine(zone),
    marks: marks(nameKey(zone.name), [zoneKindOf(zone.settings)]),
  };
}

function withEffects<L extends Pick<Line, "effects">>(line: L, more: readonly string[]): L {
  return more.length === 0 ? line : { ...line, effects: [...more, ...line.effects] };
}

interface LineContext extends LineMarks {
  readonly symbols: Symbols;
  readonly places: PlaceFinder;
  readonly countEqual: CountEqual;
}

function stepLines(step: Step, zone: ZonePlan, context: LineContext): Unnumbered[] {
  const { symbols, marks, edits, places, countEqual } = context;
  const marksOf = (writes: readonly RecordChange[]) => {
    const [first] = writes;
    const types = writes.map((write) => subject(write).type);
    return first ? marks(nameKey(subject(first).owner), types) : [];
  };
  const [first] = step.writes;
  const gaps = gapTexts(step.gaps, zone.zone.name);
  const times = (writes: readonly RecordChange[]) => {
    const lost = writes.filter((write) => write.kind === "create" || countEqual(write).staying === 0);
    const oldSeconds = lost.reduce((most, write) => Math.max(most, oldTtl(write, zone)), 0);
    const missing = gapSeconds(step.gaps);
    return { settling: Math.max(oldSeconds, missing), oldSeconds, gapSeconds: missing };
  };
  if (step.kind !== "write" && first)
    return [
      {
        ...withEffects(swapLine(step, first, zone, symbols), edits.ofWrites(step.writes)),
        gaps,
        marks: marksOf(step.writes),
        ...times(step.writes),
        ...causeOf(places.ofChange(findCreate(step) ?? first)),
      },
    ];
  return step.writes.map((change) => ({
    ...withEffects(changeLine(change, zone, context), edits.ofWrites([change])),
    gaps,
    marks: marksOf([change]),
    ...times([change]),
    ...causeOf(places.ofChange(change)),
  }));
}

/** The write of a swap that adds a record; its place is that of the swap. */
function findCreate({ writes }: Step): Extract<RecordChange, { kind: "create" }> | undefined {
  return writes.find((change) => change.kind === "create");
}

/** The TTL of the record before a change, in seconds; 0 for a new record. */
function oldTtl(change: RecordChange, { defaultTtl }: ZonePlan): number {
  return change.kind === "create" ? 0 : (change.before.ttl ?? defaultTtl.before);
}

/** Whether a write gives an SOA record a serial that it chooses. */
function isNewSerial({ before, after }: Extract<RecordChange, { kind: "update" }>): boolean {
  return isType(before, "SOA") && isType(after, "SOA") && after.data.serial === 0 && before.data.serial !== 0;
}

type ChangeLine = Omit<Unnumbered, "settling">;

function changeLine(change: RecordChange, zone: ZonePlan, { symbols: { arrow }, countEqual }: LineContext): ChangeLine {
  const head = { owner: ownerOf(change, zone), place: change.kind === "delete" ? "" : placeText(change.after) };
  const { type } = subject(change);
  switch (change.kind) {
    case "create": {
      const { ttl, text } = after(change.after, zone);
      return { ...head, kind: "create", typeAndTtl: [type, `${ttl}`], values: [{ text }], effects: [] };
    }
    case "delete": {
      const { ttl, text } = before(change.before, zone);
      const { live, staying } = countEqual(change);
      const effects = [
        staying > 0
          ? `one of ${live} equal records; the answer stays`
          : `caches may keep it for up to ${durationInWords(ttl)}`,
      ];
      return { ...head, kind: "delete", typeAndTtl: [type, `${ttl}`], values: [{ text }], effects };
    }
    case "update": {
      // An SOA record whose serial is shown is one that is not served yet: each write chooses another.
      const stored = isNewSerial(change) ? withoutSerial(change.before) : change.before;
      const [from, to] = [before(stored, zone), after(change.after, zone)];
      const ttl = from.ttl === to.ttl ? `${to.ttl}` : `${from.ttl} ${arrow} ${to.ttl}`;
      const values: Value[] = [{ text: from.text }];
      if (from.text !== to.text) values.push({ text: to.text, joint: arrow });
      // The record gets an explicit TTL equal to the zone's old one, so that it does not change with the zone's.
      const isKept = from.ttl === to.ttl && from.text === to.text;
      const { live, staying } = countEqual(change);
      const effect = isKept
        ? stored !== change.before
          ? "gets a higher serial"
          : "keeps its TTL while the zone's changes"
        : staying > 0
          ? `one of ${live} equal records; the old value stays beside the new one`
          : `updated in place; caches may keep the old value for up to ${durationInWords(from.ttl)}`;
      return { ...head, kind: "change", typeAndTtl: [type, ttl], values, effects: [effect] };
    }
  }
}

/** The line of a swap, whose writes are one change. */
function swapLine(step: Step, first: RecordChange, zone: ZonePlan, { arrow }: Symbols): ChangeLine {
  const { writes, gaps } = step;
  const old = writes.flatMap((change) =>
    change.kind === "create" ? [] : [`${change.before.type} ${recordText(before(change.before, zone))}`],
  );
  const fresh = writes.flatMap((change) =>
    change.kind === "delete" ? [] : [`${change.after.type} ${recordText(after(change.after, zone))}`],
  );
  const list = (texts: readonly string[], joint?: string) =>
    texts.map((text, index): Value => (index > 0 ? { text, joint: "+" } : { text, ...(joint && { joint }) }));
  const added = findCreate(step);
  return {
    kind: "swap",
    owner: ownerOf(added ?? first, zone),
    values: [...list(old), ...list(fresh, arrow)],
    effects: gaps === undefined ? [swapText(step)] : [],
    place: added ? placeText(added.after) : "",
  };
}

/** The consequence of a swap without a gap. Between its two writes the name has no record. */
function swapText({ set }: Step): string {
  return set !== undefined ? "replaced in one write" : "no lookup that is answered before and after fails in between";
}

/** TTL in seconds, and RDATA. */
interface RecordText {
  readonly ttl: number;
  readonly text: string;
}

function recordText({ ttl, text }: RecordText): string {
  return `${ttl} ${text}`;
}

function before(record: DesiredRecord, zone: ZonePlan): RecordText {
  return { ttl: record.ttl ?? zone.defaultTtl.before, text: valueText(record, zone) };
}

function after(record: DesiredRecord, zone: ZonePlan): RecordText {
  return { ttl: record.ttl ?? zone.defaultTtl.after, text: valueText(record, zone) };
}

function valueText(record: DesiredRecord, { zone }: ZonePlan): string {
  return escapeControl(rdataText(record, (name) => relativeTo(name, zone.name)));
}

function ownerOf(change: RecordChange, { zone }: ZonePlan): string {
  return escapeControl(relativeTo(subject(change).owner, zone.name));
}

function placeText(record: DesiredRecord): string {
  const place = placeOf(record);
  const all = place ? [place, ...(record.source?.via ?? [])] : [];
  return escapeControl(all.map(({ file, line }) => `${file}:${line}`).join(" via "));
}

/** The consequences of undoing changes that were made outside git, for the lines of a plan. */
interface HandEditEffects {
  readonly ofWrites: (writes: readonly RecordChange[]) => string[];
  readonly ofSetting: (change: SettingChange) => string[];
  readonly ofZone: () => string[];
}

/** Edits by hand that a plan would revert in one zone: a write replaces the edited record, or creates a deleted one. */
function handEditEffects(edits: readonly ZoneFinding[], zone: NameKey): HandEditEffects {
  const own = edits.filter((edit) => nameKey(edit.zone) === zone).map(({ finding }) => finding);
  const byRecord = new Map<ZoneRecord, DriftFinding>();
  for (const finding of own) {
    if (finding.kind !== "record") continue;
    const { git, live } = finding;
    for (const record of (live ?? git)?.records ?? []) byRecord.set(record, finding);
  }
  return {
    ofWrites: (writes) =>
      textsOfEdits(
        writes.flatMap((write) => [
          ...(write.kind === "create" ? [] : [byRecord.get(write.before)]),
          ...(write.kind === "delete" ? [] : [byRecord.get(write.after)]),
        ]),
      ),
    ofSetting: ({ name }) => textsOfEdits(own.filter((finding) => finding.kind === "setting" && finding.name === name)),
    ofZone: () => textsOfEdits(own.filter((finding) => finding.kind === "zone")),
  };
}

function textsOfEdits(findings: readonly (DriftFinding | undefined)[]): string[] {
  return [...new Set(findings)].flatMap((finding) => {
    if (!finding) return [];
    const verb = finding.kind === "zone" ? "a deletion" : "a change";
    const by = finding.by ? `, ${attributionText(finding.by)}` : "";
    return [`undoes ${verb} made outside git${by}`];
  });
}
