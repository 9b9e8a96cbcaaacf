import { type Problem, problem, problemError } from "../../diagnostics/problem.ts";
import { placeWithIncludes } from "../../dns/lookup/rule.ts";
import { isSameName, type Name, nameKey, relativeTo, shownName } from "../../dns/name/name.ts";
import { ignoreTest } from "../../dns/zone/scope.ts";
import { canonical, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { recordTest } from "../../planner/match/match.ts";

/** An RRset by its name and type. */
interface NamedSet {
  readonly owner: Name;
  readonly type: string;
}

/** Refuses an RRset that a template gives. @throws {ProblemError} `rewrite-template` */
export function refuseTemplateSet({ zone, file, fromTemplates }: ZoneOfFile, { owner, type }: NamedSet): void {
  const ofSet = (record: ZoneRecord) => record.type === type && isSameName(record.owner, owner);
  const record = [...(fromTemplates?.records ?? [])].find(ofSet);
  if (record === undefined) return;
  const about = `${shownName(relativeTo(owner, zone.name))} ${type}`;
  const fix = `Edit the template for every zone that uses it, or write \`${type}: { override: true, values: … }\` into ${file}.`;
  const summary = `${about}: the records of ${file} come from a template`;
  throw problemError("rewrite-template", summary, { severity: "error", owner, fix, ...placeWithIncludes(record) });
}

/** An RRset as the file had it, and as it has it now. */
interface ChangedSet extends NamedSet {
  readonly before: readonly ZoneRecord[];
  readonly after: readonly ZoneRecord[];
}

/** Warnings of live records that the scope of the zone leaves alone, although the file does not list them. */
export function unmanagedProblems({ zone }: ZoneOfFile, { owner, type, before, after }: ChangedSet): Problem[] {
  const relative = relativeTo(nameKey(owner), zone.name);
  const about = `${shownName(relative)} ${type}`;
  const { manage, ignore = [] } = zone.scope ?? {};
  if (after.length === 0 && manage === "listed") {
    const fix = "Delete the live records where the zone is stored, or remove `manage: listed`.";
    const summary = `${about}: with \`manage: listed\`, live records stay when the file does not list them any more`;
    return [problem("edit-unmanaged", summary, { owner, fix })];
  }
  const kept = new Set(after.map(canonical));
  const gone = before.filter((record) => !kept.has(canonical(record)));
  return ignore
    .filter((pattern) =>
      pattern.value === undefined ? ignoreTest(pattern)(relative, [type]) : gone.some(recordTest(pattern, zone.name)),
    )
    .map(({ reason, at }) => {
      const summary = `${about}: other live records stay, because an ignore pattern matches them: ${reason}`;
      return problem("edit-unmanaged", summary, { owner, place: at, fix: "Narrow the pattern if they are to go." });
    });
}
