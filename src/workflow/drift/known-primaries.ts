import { advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { isSameName, type Name, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { isType, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { TargetKind } from "../../targets/target.ts";
import { publishedRef } from "../git/git-ref.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { isOfApi, type Snapshot } from "../project/snapshot-target.ts";
import { shownTarget } from "../project/targets.ts";
import { liveZonesOf } from "../snapshot/snapshot.ts";
import { existingZones } from "../zones/zones.ts";
import { type AcceptedApex, type Apex, keepAccepted, readAccepted } from "./accepted-primaries.ts";
import { findLastKnown, type LastKnown } from "./baselines.ts";

/** Zones of the service at `api`. */
interface ZonesOfService {
  readonly api: string;
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

/** A zone with another primary or other name servers than the ones that are known. */
export interface PrimaryChange {
  readonly zone: NameKey;
  readonly now: AcceptedApex;
  readonly problem: Problem;
  /** The way on for a person who has seen the changes. */
  readonly next: Fix;
}

/** Whether zones are known by their apex: not those of the API, and not those whose SOA record is ours. */
export function isKnownByPrimary({ capabilities: { apex, serial } }: Pick<TargetKind, "capabilities">): boolean {
  return apex === "ours" && serial !== "ours";
}

/**
 * Refuses zones that are not those of the last run: a key can select another view, whose zone of the same name a plan
 * would then change. Returns a note if no zone is known.
 * @throws {ProblemError} `primary-changed`
 */
export async function checkPrimaries(project: Project, zones: ZonesOfService): Promise<readonly Problem[]> {
  const { notes, changes } = await findPrimaryChanges(project, zones);
  refuseChanges(changes);
  return notes;
}

/** @throws {ProblemError} `primary-changed` */
export function refuseChanges(changes: readonly PrimaryChange[]): void {
  if (changes.length > 0) throw new ProblemError(changes.map((change) => change.problem));
}

/**
 * The zones that may not be those of the last run. A zone is known by its primary and name servers, as the last run
 * that wrote to it left them, or as a newer published snapshot has them, or as they were accepted since. The name
 * servers of its file are its own as well: git has the changes of other machines.
 */
export async function findPrimaryChanges(
  project: Project,
  { api, live }: ZonesOfService,
): Promise<{ readonly notes: readonly Problem[]; readonly changes: readonly PrimaryChange[] }> {
  if (project.view === undefined || !isKnownByPrimary(project.target) || live.size === 0)
    return { notes: [], changes: [] };
  const lastKnown = await findLastKnown(project, { api, live }, [...live.keys()]);
  const known = [...lastKnown].flatMap(([zone, found]) =>
    found.state === "known" && found.zone ? [{ zone, found, before: found.zone }] : [],
  );
  if (known.length === 0) return { notes: [unknownNote([...lastKnown.values()])], changes: [] };
  const accepted = readAccepted(project);
  const changes: PrimaryChange[] = [];
  let files: ReadonlyMap<NameKey, string> | undefined;
  for (const { zone, found, before } of known) {
    const stored = live.get(zone);
    if (stored === undefined) continue;
    const since = "run" in found ? found.run : found.time;
    const now = { ...apexOf(stored), since };
    const kept = accepted[zone];
    const candidates = [apexOf(before), ...(kept?.since === since ? [kept] : [])];
    const hasPrimary = candidates.some(({ primary }) => primary === now.primary);
    if (hasPrimary && candidates.some(({ servers }) => servers === now.servers)) continue;
    files ??= await serversOfFiles(project);
    if (hasPrimary && files.get(zone) === now.servers) continue;
    changes.push({ zone, now, ...describeChange(project, found, [apexOf(before), now], before.name) });
  }
  return { notes: [], changes };
}

/** Keeps the primary and the name servers that zones have now as their own. */
export function acceptPrimaries(
  context: RunContext,
  project: Project,
  changes: readonly PrimaryChange[],
): Promise<Problem[]> {
  const accepted = new Map(changes.map(({ zone, now }) => [zone, now]));
  const notes = changes.map(({ zone, now: { primary, servers } }) =>
    problem(
      "primary-accepted",
      `${textOf(zone)}: accepted the primary ${primary} and the name servers ${servers || "none"}`,
    ),
  );
  return changes.length === 0 ? Promise.resolve([]) : keepAccepted(context, project, accepted).then(() => notes);
}

/**
 * Refuses to publish zones of another view: later commands would know the zones by them.
 * @throws {ProblemError} `primary-changed`
 */
export async function checkPublished(project: Project, snapshot: Snapshot): Promise<void> {
  if (project.view === undefined || isOfApi(snapshot)) return;
  await checkPrimaries(project, { api: snapshot.target.api, live: await liveZonesOf(snapshot) });
}

function unknownNote(found: readonly LastKnown[]): Problem {
  const isNew = found.every((one) => !("run" in one) || one.run === undefined);
  const what = isNew
    ? "no apply to these zones is known here yet: the first one keeps their primary and name servers"
    : "the primary and name servers of these zones are not known here any more: the next apply keeps them";
  return problem("account-new", `${what}, and refuses others from then on`);
}

type KnownState = Extract<LastKnown, { state: "known" }>;

function describeChange(
  project: Project,
  found: KnownState,
  [was, is]: readonly [Apex, Apex],
  owner: Name,
): Pick<PrimaryChange, "problem" | "next"> {
  const difference =
    was.primary === is.primary
      ? `the name servers are ${is.servers || "none"}, and were ${was.servers || "none"}`
      : `the primary in the SOA record is ${is.primary}, and was ${was.primary}`;
  const source = "run" in found ? "after the last run" : "in the published snapshot";
  const summary = `${textOf(nameKey(owner))}: ${difference} ${source}`;
  const { first, next } = adviceFor(project, found, nameKey(owner));
  return { problem: problem("primary-changed", summary, { fix: advise`${first} ${next}`, owner }), next };
}

/** How to accept the change without losing the marks of what others changed, which a new baseline would have. */
function adviceFor(project: Project, found: KnownState, zone: NameKey) {
  const target = shownTarget(project);
  const ofTarget = target === undefined ? {} : { target };
  const args = [withoutDot(zone)];
  const look = { run: "drift", args, with: ofTarget } as const;
  const accept = { run: "drift", args, with: { acceptPrimary: true, ...ofTarget } } as const;
  const check = `check the server${project.view?.variable === undefined ? "" : ` and ${project.view.variable}`}: another key can select another view`;
  const ref = publishedRef(project);
  const publish = { run: "snapshot", with: { ref, ...ofTarget } } as const;
  const [update, end] =
    "run" in found
      ? ["update the checkout", ""]
      : [
          `update the checkout, and the snapshot with \`git fetch origin +${ref}:${ref}\``,
          advise`, and ${publish} publishes them`,
        ];
  return {
    first: advise`If git has the change, ${update}. Otherwise ${look} shows the changes.`,
    next: advise`If that is meant, ${accept} accepts the primary and name servers${end}; if not, ${check}.`,
  };
}

/** The name servers of zones in their files. */
async function serversOfFiles(project: Project): Promise<ReadonlyMap<NameKey, string>> {
  const files = await existingZones(project, { keepsUnreadable: true });
  return new Map(files.map(({ zone }) => [nameKey(zone.name), apexOf(zone).servers]));
}

function apexOf({ name, records }: { readonly name: Name; readonly records: Iterable<ZoneRecord> }): Apex {
  const apex = [...records].filter(({ owner }) => isSameName(owner, name));
  const primary = apex.find((record) => isType(record, "SOA"))?.data.mname;
  const servers = apex.flatMap((record) => (isType(record, "NS") ? [textOf(nameKey(record.data.nsdname))] : []));
  return {
    primary: primary === undefined ? "" : textOf(nameKey(primary)),
    servers: [...new Set(servers)].sort().join(", "),
  };
}

function textOf(name: NameKey): string {
  return escapeControl(withoutDot(name));
}
