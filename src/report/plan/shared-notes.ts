import { joinProblems } from "../../diagnostics/join-problems.ts";
import type { Problem } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { unsupportedSets } from "../../planner/changes/change.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { isRecordLimit } from "../../workflow/project/switchable.ts";
import { onTargets, shareItems } from "../text/shared-items.ts";
import { namesOfTargets, type TargetPlans } from "./sections.ts";

/** The RRsets whose records are not sent, and their text. */
type SetsText = (sets: ReturnType<typeof unsupportedSets>) => string;

/**
 * The targets that store the zones in another way than the files state them, each once: `on public: 3 TTLs are stored
 * differently, 1 record is not sent: lab.example.com TLSA`.
 */
export function differenceTexts({ plans }: Pick<TargetPlans, "plans">, setsText: SetsText): string[] {
  const texts = shareItems(
    plans.map(({ target, report }) => ({ target, items: differenceText(report, setsText) })),
    (text) => text,
  );
  return texts.map(({ targets, items: [text] }) => `${onTargets(targets)}: ${text}`);
}

function differenceText({ plan, notes }: PlanReport, setsText: SetsText): string[] {
  const times = notes.filter(({ id, severity }) => id === "ttl-rounded" && severity === "note").length;
  const servers = plan.zones.flatMap(({ zone }) =>
    notes.some((note) => note.id === "apex-ns" && isInFile(note, zone.file))
      ? (zone.apexServers ?? []).map(() => zone)
      : [],
  );
  const sent = [...plan.unsupported, ...servers.map(({ name }) => ({ owner: name, type: "NS" as const }))];
  const sets = setsText(unsupportedSets({ unsupported: sent }));
  const texts = [
    ...(times > 0 ? [`${count(times, "TTL")} ${times === 1 ? "is" : "are"} stored differently`] : []),
    ...(sent.length > 0
      ? [`${count(sent.length, "record")} ${sent.length === 1 ? "is" : "are"} not sent: ${sets}`]
      : []),
  ];
  return texts.length === 0 ? [] : [texts.join(", ")];
}

function isInFile({ place, via = [] }: Problem, file: string | undefined): boolean {
  return [place, ...via].some((one) => one?.file === file);
}

/**
 * The notes and warnings of all targets, each once; those of some end with their names. Those of differences that
 * `differenceTexts` counts are left out.
 */
export function sharedNotes(planned: Pick<TargetPlans, "plans" | "failed">): Problem[] {
  const filesOf = ({ desired, plan }: PlanReport) =>
    (desired ?? plan.zones.map(({ zone }) => zone)).flatMap(({ file }) => file ?? []);
  const ofZones = new Set(planned.plans.flatMap(({ report }) => filesOf(report)));
  const notes = planned.plans.flatMap(({ report }) => report.notes);
  // Files that several zones may include, so that each target may have them.
  const others = notes.flatMap(({ place }) => (place === undefined || ofZones.has(place.file) ? [] : [place.file]));
  const reports = new Map(planned.plans.map(({ target, report }) => [target, report]));
  return joinProblems(
    namesOfTargets(planned).map((name) => {
      const report = reports.get(name);
      const files = [...new Set([...(report ? filesOf(report) : []), ...others])];
      return { name, files, problems: report ? report.notes.filter((note) => !isCounted(note, report)) : [] };
    }),
  );
}

/** Whether a note is about a record that is not sent, or a time that is rounded. */
function isCounted({ id, severity, owner }: Problem, { plan: { unsupported } }: PlanReport): boolean {
  if (severity === "error") return false;
  if (id === "ttl-rounded" || id === "apex-ns") return severity === "note";
  const isOfRecord = (name: NameKey) => unsupported.some((record) => nameKey(record.owner) === name);
  return isRecordLimit(id) && owner !== undefined && isOfRecord(nameKey(owner as Parameters<typeof nameKey>[0]));
}
