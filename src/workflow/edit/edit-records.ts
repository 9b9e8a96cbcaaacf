import { advise } from "../../diagnostics/advice.ts";
import { joinProblems } from "../../diagnostics/join-problems.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import {
  aroundSummary,
  type Problem,
  ProblemError,
  problem,
  problemError,
  usageError,
} from "../../diagnostics/problem.ts";
import { readDuration } from "../../dns/name/duration.ts";
import { Fault } from "../../dns/name/fault.ts";
import { isSameName, type Name, relativeTo, shownName, withoutDot } from "../../dns/name/name.ts";
import { toOctets } from "../../dns/name/text.ts";
import type { RecordType } from "../../dns/rdata/record-type.ts";
import { findType } from "../../dns/types/index.ts";
import {
  canonical,
  copyRecord,
  type DotlessTarget,
  distinct,
  placeOf,
  rdataText,
  type Zone,
  type ZoneRecord,
} from "../../dns/zone/zone.ts";
import { defaultTimes } from "../../dns/zone/zone-settings.ts";
import { unknownTypeFault } from "../../formats/bind/head.ts";
import { findFreshProblems } from "../../formats/edit/fresh-errors.ts";
import type { ZoneOfFile } from "../../formats/files.ts";
import { formatOf, formats } from "../../formats/formats.ts";
import { convertedNote } from "../../formats/kit/converted.ts";
import type { Source } from "../../formats/kit/source.ts";
import { mostFrequentTtl } from "../../targets/usual-ttl.ts";
import { writeFiles } from "../project/files.ts";
import type { Project } from "../project/project.ts";
import { isSelected, targetViews } from "../project/targets.ts";
import { checkZones, readContents } from "../zones/zones.ts";
import { findOwner, type OwnerInFile } from "./find-owner.ts";
import { type GivenValue, readValues } from "./read-values.ts";
import { refuseTemplateSet, unmanagedProblems } from "./unmanaged.ts";

/** An RRset, or some of its values, as a user names them. */
export interface RecordWords {
  /** Relative to the zone, absolute with a final dot, or with the name of a zone at its end; `@` for the apex. */
  readonly name: string;
  readonly type: string;
  /** RDATA as in a BIND zone file of the zone; of a type such as TXT the text itself, unless it starts with a quote. */
  readonly values: readonly string[];
  /** The zone by its name or file; unless given, the one that the name ends in, or the only one of the project. */
  readonly zone?: string | undefined;
  /** The TTL to set, as in a zone file; unless given, that of the RRset, or else the default of the file. */
  readonly ttl?: string | undefined;
}

/** A zone file with other records at one name; `after` is equal to `before` if it has them already. */
export interface EditedFile {
  readonly zone: Name;
  readonly owner: Name;
  readonly type: string;
  readonly file: string;
  readonly before: Uint8Array;
  readonly after: Uint8Array;
  /** The problems that the project has only with the change. With an error, the file is not to be written. */
  readonly problems: readonly Problem[];
}

/**
 * Replaces an RRset in its zone file by values; comments and everything else stay. Nothing is written.
 * @throws {ProblemError} if the zone is unclear, a value invalid, or the file cannot be edited
 */
export function setRecords(project: Project, words: RecordWords): Promise<EditedFile> {
  return editRecords(project, words, ({ own, set, owner, type, given }) => {
    const ttl = words.ttl === undefined ? undefined : readTtl(words.ttl);
    const { settings } = project;
    const usual = own.settings.ttl_sec || defaultTimes(settings).ttl_sec;
    const [first] = set;
    const kept = first ? first.ttl : ttlOfNew(own);
    // The same time in other words is no change.
    const wanted = ttl === undefined || ttl === (kept ?? usual) ? kept : ttl;
    const known = new Map(set.map((record) => [canonical(record), record]));
    const records = given.map(({ data }): ZoneRecord => {
      const same = known.get(canonical({ type: type.type, data }));
      return same ? copyRecord(same, { ttl: wanted }) : { owner, type: type.type, ttl: wanted, data };
    });
    return distinct(records);
  });
}

/**
 * Removes an RRset from its zone file, or the given values of it. Nothing is written.
 * @throws {ProblemError} `record-absent`; and as `setRecords`
 */
export function unsetRecords(project: Project, words: Omit<RecordWords, "ttl">): Promise<EditedFile> {
  return editRecords(project, words, (edit) => {
    const { set, given } = edit;
    if (set.length === 0) throw absentSet(edit);
    if (given.length === 0) return [];
    const gone = new Set(given.flatMap((value) => findRecords(edit, value)));
    return set.filter((record) => !gone.has(record));
  });
}

/** Writes an edited file. @throws {ProblemError} `file-write` */
export async function writeEdited({ cwd, signal }: Project, { file, after }: EditedFile): Promise<void> {
  await writeFiles({ cwd, signal }, [{ file, text: after }], "Make the file and its folder writable.");
}

/** The RRset to edit. */
interface SetToEdit {
  /** The zone as its own file has it, without the records of templates. */
  readonly own: Zone;
  /** The name as the file spells it. */
  readonly owner: Name;
  readonly type: RecordType;
  /** The records that the file has. */
  readonly set: readonly ZoneRecord[];
  readonly given: readonly GivenValue[];
}

async function editRecords(
  project: Project,
  words: RecordWords,
  changeSet: (edit: SetToEdit) => readonly ZoneRecord[],
): Promise<EditedFile> {
  const type = readType(words);
  const found = await findOwner(project, { ...words, type: type.type });
  const { read, owner: name } = found;
  const source = requireEditable(read, type);
  const own = readOwn(source, read);
  const owner = [...own.records].find((record) => isSameName(record.owner, name))?.owner ?? name;
  const isOfSet = (record: ZoneRecord) => record.type === type.type && isSameName(record.owner, owner);
  const set = own.records.filter(isOfSet);
  const given = readValues(words.values, { owner, type, zone: own.name });
  refuseTemplateSet(read, { owner, type: type.type });
  const edit = { own, owner, type, set, given };
  const records = changeSet(edit);
  const head = { zone: own.name, owner, type: type.type, file: read.file, before: read.bytes };
  if (isSameSet(set, records)) return { ...head, after: read.bytes, problems: [] };
  const others = own.records.filter((record) => !isOfSet(record));
  const notes: Problem[] = [];
  const wanted = { ...own, records: [...others, ...records] };
  const after = source.rewrite?.(wanted, read, (note) => notes.push(note)) ?? read.bytes;
  const next = readContents(project, read, after);
  const dotless = givenTargets(next, edit);
  const problems = [
    ...found.notes,
    ...given.flatMap(({ converted }) =>
      converted.map(({ written, name }) => convertedNote(written, name, own.name, undefined)),
    ),
    ...notes,
    ...aboutGiven(await findNewProblems(project, found, withTargets(next, dotless)), dotless, own.name),
    ...unmanagedProblems(next, { owner, type: type.type, before: set, after: records }),
  ];
  return { ...head, after, problems };
}

/** @throws {ProblemError} `unknown-type`, `type-meta` */
function readType({ type: word, values }: RecordWords): RecordType {
  const type = findType(word.toUpperCase());
  if (type) return type;
  const { id, summary, fix } = unknownTypeFault(toOctets(word)).problem;
  const isSwapped = values.some((value) => findType(value.toUpperCase()));
  throw problemError(id, summary, { fix: isSwapped ? "Write the type before the values." : fix });
}

/** @throws {ProblemError} `usage` */
function readTtl(text: string): number {
  try {
    return readDuration(text);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw usageError(`the TTL "${text}" is ${error.message}. ${error.problem.fix}`);
  }
}

/** The format of a file, which can be edited. @throws {ProblemError} `rewrite-format`; `rewrite-inexact`; `usage` */
function requireEditable({ file, format, zone }: ZoneOfFile, type: RecordType): Source {
  const source: Source = formatOf(file) ?? formats.bind;
  if (format !== undefined || !source.rewrite) {
    const fix = advise`Edit it by hand, or convert the zone with ${{ run: "export", with: { to: "yaml" } }}.`;
    const summary = `${file} has the format ${format ?? source.name}, which can be read but not written`;
    throw problemError("rewrite-format", summary, { fix });
  }
  if (zone.settings.type === "slave") {
    const summary = `${file} is a slave zone: its records come from its masters`;
    throw problemError("rewrite-inexact", summary, { fix: "Edit the zone at its primary." });
  }
  if (type.type !== "SOA") return source;
  throw usageError(`an SOA record is not edited by a command: edit ${file}, where it is a record, or settings.`);
}

/**
 * The zone as its own file has it.
 * @throws {ProblemError} the errors of the file, or of its templates, and `rewrite-inexact`
 */
function readOwn(source: Source, read: ZoneOfFile): Zone {
  const { zone, problems } = source.read(read);
  // Other errors of the project say nothing about what the file contains.
  const errors = (zone.templates ? read.problems : problems).filter(({ severity }) => severity === "error");
  if (errors.length === 0) return zone;
  const fix = "Fix them first: it is unknown what else the file contains.";
  throw new ProblemError([
    ...errors,
    problem("rewrite-inexact", `${read.file} has errors, so it is not edited`, { fix }),
  ]);
}

/** The TTL of a new RRset: the default of the file, or the most frequent TTL of one without a default. */
function ttlOfNew({ settings, records, fileFormat }: Zone): number | undefined {
  const hasDefault = fileFormat !== "bind" || settings.ttl_sec !== undefined || records.length === 0;
  return hasDefault || records.some(({ ttl }) => ttl === undefined) ? undefined : mostFrequentTtl(records);
}

function isSameSet(before: readonly ZoneRecord[], after: readonly ZoneRecord[]): boolean {
  if (before.length !== after.length) return false;
  const keyOf = (record: ZoneRecord) => `${record.ttl} ${canonical(record)} ${record.node?.label ?? ""}`;
  const known = new Set(before.map(keyOf));
  return after.every((record) => known.has(keyOf(record)));
}

/**
 * The relative names of the values that lack their final dots, at the records that have them. The file has them as
 * absolute names, so that reading it does not find the mistake.
 */
function givenTargets({ zone }: ZoneOfFile, { owner, type, given }: SetToEdit): DotlessTarget[] {
  return given.flatMap(({ dotless, data }) => {
    if (dotless.length === 0) return [];
    const text = canonical({ type: type.type, data });
    const record = [...zone.records].find(
      (one) => one.type === type.type && isSameName(one.owner, owner) && canonical(one) === text,
    );
    const at = record && placeOf(record);
    return at ? dotless.map((target) => ({ ...target, owner, type: type.type, at })) : [];
  });
}

function withTargets(next: ZoneOfFile, added: readonly DotlessTarget[]): ZoneOfFile {
  if (added.length === 0) return next;
  return { ...next, zone: { ...next.zone, dotlessTargets: [...next.zone.dotlessTargets, ...added] } };
}

/** The problems, those of relative names in values with their record in place of the line, which has absolute names. */
function aboutGiven(problems: readonly Problem[], dotless: readonly DotlessTarget[], zone: Name): Problem[] {
  return problems.map((one) => {
    const isAbout = ({ owner, at }: DotlessTarget) => one.owner === owner && one.place?.line === at.line;
    const target = one.id === "target-needs-dot" ? dotless.find(isAbout) : undefined;
    if (target === undefined) return one;
    const { place: _, ...rest } = one;
    return aroundSummary(rest, `${shownName(relativeTo(target.owner, zone))} ${target.type}: `);
  });
}

/** The problems that the project has with the new file and not with the old one, on each target. */
async function findNewProblems(project: Project, { read, others }: OwnerInFile, next: ZoneOfFile): Promise<Problem[]> {
  const found = [];
  for (const view of targetViews(project)) {
    if (!isSelected(view, read)) continue;
    const check = async (one: ZoneOfFile) => {
      const zones = [...others.filter((other) => isSelected(view, other)), one];
      return (await checkZones({ zones, problems: [], switches: view.switches }, view, view.target.accept)).problems;
    };
    const problems = findFreshProblems(await check(next), [[await check(read)]]);
    found.push({ name: view.view?.name ?? "", problems, files: [read.file] });
  }
  return joinProblems(found);
}

/** The records of a set with a value; those of a text whatever its strings. @throws {ProblemError} `record-absent` */
function findRecords({ own, owner, type, set }: SetToEdit, { text, data, isText }: GivenValue): ZoneRecord[] {
  const joined = (record: Pick<ZoneRecord, "data">) => Object.values(record.data).flat().join("");
  const wanted = { type: type.type, data };
  const exact = set.filter((record) => canonical(record) === canonical(wanted));
  const found = exact.length > 0 || !isText ? exact : set.filter((record) => joined(record) === joined({ data }));
  if (found.length > 0) return found;
  const values = set.map((record) => rdataText(record, (name) => relativeTo(name, own.name)));
  const near = nearest(text, values);
  const fix = near ? `Did you mean '${near}'?` : `It has ${values.join(", ")}.`;
  const about = `${shownName(relativeTo(owner, own.name))} ${type.type}`;
  throw problemError("record-absent", `${about}: ${own.file} does not have the value "${text}"`, { owner, fix });
}

function absentSet({ own, owner, type }: SetToEdit): ProblemError {
  const relative = shownName(relativeTo(owner, own.name));
  const types = [...new Set(own.records.filter((one) => isSameName(one.owner, owner)).map((one) => one.type))];
  const ofType = own.records.filter((one) => one.type === type.type).map((one) => relativeTo(one.owner, own.name));
  const near = nearest(relative, new Set(ofType));
  const fix =
    types.length > 0
      ? `It has records of the types ${types.join(", ")}.`
      : near
        ? `Did you mean "${near}"?`
        : `No name like it in ${withoutDot(own.name)} has ${type.type} records.`;
  return problemError("record-absent", `${relative} ${type.type}: ${own.file} has no such record`, { owner, fix });
}
