import { adviceText, type Door } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type NameKey, relativeTo } from "../../dns/name/name.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import { noEventLog } from "../../targets/no-event-log.ts";
import type { Attribution, ByRun } from "../../workflow/drift/attribution.ts";
import { type DriftClass, driftClasses, type RecordVersion } from "../../workflow/drift/classes.ts";
import type { DriftReport } from "../../workflow/drift/drift.ts";
import { type DriftFinding, isDrift } from "../../workflow/drift/finding.ts";
import { quoteValue } from "./setting-lines.ts";

/** One finding as text, without control characters. */
export interface FindingText {
  readonly class: DriftClass;
  /** `www A`, `ttl_sec` or `(zone)` */
  readonly subject: string;
  /** Its contents on the sides that matter for its class, or one sentence without a side. */
  readonly sides: readonly { readonly side: "snapshot" | "git" | "live" | ""; readonly text: string }[];
  /** Its author outside git; empty if it was not made there. */
  readonly by: string;
}

export function findingText(finding: DriftFinding, zone: NameKey): FindingText {
  const by = finding.by ? attributionText(finding.by) : "";
  const found = { class: finding.class, by };
  switch (finding.kind) {
    case "zone":
      return { ...found, subject: "(zone)", sides: [{ side: "", text: zoneSentences[finding.class] }] };
    case "setting": {
      const textOf = (value: unknown) => quoteValue(value);
      return { ...found, subject: escapeControl(finding.name), sides: sidesOf(finding, textOf) };
    }
    case "record": {
      const subject = escapeControl(`${relativeTo(finding.owner, zone)} ${finding.type}`);
      return { ...found, subject, sides: sidesOf(finding, (version) => versionText(version, zone)) };
    }
  }
}

const zoneSentences: Readonly<Record<DriftClass, string>> = {
  conflict: "changed in git and outside",
  drift: "deleted outside git",
  foreign: "created outside git",
  converged: "created in git and outside",
  removed: "deleted in git and outside",
  pending: "new in git",
  differs: "only in git",
};

/** The sides that a class is about. */
const sidesOfClass: Readonly<Record<DriftClass, readonly ("snapshot" | "git" | "live")[]>> = {
  conflict: ["snapshot", "git", "live"],
  drift: ["snapshot", "live"],
  foreign: ["live"],
  converged: ["snapshot", "live"],
  removed: ["snapshot"],
  pending: ["snapshot", "git"],
  differs: ["git", "live"],
};

function sidesOf<T>(
  finding: { readonly class: DriftClass; readonly snapshot?: T; readonly git?: T; readonly live?: T },
  textOf: (value: NonNullable<T>) => string,
): FindingText["sides"] {
  return sidesOfClass[finding.class].map((side) => {
    const value = finding[side];
    return { side, text: value === undefined || value === null ? "(none)" : textOf(value) };
  });
}

/** `300 192.0.2.1`, or `300 192.0.2.1 (2 copies)` */
function versionText({ records, ttls }: RecordVersion, zone: NameKey): string {
  const [first] = records;
  if (!first) return "(none)";
  const copies = records.length > 1 ? ` (${records.length} copies)` : "";
  const value = escapeControl(rdataText(first, (name) => relativeTo(name, zone)));
  return `${[...new Set(ttls)].join(" and ")} ${value}${copies}`;
}

/** The author of a change. Only an exact attribution and one of a single user name one user. */
export function attributionText(by: Attribution): string {
  switch (by.kind) {
    case "exact":
      return authorText(by, `at ${escapeControl(by.time)}Z`);
    case "user":
      return authorText(by, `between ${escapeControl(by.from)}Z and ${escapeControl(by.to)}Z`);
    case "one-of":
      return `by one of ${by.users.map(userText).join(", ")}; the event log does not tell which`;
    case "unknown":
      return `author unknown: ${escapeControl(by.why)}`;
  }
}

function authorText(by: { readonly user: string } & ByRun, when: string): string {
  const author = `by ${userText(by.user)}`;
  const runText = (run: string) => `in run ${escapeControl(run)} of this project`;
  if (by.run !== undefined) return `${author} ${runText(by.run)} ${when}`;
  if (by.probableRun !== undefined) return `${author}, probably ${runText(by.probableRun)}, ${when}`;
  if (by.possibleRun !== undefined) return `${author}, possibly ${runText(by.possibleRun)}, ${when}`;
  return `${author} ${when}`;
}

/** In quotes, so that a name cannot be mistaken for the rest of the sentence. */
function userText(user: string): string {
  return escapeControl(JSON.stringify(user));
}

/** `in sync`, or the findings by class: `none, 1 pending change` if nothing was changed outside git. */
export function verdictText({ zones }: Pick<DriftReport, "zones">): string {
  if (zones.length === 0) return "in sync";
  const hasDrift = zones.some(({ findings }) => findings.some(isDrift));
  return `${hasDrift ? "" : "none, "}${countClasses(zones)}`;
}

/** The number of findings of each class, in words. */
const nouns: Readonly<Record<DriftClass, (number: number) => string>> = {
  conflict: (number) => count(number, "conflict"),
  drift: (number) => `${count(number, "change")} outside git`,
  foreign: (number) => `${count(number, "addition")} outside git`,
  converged: (number) => count(number, "converged change"),
  removed: (number) => count(number, "converged deletion"),
  pending: (number) => count(number, "pending change"),
  differs: (number) => count(number, "difference"),
};

/** The number of findings of each class that occurs: `1 conflict, 2 additions outside git`. */
function countClasses(zones: DriftReport["zones"]): string {
  const findings = zones.flatMap((zone) => zone.findings);
  return driftClasses
    .map((name) => ({ name, number: findings.filter((finding) => finding.class === name).length }))
    .filter(({ number }) => number > 0)
    .map(({ name, number }) => nouns[name](number))
    .join(", ");
}

/** The source of the live zones: `snapshot ref:… of 2026-03-04T12:00:00Z; 2 events since, 1 zone read`. */
export function readingTexts({ snapshot, baselines, reading, compared }: DriftReport, door: Door): string[] {
  const zones = `${count(reading.zones, "zone")} read`;
  const full = reading.fullBecause;
  if (baselines !== undefined)
    return [`last known state of ${baselines} of ${count(compared, "zone")}; ${zones}, without a log of events`];
  if (!snapshot) return [`no snapshot: ${zones}, so changes in git cannot be told from changes elsewhere`];
  const since = full === noEventLog ? "" : `${count(reading.events, "event")} since then, `;
  const why = full === undefined ? zones : `all zones read (${escapeControl(adviceText(full, door))})`;
  return [`snapshot ${escapeControl(snapshot.place)} of ${snapshot.time}; ${since}${why}`];
}
