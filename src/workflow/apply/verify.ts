import pMap from "p-map";
import { advise } from "../../diagnostics/advice.ts";
import { problemError, usageError } from "../../diagnostics/problem.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, nameKey } from "../../dns/name/name.ts";
import type { DesiredZone } from "../../dns/zone/desired-live.ts";
import { readServer, readServerAddress } from "../../dns-client/server-address.ts";
import { type Check, type Verification, type VerifyDepth, verifyZone } from "../../executor/verify/verify.ts";
import { type Plan, subject, writesOf } from "../../planner/changes/change.ts";
import type { ReadingTarget } from "../../targets/target.ts";
import { placesOf } from "../name-servers/ask.ts";
import { reportTask } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { resolveZones } from "../zones/resolve-nodes.ts";
import { type DeclaredServers, declaredServers } from "../zones/target-servers.ts";
import { readZones } from "../zones/zones.ts";

export interface VerifyingOptions {
  /** Servers to query instead of the zones' own, as `readServer` reads them. */
  readonly nameserver?: readonly string[];
  /**
   * A project with one target: its name servers are asked where it declares them. Those that only other targets declare
   * are not asked: they have serials of their own.
   */
  readonly project?: Pick<Project, "file" | "view" | "targets">;
  /** Time to wait for missing data to appear, such as `1m`. */
  readonly wait: string;
  /** The last stage to verify: the stored data, the rendered zone file or, by default, the name servers. */
  readonly depth?: VerifyDepth;
}

/** The result of checking the zones' name servers. */
export interface Verified {
  readonly checks: readonly Check[];
  /** The number of skipped zones: disabled ones and slaves. */
  readonly left: number;
}

const zonesAtOnce = 4;

/** The RRsets that a plan writes, by zone; all RRsets of a zone that is new or whose settings change. */
export function setsOfPlan({ zones }: Plan): Map<DesiredZone, Verification["questions"]> {
  return new Map(
    zones.map((zone) => {
      if (zone.domainId === undefined || zone.settings.length > 0) return [zone.zone, undefined];
      const sets = writesOf(zone).map((write) => ({
        owner: nameKey(subject(write).owner),
        type: subject(write).type,
      }));
      return [zone.zone, [...new Map(sets.map((set) => [`${set.owner} ${set.type}`, set])).values()]];
    }),
  );
}

/**
 * Reads the zones to verify completely; all if no names are given. `target` tells the addresses of the nodes that they
 * refer to.
 * @throws {ProblemError} for files with errors; `node-access` for files that refer to nodes if there is no `target`.
 */
export async function zonesToVerify(
  project: Project,
  names: readonly string[],
  target?: ReadingTarget,
): Promise<Map<DesiredZone, undefined>> {
  const { desired } = await resolveZones(project, await readZones(project, names), target ?? offline(project));
  return new Map(desired.map((zone) => [zone, undefined]));
}

/** A target that is not connected, so that the nodes of the account are unknown. */
function offline({ target }: Project): Parameters<typeof resolveZones>[2] {
  const findNodes = async () => {
    const fix = "Give the target, which knows their addresses.";
    throw problemError("node-access", "zone files refer to nodes of the service", { fix });
  };
  return { ...target, read: { findNodes } };
}

/** @throws {ProblemError} `usage` */
export function readVerifyingOptions({ wait, nameserver = [] }: VerifyingOptions) {
  return {
    timeoutMs: waitMs(wait),
    servers: nameserver.map((text) => readServer(text, advise`${{ set: "nameserver" }}`)),
  };
}

/** Verifies zones from the stored data to the answers of their name servers. */
export async function verifyZones(
  { now, sleep, signal, resolvers, onProgress }: RunContext,
  target: ReadingTarget,
  zones: ReadonlyMap<DesiredZone, Verification["questions"]>,
  options: VerifyingOptions,
): Promise<Verified> {
  const { project } = options;
  const own: DeclaredServers = project?.view ? declaredServers(project, [project.view]) : new Map();
  const all: DeclaredServers = project ? declaredServers(project, project.targets) : new Map();
  const settings = {
    clock: { now: () => now().getTime(), sleep },
    ...readVerifyingOptions(options),
    ...(options.depth && { depth: options.depth }),
    resolve: async (name: Name) => {
      const isOfOther = all.has(nameKey(name)) && !own.has(nameKey(name));
      return isOfOther ? [] : placesOf(own.get(nameKey(name)), name);
    },
    resolvers: resolvers().flatMap((text) => readServerAddress(text) ?? []),
    signal,
  };
  const report = reportTask(onProgress, "verifying zones", "zone");
  report(0, zones.size);
  const heads = new Map((await target.read.listZones({ signal })).map((head) => [nameKey(head.name), head]));
  let done = 0;
  const checks = await pMap(
    zones,
    async ([zone, questions]): Promise<Check[]> => {
      const stored = heads.get(nameKey(zone.name));
      const missing = {
        zone: zone.name,
        where: target.name,
        verdict: "fail",
        text: "the domain does not exist",
      } as const;
      if (!stored) return [missing];
      if (stored.settings.type === "slave" || stored.settings.status === "disabled") return [];
      const checks = await verifyZone({ zone, domainId: stored.id, ...(questions && { questions }) }, target, settings);
      report(++done, zones.size);
      return checks;
    },
    { concurrency: zonesAtOnce },
  );
  return { checks: checks.flat(), left: checks.filter((list) => list.length === 0).length };
}

function waitMs(text: string): number {
  try {
    return readDuration(text) * 1000;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw usageError(advise`${{ set: "wait", to: text }}: ${error.message}. Write a duration such as "30s" or "5m".`);
  }
}
