import * as z from "zod";
import { adviceText } from "../../diagnostics/advice.ts";
import { type Problem, summaryText } from "../../diagnostics/problem.ts";
import type { NameKey } from "../../dns/name/name.ts";
import { canonical } from "../../dns/zone/zone.ts";
import type { FailedTarget } from "../../planner/plan-file/plan-set.ts";
import { driftClasses, type RecordVersion } from "../../workflow/drift/classes.ts";
import type { DriftReport } from "../../workflow/drift/drift.ts";
import type { DriftFinding } from "../../workflow/drift/finding.ts";

/** Minor versions add optional parts; another major version is another format. */
const driftFormat = "zonewright.drift/1";
const driftsFormat = "zonewright.drifts/1";

const value = z
  .object({
    ttl_sec: z.array(z.int().min(0)).describe("The TTL of each copy of the record, in seconds"),
    rdata: z.string().describe("In zone file syntax, names in lower case"),
  })
  .nullable();
const setting = z.union([z.string(), z.number(), z.array(z.string())]).nullable();
const isThere = z.boolean().nullable();
const user = z.string().describe("The name of a user of the account");
const byRun = {
  run: z.string().optional().describe("The run of this project that made the change, as its journal proves"),
  probableRun: z
    .string()
    .optional()
    .describe("The run that probably made it: the user of the run is unknown, or the event log is incomplete"),
  possibleRun: z.string().optional().describe("A run that may have made it: more events match than it has writes"),
};

const by = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("exact"), user, time: z.string(), ...byRun }),
    z.object({ kind: z.literal("user"), user, from: z.string(), to: z.string(), ...byRun }),
    z.object({ kind: z.literal("one-of"), users: z.array(user) }),
    z.object({ kind: z.literal("unknown"), why: z.string() }),
  ])
  .optional()
  .describe("The author outside git: exact, certain user of several possible writes, one of some users, or unknown");

const formerKey = "The same as snapshot, whose name it was; it ends with the next version";
const place = z
  .object({ place: z.string().describe("A file, or ref: and the name of a git ref"), time: z.iso.datetime() })
  .nullable();
const found = {
  class: z.enum(driftClasses),
  name: z.string().describe("Absolute, with the final dot, in lower case"),
};
const sides = <T extends z.ZodType>(side: T) => ({
  snapshot: side.describe("As last applied; null if absent or unknown"),
  base: side.describe(formerKey),
  git: side.describe("As the service would store the zone file; null if absent"),
  live: side.describe("null if absent"),
});

/** The differences between snapshot, git and live zones, for programs. */
const driftSchema = z.object({
  format: z.literal(driftFormat),
  snapshot: place.describe("null: git and the live zones were compared alone, or with baselines"),
  base: place.describe(formerKey),
  reading: z.object({
    events: z.int().describe("Events since the snapshot"),
    zones: z.int().describe("Zones whose records were read"),
    requests: z.int().describe("Requests that were sent"),
    fullBecause: z.string().optional().describe("Why every zone was read"),
  }),
  baselines: z
    .int()
    .optional()
    .describe(
      "Zones that were compared with the state after the last run, or in the published snapshot; absent if a snapshot is named",
    ),
  compared: z.int().describe("Zones with a file"),
  inSync: z.int().describe("Zones without a finding"),
  counts: z.record(z.enum(driftClasses), z.int()).describe("Findings by class"),
  zones: z.array(
    z.object({
      zone: z.string(),
      file: z.string().optional().describe("Absent for a zone without a file"),
      findings: z.array(
        z.discriminatedUnion("kind", [
          z.object({ kind: z.literal("record"), ...found, type: z.string(), ...sides(value), by }),
          z.object({
            kind: z.literal("setting"),
            ...found,
            type: z.string().describe("The name of the setting"),
            ...sides(setting),
            by,
          }),
          z.object({ kind: z.literal("zone"), ...found, ...sides(isThere), by }),
        ]),
      ),
    }),
  ),
  notes: z.array(
    z.object({
      severity: z.enum(["error", "warning", "note"]),
      rule: z.string(),
      summary: z.string(),
      fix: z.string().optional(),
    }),
  ),
});

type DriftJson = z.output<typeof driftSchema>;

/** The JSON Schema (draft 7, which editors know best) of a drift report. */
export function driftJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(driftSchema, { target: "draft-7", io: "input" });
  return { $schema: schema.$schema, $id: "urn:zonewright:drift", title: "Drift report", ...schema };
}

const driftsSchema = z.object({
  format: z.literal(driftsFormat),
  reports: z.array(driftSchema.extend({ target: z.string().describe("The name of the target in the config") })),
  failed: z
    .array(z.object({ target: z.string(), problems: driftSchema.shape.notes }))
    .optional()
    .describe("The targets on which drift could not be looked for, and why"),
});

/** The JSON Schema (draft 7) of the drift reports of several targets. */
export function driftsJsonSchema(): Record<string, unknown> {
  const schema = z.toJSONSchema(driftsSchema, { target: "draft-7", io: "input" });
  return {
    $schema: schema.$schema,
    $id: "urn:zonewright:drifts",
    title: "Drift reports of several targets",
    ...schema,
  };
}

/** The drift of several targets, for programs. */
export function driftsJson(
  drifts: readonly { readonly target: string; readonly report: DriftReport }[],
  failed: readonly FailedTarget[],
): z.output<typeof driftsSchema> {
  return {
    format: driftsFormat,
    reports: drifts.map(({ target, report }) => ({ target, ...driftJson(report) })),
    ...(failed.length > 0 && {
      failed: failed.map(({ target, problems }) => ({ target, problems: problems.map(noteJson) })),
    }),
  };
}

export function driftJson({
  snapshot,
  baselines,
  reading: { fullBecause, ...reading },
  requests,
  compared,
  inSync,
  zones,
  notes,
}: DriftReport): DriftJson {
  const all = zones.flatMap(({ findings }) => findings);
  const numbers = driftClasses.map((name) => [name, all.filter((finding) => finding.class === name).length] as const);
  return {
    format: driftFormat,
    ...withFormerKey(snapshot ?? null),
    reading: {
      ...reading,
      ...(fullBecause !== undefined && { fullBecause: adviceText(fullBecause, "cli") }),
      requests,
    },
    ...(baselines !== undefined && { baselines }),
    compared,
    inSync,
    counts: Object.fromEntries(numbers) as DriftJson["counts"],
    zones: zones.map(({ zone, file, findings }) => ({
      zone,
      ...(file !== undefined && { file }),
      findings: findings.map((finding) => findingJson(finding, zone)),
    })),
    notes: notes.map(noteJson),
  };
}

function noteJson(note: Problem): DriftJson["notes"][number] {
  return {
    severity: note.severity,
    rule: note.id,
    summary: summaryText(note, "cli"),
    ...(note.fix !== undefined && { fix: adviceText(note.fix, "cli") }),
  };
}

const withFormerKey = <T>(snapshot: T) => ({ snapshot, base: snapshot });

function findingJson(finding: DriftFinding, zone: NameKey): DriftJson["zones"][number]["findings"][number] {
  const { class: found } = finding;
  const author = finding.by && { by: finding.by as z.output<typeof by> };
  switch (finding.kind) {
    case "zone":
      return {
        kind: "zone",
        class: found,
        name: zone,
        ...withFormerKey(finding.snapshot ?? null),
        git: finding.git,
        live: finding.live,
        ...author,
      };
    case "setting": {
      const valueOfSide = (side: typeof finding.git) =>
        side === undefined ? null : (side as string | number | string[]);
      return {
        kind: "setting",
        class: found,
        name: zone,
        type: finding.name,
        ...withFormerKey(valueOfSide(finding.snapshot)),
        git: valueOfSide(finding.git),
        live: valueOfSide(finding.live),
        ...author,
      };
    }
    case "record":
      return {
        kind: "record",
        class: found,
        name: finding.owner,
        type: finding.type,
        ...withFormerKey(versionJson(finding.snapshot)),
        git: versionJson(finding.git),
        live: versionJson(finding.live),
        ...author,
      };
  }
}

function versionJson(version: RecordVersion | undefined): z.output<typeof value> {
  const [first] = version?.records ?? [];
  return version && first ? { ttl_sec: [...version.ttls], rdata: canonical(first) } : null;
}
