import type { ReadConfig } from "../../config/config.ts";
import type { Fix } from "../../diagnostics/advice.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { aroundSummary, type Problem, ProblemError, problem, type Severity } from "../../diagnostics/problem.ts";
import { isProblemId, registry, renamedIds } from "../../diagnostics/registry.ts";
import { asName, nameKey } from "../../dns/name/name.ts";
import type { Zone } from "../../dns/zone/zone.ts";
import { adjustableRules, explainFixedSeverity, isRecordLimit, ruleSets } from "./switchable.ts";

/** The severity of findings, by rule or set of rules. */
export type Switches = Readonly<Record<string, Severity | "off">>;

/**
 * Reads the severities in the config.
 * @throws {ProblemError} `config-value`, for each id that is not a rule, or cannot have this severity.
 */
export function readSwitches({ config: { rules }, placeOf }: ReadConfig): Switches {
  const faults = Object.entries(rules).flatMap(([id, severity]): Problem[] => {
    const fault = checkSwitch(id, severity);
    const at = placeOf("rules", id);
    return fault ? [problem("config-value", fault.summary, { fix: fault.fix, place: at })] : [];
  });
  if (faults.length > 0) throw new ProblemError(faults);
  return rules;
}

function checkSwitch(id: string, severity: Severity | "off"): { summary: string; fix: Fix } | undefined {
  if (severity === "off" && (id === "api" || isRecordLimit(id))) {
    const summary = `rules: ${id} cannot be off: records that the API does not support would be left out silently`;
    return { summary, fix: 'Write "note".' };
  }
  if ((ruleSets as readonly string[]).includes(id)) return undefined;
  const fault = explainFixedSeverity(id);
  if (!fault) return undefined;
  const near = isProblemId(id) ? undefined : (renamedIds.get(id) ?? nearest(id, [...ruleSets, ...adjustableRules]));
  return { summary: `rules: ${fault.summary}`, fix: near ? `Did you mean "${near}"?` : fault.fix };
}

/**
 * Applies the severities of the config and of `lenient` entries, which turn an error into a warning and a warning into
 * a note. `strict` decides about rounded times, whatever the config says.
 */
export function applySeverities(
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
    return [{ ...aroundSummary(found, "", isLeftOut ? ", and is not sent" : ""), severity }];
  });
}

const milder: Readonly<Record<Severity, Severity>> = { error: "warning", warning: "note", note: "note" };

function severityOf({ id, severity }: Problem, switches: Switches): Severity | "off" {
  if (!adjustableRules.includes(id)) return severity;
  const { set, severity: usual } = registry[id];
  const bySet = usual === "note" ? undefined : switches[set];
  return switches[id] ?? bySet ?? severity;
}

/** Problems of `lenient` entries whose rule does not exist or cannot be lowered. */
export function checkLenientEntries({ excused = [] }: Pick<Zone, "excused">): Problem[] {
  return excused.flatMap(({ rule, at }): Problem[] => {
    // G26 reads the entries of this rule.
    const isNote = rule !== "hosted-target" && isProblemId(rule) && registry[rule].severity === "note";
    const fault = isNote ? { summary: `${rule} is a note already`, fix: "Remove it." } : explainFixedSeverity(rule);
    return fault ? [problem("lenient-rule", fault.summary, { fix: fault.fix, place: at })] : [];
  });
}
