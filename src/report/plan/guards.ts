import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import type { NameKey } from "../../dns/name/name.ts";
import { ackFields, findingTexts, guardText, type JudgedBlock, remedy } from "../../planner/blocks/acks.ts";
import type { Effect } from "../../planner/changes/effects.ts";
import { columns, wrap } from "../text/columns.ts";
import type { Palette } from "../text/palette.ts";

/** Marks of blocked changes, by name and types: `blocked by G05`. The reasons are printed after the zone. */
export type GuardMarks = (name: NameKey, types: readonly string[]) => string[];

/** The marks of the changes of one zone. */
export function guardMarks(blocks: readonly JudgedBlock[]): GuardMarks {
  const marks = new Map<string, Set<string>>();
  for (const { guard, state, findings } of blocks) {
    const mark = markOf({ guard, state });
    for (const { effects, isWide } of findings) {
      if (isWide) continue;
      for (const effect of effects) {
        const key = keyOf(effect);
        marks.set(key, (marks.get(key) ?? new Set()).add(mark));
      }
    }
  }
  return (name, types) => [...new Set(types.flatMap((type) => [...(marks.get(keyOf({ name, type })) ?? [])]))];
}

function markOf({ guard, state }: Pick<JudgedBlock, "guard" | "state">): string {
  return state === "blocked" ? `blocked by ${guard}` : `${guard} approved`;
}

/** The place of an approval. */
export function approvalText({ state }: Pick<JudgedBlock, "state">, door: Door): string {
  return state === "acknowledged" ? "approved in acks.yaml" : inWordsOf(door)`approved with ${{ set: "allow" }}`;
}

/** Whether a mark is of a change that is not approved. */
export function isBlocking(mark: string): boolean {
  return mark.startsWith("blocked by ");
}

function keyOf({ name, type }: Pick<Effect, "name" | "type">): string {
  return `${name} ${type}`;
}

/** Blocks of a guard in a zone as reports show them: one, or those of several targets that are approved alike. */
export interface ShownBlock extends Pick<JudgedBlock, "guard" | "zone" | "state" | "reason"> {
  readonly texts: readonly string[];
  /** The targets of a block that not all of its zone's have: `on office`. */
  readonly on?: string;
  /** The block of each target, which has an approval of its own in `acks.yaml`. */
  readonly blocks: readonly [JudgedBlock, ...JudgedBlock[]];
}

/** The block of a plan for one target. */
export function shownBlock(block: JudgedBlock): ShownBlock {
  return { ...block, texts: findingTexts(block), blocks: [block] };
}

/** Maximum number of listed findings per block on a terminal; further ones are counted. */
const mostFindings = 3;

/** Options of `blockLines`. */
interface BlockOptions {
  readonly indent: string;
  /** The last day of an acknowledgement. */
  readonly until: string;
  readonly width: number | undefined;
  readonly colors: Palette;
}

/** A blocked change with its reasons, and either the two ways to approve it or how it was approved. */
export function blockLines(block: ShownBlock, { indent, until, width, colors }: BlockOptions): string[] {
  const { reason, texts } = block;
  const isBlocked = block.state === "blocked";
  const shown = width === undefined ? texts : texts.slice(0, mostFindings);
  const more =
    texts.length > shown.length
      ? [inWordsOf(colors.door)`and ${texts.length - shown.length} more; ${{ set: "wide" }} lists them`]
      : [];
  const head = isBlocked
    ? `blocked by ${guardText(block)}:`
    : `${guardText(block)} ${approvalText(block, colors.door)}:`;
  const [only] = texts.length === 1 ? texts : [];
  const [first, ...rest] = only === undefined ? [head, ...shown, ...more] : [`${head} ${only}`];
  const approved =
    reason === undefined ? [] : wrap(`${indent}  reason: ${escapeControl(reason)}`, width, indent.length + 4);
  const [word, paint] = isBlocked ? ["blocked", colors.red] : ["approved", colors.dim];
  const approval = isBlocked ? approvalLines(block, { indent, until, width, colors }) : approved;
  return [
    ...wrap(`${indent}${first}`, width, indent.length + 2).map((line, at) =>
      at === 0 ? line.replace(word, paint(word)) : line,
    ),
    ...rest.flatMap((text) => wrap(`${indent}  ${text}`, width, indent.length + 4)),
    ...approval,
  ];
}

/**
 * The two ways to approve a block. If they do not fit on a line, the YAML has separate lines for pasting, and so it has
 * for several targets, which have an entry each.
 */
function approvalLines({ guard, blocks }: ShownBlock, { indent, until, width, colors }: BlockOptions): string[] {
  const words = inWordsOf(colors.door);
  const [block] = blocks;
  const line = words`${indent}  to approve: ${remedy(block, until)}`;
  if (blocks.length === 1 && (width === undefined || columns(line) <= width)) return [line];
  return [
    ...wrap(
      words`${indent}  to approve: ${{ set: "allow", to: guard }}, or add to acks.yaml:`,
      width,
      indent.length + 4,
    ),
    ...blocks.flatMap((block) => entryLines(ackFields(block, until), width)),
  ];
}

/** An entry of `acks.yaml`. A field that is broken inside would not be YAML any more. */
function entryLines(all: readonly string[], width = Number.POSITIVE_INFINITY): string[] {
  const fields: string[] = [];
  for (const field of all) {
    const line = `${fields.at(-1)}, ${field}`;
    if (fields.length > 0 && columns(line) <= width - "- { ".length - " }".length) fields[fields.length - 1] = line;
    else fields.push(field);
  }
  return `- { ${fields.join(",\n    ")} }`.split("\n");
}

/** The guards that a zone is blocked by, or the approvals, on one line. */
export function zoneMark(blocks: readonly Pick<JudgedBlock, "guard" | "state">[]): string {
  const blocking = blocks.filter(({ state }) => state === "blocked").map(({ guard }) => guard);
  const approved = blocks.filter(({ state }) => state !== "blocked").map(markOf);
  return [...(blocking.length > 0 ? [`blocked by ${blocking.join(", ")}`] : []), ...approved].join(", ");
}

/** The guards that block zones, each with the number of zones and the way to approve all. */
export function guardCounts(blocks: readonly Pick<JudgedBlock, "guard" | "state">[], { red, door }: Palette): string[] {
  const zones = new Map<JudgedBlock["guard"], number>();
  for (const { guard, state } of blocks) if (state === "blocked") zones.set(guard, (zones.get(guard) ?? 0) + 1);
  return [...zones]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([guard, number]) => [
      `${red("blocked")} by ${guardText({ guard })} in ${count(number, "zone")}`,
      inWordsOf(door)`  to approve all: ${{ set: "allow", to: guard }}`,
    ]);
}
