import { advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import type { DesiredZone, LiveZone } from "../../dns/zone/desired-live.ts";
import type { TargetKind } from "../../targets/target.ts";
import type { SkippedZone } from "../zones/skip-invalid.ts";

interface ZonesToCheck {
  readonly desired: readonly DesiredZone[];
  readonly live: ReadonlyMap<NameKey, LiveZone>;
}

interface Source {
  /** The snapshot that is read, in words; undefined for the service itself. */
  readonly snapshot: string | undefined;
  readonly skipInvalid: boolean | undefined;
}

/** Zones that one sentence names. */
const mostNamed = 10;

/**
 * Zones to leave out, because a service lacks them where only its operator adds zones. A snapshot may be older than
 * such a zone, and tells nothing about its records; of the service itself, they are left out only if `skipInvalid` says
 * so.
 * @throws {ProblemError} `zone-not-creatable` otherwise, or if no zone is left
 */
export function checkAbsent(
  { name, capabilities }: Pick<TargetKind, "name" | "capabilities">,
  { desired, live }: ZonesToCheck,
  { snapshot, skipInvalid }: Source,
): SkippedZone[] {
  const absent = capabilities.zones === "neither" ? desired.filter((zone) => !live.has(nameKey(zone.name))) : [];
  if (absent.length === 0) return [];
  const others = desired.length - absent.length;
  if (snapshot !== undefined) {
    if (others === 0)
      throw new ProblemError([absentProblem(absent, `in ${snapshot}`, "Save a new snapshot, or plan without one.")]);
    return absent.map((zone) => skip(zone, `it is not in ${snapshot}: save a new snapshot, or plan without one`));
  }
  const where = `on the ${name}, where zones cannot be created`;
  const problemOf = (zones: readonly DesiredZone[]) => absentProblem(zones, where, addFix(zones.length > 1));
  if (skipInvalid && others > 0)
    return absent.map((zone) => skip(zone, `it does not exist on the ${name}`, [problemOf([zone])]));
  const { fix = "", ...refused } = problemOf(absent);
  const rest = others === 1 ? "the other zone" : `the other ${others} zones`;
  const skipFix = advise`${fix} To take ${rest}, use ${{ set: "skipInvalid" }}.`;
  throw new ProblemError([{ ...refused, fix: others === 0 ? fix : skipFix }]);
}

function addFix(hasSeveral: boolean): string {
  const [zone, it] = hasSeveral ? ["the zones", "them"] : ["the zone", "it"];
  return `Have the operator of the service add ${zone}, or use a key of the view that has ${it}. Then plan again.`;
}

function absentProblem(zones: readonly DesiredZone[], where: string, fix: Fix): Problem {
  const [first, ...more] = zones;
  const named = zones.slice(0, mostNamed).map(({ name }) => escapeControl(withoutDot(name)));
  const left = zones.length - named.length;
  const names = [...named, ...(left > 0 ? [count(left, "other")] : [])];
  const last = names.pop() ?? "";
  const what = names.length === 0 ? `${last} does` : `${names.join(", ")} and ${last} do`;
  return problem("zone-not-creatable", `${what} not exist ${where}`, {
    fix,
    ...(more.length === 0 && { owner: first?.name }),
  });
}

function skip({ name, file = "" }: DesiredZone, reason: string, errors: readonly Problem[] = []): SkippedZone {
  return { name: nameKey(name), file, reason, errors };
}
