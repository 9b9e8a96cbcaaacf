import type { ReadConfig } from "../config/read.ts";
import { nearest } from "../diagnostics/nearest.ts";
import { type Problem, ProblemError, problem, type Severity } from "../diagnostics/problem.ts";
import { isProblemId, registry, renamedIds } from "../diagnostics/registry.ts";
import { asName, nameKey } from "../dns/name.ts";
import type { Zone } from "../dns/zone.ts";
import { isRecordLimit, ruleSets, whyNotYielding, yielding } from "./switchable.ts";

/** How severe the findings of a rule are, by the rule or its set. */
export type Switches = Readonly<Record<string, Severity | "off">>;

/**
 * The switches of the config.
 * @throws {ProblemError} `config-value`, for each one that is not a rule or cannot be switched so.
 */
export function readSwitches({ config: { rules }, placeOf }: ReadConfig): Switches {
  const faults = Object.entries(rules).flatMap(([id, severity]): Problem[] => {
    const fault = faultOf(id, severity);
    const at = placeOf("rules", id);
    return fault ? [problem("config-value", fault.summary, { fix: fault.fix, place: at })] : [];
  });
  if (faults.length > 0) throw new ProblemError(faults);
  return rules;
}

function faultOf(id: string, severity: Severity | "off"): { summary: string; fix: string } | undefined {
  if (severity === "off" && (id === "api" || isRecordLimit(id))) {
    const summary = `rules: ${id} cannot be off: records that the API does not support would be left out silently`;
    return { summary, fix: 'Write "note".' };
  }
  if ((ruleSets as readonly string[]).includes(id)) return undefined;
  const fault = whyNotYielding(id);
  if (!fault) return undefined;
  const near = isProblemId(id) ? undefined : (renamedIds[id] ?? nearest(id, [...ruleSets, ...yielding]));
  return { summary: `rules: ${fault.summary}`, fix: near ? `Did you mean "${near}"?` : fault.fix };
}

/**
 * Findings as severe as the config and the zone want them: what a name is excused of counts one step less, an error as
 * warning, a warning as note. `strict` decides over times, whatever the config says.
 */
export function weighed(
  problems: readonly Problem[],
  { excused = [] }: Pick<Zone, "excused">,
  switches: Switches,
  strict: boolean,
): Problem[] {
  const excuses = new Set(excused.map(({ owner, rule }) => `${nameKey(owner)} ${rule}`));
  return problems.flatMap((found): Problem[] => {
    const wanted = strict && found.id === "ttl-rounded" ? "error" : severityOf(found, switches);
    if (wanted === "off") return [];
    const isExcused = found.owner !== undefined && excuses.has(`${nameKey(asName(found.owner))} ${found.id}`);
    const severity = isExcused ? milder[wanted] : wanted;
    const isLeftOut = severity !== "error" && isRecordLimit(found.id);
    return [{ ...found, severity, ...(isLeftOut && { summary: `${found.summary}, and is not sent` }) }];
  });
}

const milder: Readonly<Record<Severity, Severity>> = { error: "warning", warning: "note", note: "note" };

function severityOf({ id, severity }: Problem, switches: Switches): Severity | "off" {
  if (!yielding.includes(id)) return severity;
  const { set, severity: usual } = registry[id];
  const bySet = usual === "note" ? undefined : switches[set];
  return switches[id] ?? bySet ?? severity;
}

/** Problems of `lenient` entries that name no rule, or one that cannot be excused. */
export function wrongExcuses({ excused = [] }: Pick<Zone, "excused">): Problem[] {
  return excused.flatMap(({ rule, at }): Problem[] => {
    const isNote = isProblemId(rule) && registry[rule].severity === "note";
    const fault = isNote ? { summary: `${rule} is a note already`, fix: "Remove it." } : whyNotYielding(rule);
    return fault ? [problem("lenient-rule", fault.summary, { fix: fault.fix, place: at })] : [];
  });
}
