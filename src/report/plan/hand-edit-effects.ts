import { type NameKey, nameKey } from "../../dns/name/name.ts";
import type { ZoneRecord } from "../../dns/zone/zone.ts";
import type { RecordChange, SettingChange } from "../../planner/changes/change.ts";
import type { DriftFinding, ZoneFinding } from "../../workflow/drift/finding.ts";
import { attributionText } from "../text/drift-words.ts";

/** The consequences of undoing changes that were made outside git, for the lines of a plan. */
export interface HandEditEffects {
  readonly ofWrites: (writes: readonly RecordChange[]) => string[];
  readonly ofSetting: (change: SettingChange) => string[];
  readonly ofZone: () => string[];
}

/** The consequences in one zone. A write undoes an edit if it replaces its record, or creates what it deleted. */
export function handEditEffects(edits: readonly ZoneFinding[], zone: NameKey): HandEditEffects {
  const own = edits.filter((edit) => nameKey(edit.zone) === zone).map(({ finding }) => finding);
  const byRecord = new Map<ZoneRecord, DriftFinding>();
  for (const finding of own) {
    if (finding.kind !== "record") continue;
    const { git, live } = finding;
    for (const record of (live ?? git)?.records ?? []) byRecord.set(record, finding);
  }
  return {
    ofWrites: (writes) =>
      effectsOf(
        writes.flatMap((write) => [
          ...(write.kind === "create" ? [] : [byRecord.get(write.before)]),
          ...(write.kind === "delete" ? [] : [byRecord.get(write.after)]),
        ]),
      ),
    ofSetting: ({ name }) => effectsOf(own.filter((finding) => finding.kind === "setting" && finding.name === name)),
    ofZone: () => effectsOf(own.filter((finding) => finding.kind === "zone")),
  };
}

function effectsOf(findings: readonly (DriftFinding | undefined)[]): string[] {
  return [...new Set(findings)].flatMap((finding) => {
    if (!finding) return [];
    const verb = finding.kind === "zone" ? "a deletion" : "a change";
    const by = finding.by ? `, ${attributionText(finding.by)}` : "";
    return [`undoes ${verb} made outside git${by}`];
  });
}
