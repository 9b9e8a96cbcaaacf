import type { RecordChange, ZonePlan } from "../../src/planner/change.ts";
import { relativeTo } from "../../src/zone/name.ts";
import { rdataText, type ZoneRecord } from "../../src/zone/zone.ts";

/**
 * The writes of a plan in their order, one on a line: `+ record`, `- record`, `~ before -> after`, and for a setting of
 * the zone `= name before -> after`. Writes that belong together stand indented under `swap` or `together`.
 */
export function stepsText({ steps, settings, zone }: Pick<ZonePlan, "steps" | "settings" | "zone">): string {
  const line = (change: RecordChange) => changeLine(change, zone.name);
  return [
    ...steps.flatMap(({ kind, writes }) =>
      kind === "write" && writes.length === 1
        ? writes.map(line)
        : [kind === "swap" ? "swap" : "together", ...writes.map((change) => `  ${line(change)}`)],
    ),
    ...settings.map(({ name, before, after }) => `= ${name} ${before} -> ${after}`),
  ].join("\n");
}

export function changeLine(change: RecordChange, zone: string): string {
  switch (change.kind) {
    case "create":
      return `+ ${recordLine(change.after, zone)}`;
    case "update":
      return `~ ${recordLine(change.before, zone)} -> ${recordLine(change.after, zone)}`;
    case "delete":
      return `- ${recordLine(change.before, zone)}`;
  }
}

export function recordLine(record: ZoneRecord, zone: string): string {
  const spell = (name: string) => relativeTo(name, zone);
  return [spell(record.owner), record.ttl, record.type, rdataText(record, spell)]
    .filter((part) => part !== undefined)
    .join(" ");
}
