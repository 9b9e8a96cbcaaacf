import { advise, type Fix } from "../../diagnostics/advice.ts";
import { plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { type Name, type NameKey, nameKey } from "../../dns/name/name.ts";
import { labelKey } from "../../dns/zone/node-reference.ts";
import { newPlanClause, newPlanFix } from "../plan-file/plan-file.ts";
import type { PlanFile } from "../plan-file/plan-schema.ts";

/** A run, from its journal. */
export interface PastRun {
  readonly id: string;
  /** Times in ISO 8601, UTC. */
  readonly begun: string;
  readonly state: "done" | "partly" | "unfinished";
  readonly nonce?: string | undefined;
  /** The commit that it applied. */
  readonly commit?: string | undefined;
  readonly zones: readonly Name[];
  /** The plan files that approved its effects. */
  readonly approvedPlans?: readonly { readonly nonce: string }[] | undefined;
}

/** Whether the first commit is the second one or an ancestor of it; undefined if git cannot tell. */
export type Precedes = (commit: string, other: string) => boolean | undefined;

/**
 * Checks that the plan was made for this API and account. If one of the accounts could not be read, the ids of the
 * domains are checked later.
 * @throws {ProblemError} `plan-target`
 */
export function checkTarget({ target }: PlanFile, now: PlanFile["target"], name = "the plan"): void {
  if (target.api !== now.api)
    throw planError("plan-target", `${name} is for the API ${target.api}, but this is ${now.api}`);
  if (target.account !== null && now.account !== null && target.account !== now.account)
    throw planError(
      "plan-target",
      `${name} is for the account ${target.account}, but this token belongs to ${now.account}`,
    );
}

/**
 * Checks that the desired zones are those of the plan. Commits and the octets of the files are irrelevant: an approval
 * survives a squash, a rebase, other line ends, comments or another order. Plan files of earlier versions have no
 * digests of the desired zones; for them, the octets of the files and the config are compared.
 * @throws {ProblemError} `plan-files`
 */
export function checkSource({ source }: PlanFile, now: Source): void {
  const isOld = source.zones.some(({ desired }) => desired === undefined);
  const changed = isOld ? changedFiles(source, now) : source.zones.flatMap((zone) => changedParts(zone, source, now));
  const moved = isOld ? [] : listMovedNodes(source.zones, now);
  if (changed.length + moved.length === 0) return;
  const fixOfFiles = advise`Check out the files that the plan was made from, or ${newPlanClause}`;
  const report = (texts: readonly string[], fix: Fix) =>
    [...new Set(texts)].map((text) => problem("plan-files", `${text} after the plan was made`, { fix }));
  throw new ProblemError([...report(changed, fixOfFiles), ...report(moved, newPlanFix)]);
}

type Source = Pick<PlanFile["source"], "config" | "zones">;

/** The nodes that zones refer to with other addresses than at planning; each node once. */
function listMovedNodes(zones: Source["zones"], now: Source): string[] {
  const moves = new Map<string, { readonly label: string; readonly texts: Set<string> }>();
  for (const { zone, nodes = [] } of zones) {
    const found = now.zones.find((one) => one.zone === zone)?.nodes ?? [];
    for (const node of nodes) {
      const after = found.find((one) => keyOfNode(one) === keyOfNode(node));
      if (!after || after.address === node.address) continue;
      const move = moves.get(labelKey(node.label)) ?? { label: node.label, texts: new Set() };
      move.texts.add(`${plain(node.address)} → ${after.address}`);
      moves.set(labelKey(node.label), move);
    }
  }
  return [...moves.values()].map(({ label, texts }) => {
    const what = texts.size === 1 ? "the address" : "addresses";
    return `${what} of the node ${plain(label)} changed (${[...texts].join(", ")})`;
  });
}

function keyOfNode({ label, type, private: isPrivate }: NodeInPlan): string {
  return `${labelKey(label)} ${type} ${isPrivate === true}`;
}

type NodeInPlan = NonNullable<Source["zones"][number]["nodes"]>[number];

/** The parts of a zone that changed since planning, and the files that may be the cause. */
function changedParts({ zone, files, desired }: Source["zones"][number], planned: Source, now: Source): string[] {
  const found = now.zones.find((one) => one.zone === zone);
  const name = zone.slice(0, -1);
  if (!desired || !found?.desired) return [`the zone file ${files[0]?.file ?? ""} of ${name} was removed`];
  const before = new Map(files.map(({ file, sha256 }) => [file, sha256]));
  const places = found.files.filter(({ file, sha256 }) => before.get(file) !== sha256).map(({ file }) => file);
  if (now.config !== planned.config) places.push("the config");
  const own = planned.zones.filter((one) => one.zone === zone);
  if (places.length === 0 && listMovedNodes(own, now).length > 0) return []; // the addresses are the whole change
  const where = places.length === 0 ? "" : ` (${places.join(", ")})`;
  const parts = {
    settings: "the settings",
    records: "the records",
    scope: "the scope (manage, ignore)",
  } as const;
  return (["settings", "records", "scope"] as const)
    .filter((part) => desired[part] !== found.desired?.[part])
    .map((part) => `${parts[part]} of ${name} changed${where}`);
}

function changedFiles(source: Source, now: Source): string[] {
  const has = new Map(
    now.zones.map((zone) => [zone.zone, new Map(zone.files.map(({ file, sha256 }) => [file, sha256]))]),
  );
  const changed = source.zones.flatMap(({ zone, files }) => {
    const found = has.get(zone);
    const planned = new Set(files.map(({ file }) => file));
    const more = [...(found?.keys() ?? [])].filter((file) => !planned.has(file)).map((file) => `${file} was added`);
    const others = files.flatMap(({ file, sha256 }) => {
      const digest = found?.get(file);
      if (digest === sha256) return [];
      return [digest === undefined ? `${file} was removed, or its zone changed,` : `${file} changed`];
    });
    return [...others, ...more];
  });
  if (now.config !== source.config) changed.push("the config changed");
  return changed;
}

/**
 * Checks that the plan was not applied yet, nor a later one. An interrupted or partial run may be continued.
 * @throws {ProblemError} `plan-consumed`, `plan-superseded`
 */
export function checkRuns(file: PlanFile, runs: readonly PastRun[], precedes: Precedes): void {
  const own = runs.find(({ nonce, state }) => nonce === file.nonce && state === "done");
  if (own) throw planError("plan-consumed", `the plan was already applied: run ${own.id} of ${own.begun}`);
  const zones = new Set(file.source.zones.map(({ zone }) => zone));
  const newest = runs
    .filter((run) => run.state !== "unfinished" && run.nonce !== file.nonce)
    .findLast((run) => run.zones.some((zone) => zones.has(nameKey(zone))));
  if (newest && isOlder(file, newest, precedes)) {
    const what = newest.commit === undefined ? "another run" : `a run of the commit ${newest.commit.slice(0, 12)}`;
    throw planError(
      "plan-superseded",
      `the plan is older than ${what} in the same zones: ${newest.id} of ${newest.begun}`,
    );
  }
}

/**
 * The zones in which an approved plan was applied, by itself or as the approval of another run, and these runs. It
 * approves nothing there any more.
 */
export function findAppliedZones({ nonce }: PlanFile, runs: readonly PastRun[]): Map<NameKey, PastRun> {
  const own = runs.filter(
    (run) => run.state === "done" && (run.nonce === nonce || run.approvedPlans?.some((one) => one.nonce === nonce)),
  );
  return new Map(own.flatMap((run) => run.zones.map((zone) => [nameKey(zone), run] as const)));
}

/** Compares by the history of the commits, or by time if that cannot tell. */
function isOlder({ source, observed }: PlanFile, run: PastRun, precedes: Precedes): boolean {
  if (source.commit !== undefined && run.commit !== undefined) {
    if (source.commit === run.commit || precedes(run.commit, source.commit) === true) return false;
    const before = precedes(source.commit, run.commit);
    if (before !== undefined) return before;
  }
  return observed.time < run.begun;
}

/** @throws {ProblemError} `plan-expired` */
export function checkExpiry({ expires }: PlanFile, now: Date, name = "the plan"): void {
  if (new Date(expires) <= now) throw planError("plan-expired", `${name} expired at ${expires}`);
}

export function planError(id: ProblemId, summary: string): ProblemError {
  return new ProblemError(problem(id, summary, { fix: newPlanFix }));
}
