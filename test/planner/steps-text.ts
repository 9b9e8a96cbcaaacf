import { type Name, relativeTo } from "../../src/dns/name/name.ts";
import { rdataText, type ZoneRecord } from "../../src/dns/zone/zone.ts";
import type { RecordChange, SettingChange, ZonePlan } from "../../src/planner/changes/change.ts";

/**
 * The writes of a plan in their order, one on a line: `+ record`, `- record`, `~ before -> after`, and for a setting of
 * the zone `= name before -> after`. The writes of a swap stand indented under it.
 */
export function stepsText({ steps, settings, zone }: Pick<ZonePlan, "steps" | "settings" | "zone">): string {
  const line = (change: RecordChange) => changeLine(change, zone.name);
  return [
    ...steps.flatMap(({ kind, writes }) =>
      kind === "write" ? writes.map(line) : ["swap", ...writes.map((change) => `  ${line(change)}`)],
    ),
    ...settings.map(settingLine),
  ].join("\n");
}

export function settingLine({ name, before, after }: SettingChange): string {
  return `= ${name} ${before} -> ${after}`;
}

export function changeLine(change: RecordChange, zone: Name): string {
  switch (change.kind) {
    case "create":
      return `+ ${recordLine(change.after, zone)}`;
    case "update":
      return `~ ${recordLine(change.before, zone)} -> ${recordLine(change.after, zone)}`;
    case "delete":
      return `- ${recordLine(change.before, zone)}`;
  }
}

export function recordLine(record: ZoneRecord, zone: Name): string {
  const spell = (name: Name) => relativeTo(name, zone);
  return [spell(record.owner), record.ttl, record.type, rdataText(record, spell)]
    .filter((part) => part !== undefined)
    .join(" ");
}
