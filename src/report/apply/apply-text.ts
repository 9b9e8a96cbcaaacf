import type { Door } from "../../diagnostics/advice.ts";
import { escapeControl, escapeLines } from "../../diagnostics/escape.ts";
import { ProblemError } from "../../diagnostics/problem.ts";
import { count, listFirst } from "../../diagnostics/quantities.ts";
import { type Name, relativeTo } from "../../dns/name/name.ts";
import { rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { ApplyEvent } from "../../executor/journal/event.ts";
import { type RecordChange, subject, ttlRaises } from "../../planner/changes/change.ts";
import type { RunResult, UnansweredWrite } from "../../workflow/apply/run-plan.ts";
import { palette, type Style } from "../text/palette.ts";
import { briefText } from "../text/problem-text.ts";

/** The lines of an apply: `quiet` leaves out those of zones that are done, `verbose` adds one per write. */
type ApplyDetail = "quiet" | "usual" | "verbose";

/** Progress of apply as lines: two per zone, and reverted writes. */
export function applyText(event: ApplyEvent, style: Style, detail: ApplyDetail): string {
  const isVerbose = detail === "verbose";
  const isQuiet = detail === "quiet";
  const { blue, red, yellow, door } = palette(style);
  const zone = escapeControl(event.zone.slice(0, -1));
  switch (event.kind) {
    case "zone-begun":
      return isQuiet ? "" : `${zone}: ${count(event.writes, "write")}\n`;
    case "zone-done":
      if (event.left) return `${zone}: ${yellow("differs")} from the plan when read back${loweredText(event)}\n`;
      return isQuiet ? "" : `${zone}: ${blue("done")}\n`;
    case "zone-warned":
      return `${zone}: ${yellow("warning")}: ${briefText(event.problem, door)}\n`;
    case "zone-failed":
      return `${zone}: ${red("failed")} after ${event.written} of ${count(event.writes, "write")}: ${reason(event.error, door)}\n`;
    case "zone-stopped":
      return `${zone}: ${yellow("interrupted")} after ${event.written} of ${count(event.writes, "write")}\n`;
    case "zone-created":
      return isVerbose ? `  ${zone}: created as domain ${event.domainId}\n` : "";
    case "zone-deleted":
      return isVerbose ? `  ${zone}: deleted domain ${event.domainId}\n` : "";
    case "duplicate-removed":
      return `  removed duplicate ${zone}: ${duplicateText(event)}\n`;
    case "settings-written":
      return isVerbose ? `  ${zone}: set ${event.names.join(", ")}\n` : "";
    case "record-written":
      return isVerbose ? `  ${zone}: ${writtenText(event.change, event.zone)}\n` : "";
    case "ambiguous":
      return isVerbose
        ? `  ${zone}: ${whatText(event)}: the reply was lost; it is not known yet whether it took effect\n`
        : "";
    case "resolved":
      return isVerbose ? `  ${zone}: ${whatText(event)}: it ${event.isDone ? "took" : "did not take"} effect\n` : "";
    case "record-undone":
      return `  ${yellow("reverted")} ${zone}: ${writtenText(event.change, event.zone)}\n`;
  }
}

/** The write whose reply was lost, with its zone. */
export function ambiguousText(write: UnansweredWrite): string {
  return `${escapeControl(write.zone.slice(0, -1))}: ${whatText(write)}`;
}

function whatText({ change, zone }: UnansweredWrite): string {
  if (change === undefined) return "zone or settings";
  const { owner, type } = subject(change);
  return escapeControl(`${change.kind} ${relativeTo(owner, zone)} ${type}`);
}

function duplicateText({ record, kept, zone }: ApplyEvent & { kind: "duplicate-removed" }): string {
  const text = `${relativeTo(record.owner, zone)} ${record.type} ${rdataText(record, (name) => relativeTo(name, zone))}`;
  return `${escapeControl(text)} (record ${record.id}); someone else created record ${kept} with the same value`;
}

function writtenText(change: RecordChange, zone: Name): string {
  const { owner, type } = subject(change);
  const name = escapeControl(`${relativeTo(owner, zone)} ${type}`);
  const value = (record: ZoneRecord) => escapeControl(rdataText(record, (name) => relativeTo(name, zone)));
  if (change.kind === "create") return `created ${name} ${value(change.after)}`;
  if (change.kind === "delete") return `deleted ${name} ${value(change.before)}`;
  return `changed ${name} ${value(change.before)} to ${value(change.after)}`;
}

function loweredText({ left, loweredBy, zone }: ApplyEvent & { kind: "zone-done" }): string {
  const [first, ...others] = left && loweredBy !== undefined ? ttlRaises(left) : [];
  if (first === undefined) return "";
  const { before, after } = first;
  const name = escapeControl(`${relativeTo(after.owner, zone)} ${after.type}`);
  const more = others.length > 0 ? `, and of ${count(others.length, "other record")} as well` : "";
  return `: the TTL of ${name} is ${before.ttl} instead of ${after.ttl}${more}`;
}

function reason(error: unknown, door: Door): string {
  if (error instanceof ProblemError) return error.problems.map((one) => briefText(one, door)).join("\n  ");
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return escapeLines(text);
}

function unknownText(writes: RunResult["unanswered"]): string {
  if (writes.length === 0) return "";
  return `, and the outcome of ${count(writes.length, "write")} is unknown (${listFirst(writes.map(ambiguousText))})`;
}

/** How a run of a plan ended, as a sentence without its full stop. */
export function runText({ zones, done, differing, loweredBy, unanswered, ...run }: RunResult): string {
  if (run.isInterrupted) return `interrupted: ${done} of ${count(zones, "zone")} done${unknownText(unanswered)}`;
  if (run.errors.length > 0) return `${run.errors.length} of ${count(zones, "zone")} failed${unknownText(unanswered)}`;
  if (differing.length > 0) {
    const names = differing.map((zone) => escapeControl(zone.slice(0, -1))).join(", ");
    if (loweredBy !== undefined)
      return `applied, but ${names} ${differing.length === 1 ? "has" : "have"} lower TTLs than written when read back: the server limits them (${loweredBy}), or someone else is writing`;
    const differ = differing.length === 1 ? "differs" : "differ";
    return `applied, but ${names} ${differ} from the plan when read back: someone else may be writing`;
  }
  return `applied and verified: ${count(zones, "zone")} ${zones === 1 ? "is" : "are"} as planned`;
}
