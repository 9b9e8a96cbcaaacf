import { join, relative } from "node:path";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { isSameName, type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { isType } from "../../dns/zone/zone.ts";
import { baselineFolder } from "../../executor/journal/baseline.ts";
import { publishedRef } from "../git/git-ref.ts";
import { baselineFile } from "../project/files.ts";
import type { Project } from "../project/project.ts";
import { isOfApi, type Snapshot } from "../project/snapshot-target.ts";
import { stateFolder } from "../project/state-folder.ts";
import { liveZonesOf } from "../snapshot/snapshot.ts";
import { findLastKnown } from "./baselines.ts";

/** Zones of the service at `api`. */
interface ZonesOfService {
  readonly api: string;
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

interface CheckOptions {
  /** For a job that shows other name servers as a change: only the primary in the SOA record is compared. */
  readonly showsServers?: boolean;
}

/**
 * Refuses zones that are not those of the last run: a key can select another view, whose zone of the same name a plan
 * would then change. A zone is known by its primary and name servers, as the last run that wrote to it left them, or as
 * a newer published snapshot has them. The API, whose apex says nothing, is known by its account instead, and a service
 * whose SOA record is ours by its address. Returns a note if no zone is known.
 * @throws {ProblemError} `primary-changed`
 */
export async function checkPrimaries(
  project: Project,
  { api, live }: ZonesOfService,
  { showsServers = false }: CheckOptions = {},
): Promise<readonly Problem[]> {
  const { view, cwd } = project;
  const { apex, serial } = project.target.capabilities;
  if (view === undefined || apex !== "ours" || serial === "ours" || live.size === 0) return [];
  const known = [...(await findLastKnown(project, api, [...live.keys()]))].flatMap(([name, found]) =>
    found.state === "known" && found.zone ? [{ name, found, before: found.zone }] : [],
  );
  if (known.length === 0) return [firstUse];
  const changed = known.flatMap(({ name, found, before }) => {
    const zone = live.get(name);
    const difference = zone && differenceOf(before, zone, showsServers);
    if (difference === undefined) return [];
    const owner = before.name;
    const check = `Otherwise check the server and ${view.variable}: another key can select another view.`;
    const onPurpose = "If it was changed on purpose, by another checkout, CI or the operator of the server,";
    if (!("run" in found)) {
      const ref = publishedRef(project);
      const fix = `${onPurpose} fetch the newest snapshot with \`git fetch origin +${ref}:${ref}\`, or delete it with \`git update-ref -d ${ref}\` (and \`git push origin :${ref}\`) and publish a new one. ${check}`;
      return [problem("primary-changed", `${textOf(name)}: ${difference} in the published snapshot`, { fix, owner })];
    }
    const file = relative(cwd, join(stateFolder(project), "runs", found.run, baselineFolder, baselineFile(owner)));
    const fix = `${onPurpose} remove ${file} and plan again. ${check}`;
    return [problem("primary-changed", `${textOf(name)}: ${difference} after the last run`, { fix, owner })];
  });
  if (changed.length > 0) throw new ProblemError(changed);
  return [];
}

/**
 * Refuses to publish zones of another view: later commands would know the zones by them.
 * @throws {ProblemError} `primary-changed`
 */
export async function checkPublished(project: Project, snapshot: Snapshot): Promise<void> {
  if (project.view === undefined || isOfApi(snapshot)) return;
  await checkPrimaries(project, { api: snapshot.target.api, live: await liveZonesOf(snapshot) });
}

const firstUse = problem(
  "account-new",
  "no apply to these zones is known here yet: the first one keeps their primary and name servers, and refuses others from then on",
);

function differenceOf(before: LiveZone, now: LiveZone, showsServers: boolean): string | undefined {
  const [was, is] = [apexOf(before), apexOf(now)];
  if (was.primary !== is.primary) return `the primary in the SOA record is ${is.primary}, and was ${was.primary}`;
  if (was.servers !== is.servers && !showsServers)
    return `the name servers are ${is.servers || "none"}, and were ${was.servers || "none"}`;
  return undefined;
}

function apexOf({ name, records }: LiveZone): { readonly primary: string; readonly servers: string } {
  const apex = records.filter(({ owner }) => isSameName(owner, name));
  const primary = apex.find((record) => isType(record, "SOA"))?.data.mname;
  const servers = apex.flatMap((record) => (isType(record, "NS") ? [textOf(nameKey(record.data.nsdname))] : []));
  return { primary: primary === undefined ? "" : textOf(nameKey(primary)), servers: servers.sort().join(", ") };
}

function textOf(name: NameKey): string {
  return escapeControl(withoutDot(name));
}
