import { hasErrors, type Problem } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { asId, type LiveRecord, type LiveZone } from "../../dns/zone/desired-live.ts";
import { canonical, copyRecord, type ZoneRecord } from "../../dns/zone/zone.ts";
import { blankSettings, findSetting, type SettingValue, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { FormatName } from "../../formats/readers.ts";
import { digestJson } from "../../planner/changes/digests.ts";
import type { TargetKind } from "../../targets/target.ts";
import { withoutSerial } from "../../targets/without-serial.ts";
import { compareSides, type DriftDifference, type RecordVersion } from "../drift/classes.ts";
import type { ComparedZone } from "../drift/drift.ts";
import { type DriftFinding, isDrift, type ZoneFinding } from "../drift/finding.ts";
import { type Importing, liveZoneFile } from "../import/import.ts";
import { mapItems } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import { checkZones, existingZones, readContents } from "../zones/zones.ts";

/** Limits beyond which drift is not written, because so much of it needs another look. */
export interface AdoptionLimits {
  readonly records: number;
  readonly zones: number;
}

export const adoptionLimits: AdoptionLimits = { records: 200, zones: 20 };

/** The zone files with the changes that were made outside git. */
export interface Adoption {
  readonly files: readonly AdoptedFile[];
  /** Findings that a person must decide or write. */
  readonly left: readonly LeftFinding[];
  /** Present if nothing is written, because more was changed than the limits allow. */
  readonly exceeded?: { readonly records: number; readonly zones: number; readonly limits: AdoptionLimits };
}

/** A zone file with new contents. */
export interface AdoptedFile {
  readonly zone: NameKey;
  readonly file: string;
  readonly text: string;
  readonly findings: readonly DriftFinding[];
  readonly notes: readonly string[];
}

export interface LeftFinding extends ZoneFinding {
  readonly why: string;
}

/**
 * Merges drift into the zone files; comments and everything else stay. Conflicts are left to a person. Each new file is
 * read again: a plan of it must not undo what it adopts.
 */
export async function adoptDrift(
  project: Project,
  { accept }: Pick<TargetKind, "accept">,
  compared: readonly ComparedZone[],
  limits: AdoptionLimits,
): Promise<Adoption> {
  const drifted = compared.filter(({ findings }) => findings.some(isDrift));
  const records = drifted.flatMap(({ findings }) => findings.filter(isDrift)).length;
  if (records > limits.records || drifted.length > limits.zones)
    return { files: [], left: [], exceeded: { records, zones: drifted.length, limits } };
  const existing = (await existingZones(project)).map(({ zone, included }) => ({
    name: zone.name,
    included: included.map(({ file }) => file),
  }));
  const importing: Importing = { project, accept, to: "yaml" satisfies FormatName, existing };
  const results = await mapItems(project, ["writing drift into zone files", "zone"], drifted, (zone) =>
    adoptZone(importing, zone),
  );
  const adopted = await Promise.all(results);
  return { files: adopted.flatMap(({ file }) => file ?? []), left: adopted.flatMap(({ left }) => left) };
}

interface AdoptedZone {
  readonly file?: AdoptedFile;
  readonly left: readonly LeftFinding[];
}

async function adoptZone(importing: Importing, zone: ComparedZone): Promise<AdoptedZone> {
  const name = nameKey(zone.git.name);
  const drift = zone.findings.filter(isDrift);
  const reasons = new Map(drift.flatMap((finding) => leaveReason(finding).map((why) => [finding, why] as const)));
  const leave = (why: string): AdoptedZone => ({
    left: drift.map((finding) => ({ zone: name, finding, why: reasons.get(finding) ?? why })),
  });
  const before = new Set(zone.findings.map(sidesKey));
  for (;;) {
    const findings = drift.filter((finding) => !reasons.has(finding));
    if (findings.length === 0) return leave("");
    const { imported: made } = liveZoneFile(importing, withFindings(importing.project, zone, findings), zone.read);
    if (made.state === "manual") return leave(made.problems[0]?.summary ?? "the file must be edited by hand");
    if (made.state === "read-only") return leave(`files of the format ${made.format} can be read but not written`);
    if (made.state === "same") return leave("the file cannot contain it as it is");
    const { file, text } = made;
    const { problems, remaining } = await checkAdopted(importing, zone, text);
    const left = new Set(remaining.map(keyOf));
    if (hasErrors(problems)) return leave(problems.find(({ severity }) => severity === "error")?.summary ?? "");
    const undone = findings.filter((finding) => left.has(keyOf(finding)));
    const adopted = new Set(findings.map(keyOf));
    const isNew = (one: DriftDifference) => !before.has(sidesKey(one)) && !adopted.has(keyOf(one));
    const others = remaining.filter(isNew);
    if (undone.length === 0 && others.length > 0) {
      const causes = findings.filter((finding) => others.some((other) => isCause(finding, other)));
      if (causes.length === 0) return leave("the file would also change other records");
      for (const finding of causes) reasons.set(finding, "the file would then give other records another TTL or value");
      continue;
    }
    if (undone.length === 0) {
      const notes = [...made.notes, ...(made.state === "changed" ? made.problems.map(({ summary }) => summary) : [])];
      return {
        file: { zone: name, file, text, findings, notes },
        left: [...reasons].map(([finding, why]) => ({ zone: name, finding, why })),
      };
    }
    for (const finding of undone) reasons.set(finding, "the file cannot contain it as it is");
  }
}

/** Whether writing a finding can change a record besides: those of its RRset, and those with the TTL of the zone. */
function isCause(finding: DriftFinding, other: DriftDifference): boolean {
  if (finding.kind === "setting") return finding.name === "ttl_sec";
  return (
    finding.kind === "record" && other.kind === "record" && finding.owner === other.owner && finding.type === other.type
  );
}

/** Why a finding is not written: empty if it can be. */
function leaveReason(finding: DriftFinding): string[] {
  if (finding.class === "conflict") return ["it was changed in git and outside, in different ways"];
  if (finding.class === "differs") return ["nothing tells whether it was changed in git or outside"];
  if (finding.kind === "zone") return ["apply creates the deleted zone again; to keep it deleted, delete its file"];
  const isTwice = finding.kind === "record" && (finding.live?.records.length ?? 0) > 1;
  return isTwice ? ["a zone file contains each record once"] : [];
}

/** The zone as git has it, with some of its live changes, in the form of a stored zone. */
function withFindings(
  project: Project,
  { git, live, read, findings: known }: ComparedZone,
  findings: readonly DriftFinding[],
): LiveZone {
  const { settings } = project.target.capabilities;
  const inherited = { ...blankSettings(settings), ...project.defaults, ...read.fromTemplates?.settings };
  const own: Record<string, SettingValue> = {};
  for (const [name, value] of Object.entries(git.settings)) if (value !== undefined) own[name] = value;
  const replaced = new Set<ZoneRecord>();
  const added: LiveRecord[] = [];
  for (const finding of findings) {
    if (finding.kind === "setting" && finding.live !== undefined) own[finding.name] = finding.live;
    if (finding.kind !== "record") continue;
    for (const record of finding.git?.records ?? []) replaced.add(record);
    for (const record of (finding.live?.records ?? []) as readonly LiveRecord[]) added.push(withoutSerial(record));
  }
  // If the TTL of the zone changes, other records are written with the TTL, or without one, that they have live.
  const isTtlNew = findings.some((finding) => finding.kind === "setting" && finding.name === "ttl_sec");
  const different = new Set(
    known.flatMap((finding) => (finding.kind === "record" ? (finding.git?.records ?? []) : [])),
  );
  const stored = new Map((isTtlNew ? (live?.records ?? []) : []).map((record) => [contentOf(record), record]));
  const kept = git.records
    .filter((record) => !replaced.has(record))
    .map((record) => {
      const same = different.has(record) ? undefined : stored.get(contentOf(record));
      return copyRecord(record, { id: asId(0), ttl: same ? same.ttl : record.ttl });
    });
  const all: ZoneSettings = { ...inherited, ...own };
  const stated: ZoneSettings = {
    ...all,
    type: git.settings.type ?? "master",
    status: all.status ?? "active",
    ttl_sec: all.ttl_sec ?? 0,
  };
  return {
    name: git.name,
    id: asId(live?.id ?? 0),
    defaultTimes: git.defaultTimes,
    settings: Object.fromEntries(Object.entries(stated).filter(([name]) => findSetting(settings, name))),
    records: [...kept, ...added],
  };
}

/** Reads a new file: its problems, and its differences from the live zone. */
async function checkAdopted(
  { project, accept }: Importing,
  { read, snapshot, live, apex }: ComparedZone,
  text: string,
): Promise<{
  readonly problems: readonly Problem[];
  /** The differences that are still to be written to the service, or undone there. */
  readonly remaining: readonly DriftDifference[];
}> {
  const next = readContents(project, read, Buffer.from(text));
  const context = { isStrict: false, selected: project.selected, signal: project.signal };
  const { problems, desired } = await checkZones(
    { zones: [next], problems: [], switches: project.switches },
    context,
    accept,
  );
  const [git] = desired;
  const differences = git ? compareSides({ snapshot, git, live, apex }) : [];
  return { problems, remaining: differences.filter((one) => one.class === "pending" || isDrift(one)) };
}

/** The class and the contents of a difference. */
function sidesKey(finding: DriftDifference): string {
  if (finding.kind !== "record") {
    const { kind, class: found, snapshot, git, live } = finding;
    return digestJson([kind, found, kind === "setting" ? finding.name : null, snapshot, git, live]);
  }
  const { owner, type, class: found, snapshot, git, live } = finding;
  // Without the TTL of the zone, which may be a finding itself.
  const textOf = (version: RecordVersion | undefined) =>
    version ? version.records.map((record) => [record.ttl ?? null, canonical(record)]) : null;
  return digestJson([owner, type, found, textOf(snapshot), textOf(git), textOf(live)]);
}

/** The live content that a finding is about, independent of git. */
function keyOf(finding: DriftDifference): string {
  switch (finding.kind) {
    case "zone":
      return "zone";
    case "setting":
      return `setting ${finding.name}`;
    case "record": {
      const { owner, type, snapshot, live } = finding;
      const textOf = (records: readonly ZoneRecord[] = []) =>
        records.map((record) => [record.ttl ?? null, canonical(record)]);
      return digestJson([owner, type, live ? textOf(live.records) : "none", live ? null : textOf(snapshot?.records)]);
    }
  }
}

function contentOf(record: ZoneRecord): string {
  return `${nameKey(record.owner)} ${record.type} ${canonical(record)}`;
}

/** SHA-256 of changes outside git, independent of their order and of who made them. */
export function driftDigest(findings: readonly ZoneFinding[]): string {
  return digestJson(findings.map(({ zone, finding }) => `${zone} ${finding.class} ${keyOf(finding)}`).sort());
}
