import { dirname, join, resolve } from "node:path";
import { advise } from "../../diagnostics/advice.ts";
import { type Problem, ProblemError } from "../../diagnostics/problem.ts";
import { type Name, nameKey } from "../../dns/name/name.ts";
import { fromOctets } from "../../dns/name/text.ts";
import { copyRecord, isType, rdataText, type ZoneRecord } from "../../dns/zone/zone.ts";
import { defaultTimes } from "../../dns/zone/zone-settings.ts";
import { takeLock } from "../../executor/journal/lock.ts";
import { removeParts } from "../../file-system.ts";
import { originOf } from "../../formats/files.ts";
import { formats } from "../../formats/formats.ts";
import type { FormatName } from "../../formats/readers.ts";
import { lockOwnerOf } from "../apply/run-plan.ts";
import { writeFiles } from "../project/files.ts";
import { reportTask } from "../project/progress.ts";
import type { Project } from "../project/project.ts";
import type { RunContext } from "../project/run-context.ts";
import { stateFolder } from "../project/state-folder.ts";
import { isOfSeveral, targetsOfZone, targetViews } from "../project/targets.ts";
import type { ParentDs } from "../zones/parent-ds.ts";
import { checkFile, listZoneFiles } from "../zones/zones.ts";
import type { AcquiredZone, CompletenessEvidence } from "./build-zone.ts";
import { buildLedger, joinLedgers, type Ledger } from "./ledger.ts";
import { type ImportTarget, type NextFile, nextLiveFile, nextZoneFile } from "./next-file.ts";
import { type Dnssec, describeSigning } from "./signed-zone.ts";
import { hashOf, type ImportedLine, ImportState } from "./state.ts";

/** A zone that was acquired. An error among its problems fails it; the others are reported beside the ledger. */
export type Acquired = AcquiredZone & { readonly problems: readonly Problem[] };

/** The reasons why a zone was not acquired. */
export interface NotAcquired {
  /** Undefined for a source, such as a file, whose zones are unknown. */
  readonly name: Name | undefined;
  readonly from: string | undefined;
  readonly problems: readonly Problem[];
}

/** A way to acquire zones from outside of the project: by transfer, from files, through the service. */
export interface ImportSource {
  /** Identifies the request: an interrupted import is continued only by the same one. */
  readonly request: string;
  readonly zones: readonly Name[];
  /**
   * Whether a continued import acquires its zones again, because that is cheap. Otherwise a copy of each is kept, from
   * which the ledger is repeated.
   */
  readonly isRepeatable: boolean;
  /** Whether the zones are from the service that they are for: it keeps its signatures. */
  readonly isFromService?: boolean;
  /**
   * Acquires the zones, in any order: each once, or the reason why not. Sources without a zone may fail as well.
   * @throws the reason of the signal, and what stops the whole import
   */
  readonly acquire: (
    zones: readonly Name[],
    signal: AbortSignal,
    log: RequestLog,
  ) => AsyncIterable<Acquired | NotAcquired>;
}

/** Records which zones the service was asked to create, so that a continued import knows them again. */
export interface RequestLog {
  isRequested(zone: Name): boolean;
  noteRequested(zone: Name): void;
  noteRefused(zone: Name): void;
}

export interface ImportOptions {
  /** The format of new files. */
  readonly to: FormatName;
  /** Starts again, even if the last import with the same request was interrupted. */
  readonly isRestart: boolean;
  /** The command that continues the import, for a shell. */
  readonly command: string;
}

/** The new contents of an existing zone file. */
export interface FileChange {
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

/** The result for one zone. */
export type ImportResult =
  | ({ readonly state: "failed" } & NotAcquired)
  | (CompletenessEvidence & {
      readonly name: Name;
      /** `kept`: the file differs and was not overwritten. `earlier`: an interrupted import wrote it. */
      readonly state: "written" | "same" | "kept" | "earlier";
      readonly file: string;
      readonly from: string;
      /** The serial of the SOA record, if there is one. */
      readonly serial?: number;
      readonly ledger: Ledger;
      /** Absent if the zone is unsigned and has no known DS records. */
      readonly dnssec?: Dnssec;
      /** Notes about the file, and problems that a plan would report. */
      readonly problems: readonly Problem[];
    });

/** Decisions and messages of an import. */
export interface ImportHandlers {
  /** Whether an existing file is overwritten. */
  readonly confirm: (change: FileChange) => Promise<boolean>;
  /** Called if the import continues an interrupted one, with its time and the number of zones that it imported. */
  readonly onContinue?: (begun: string, zones: number) => void;
  /** Called for files of the project that cannot be read, unless a zone fails because its file is one of them. */
  readonly onUnreadable?: (problems: readonly Problem[]) => void;
}

/**
 * Imports zones into zone files. Each file is written as soon as its zone is acquired; a zone that fails does not stop
 * the others. After an interruption the same request continues.
 * @throws {ProblemError} `run-locked`, `file-write`
 */
export async function* importInto(
  context: RunContext,
  project: Project,
  { source, ...options }: ImportOptions & { readonly source: ImportSource },
  handlers: ImportHandlers,
): AsyncGenerator<ImportResult, void, undefined> {
  const unlock = takeLock(stateFolder(project), lockOwnerOf(context));
  try {
    const state = new ImportState(project, context.now);
    const last = options.isRestart ? undefined : state.read();
    const digest = hashOf(JSON.stringify([source.request, options.to]));
    const continued = last && last.ended === undefined && last.request === digest ? last : undefined;
    if (continued) {
      state.resume();
      handlers.onContinue?.(continued.begun, continued.imported.size);
    } else state.begin({ request: digest, zones: source.zones.length, command: options.command });
    const unreadable = new Map<Name, readonly Problem[]>();
    const files = await listZoneFiles(project, (file, { problems }) => {
      unreadable.set(originOf(file), problems);
      if (!source.zones.some((name) => nameKey(name) === originOf(file))) handlers.onUnreadable?.(problems);
    });
    if (options.isRestart || (last && last.ended === undefined)) removeAllParts(project, files);
    const existing = new Map(files.toReversed().map((file) => [nameKey(file.name), file])); // the first of each
    const byPath = new Map(files.map((file) => [resolve(project.cwd, file.file), file]));
    const { to } = options;
    const importer = { context, project, state, existing, byPath, unreadable, source, to, ...handlers };
    const log: RequestLog = {
      isRequested: (zone) => continued?.requested.has(nameKey(zone)) ?? false,
      noteRequested: (zone) => state.requested(zone),
      noteRefused: (zone) => state.refused(zone),
    };
    const report = reportTask(project.onProgress, "importing zones", "zone");
    const left: Name[] = [];
    for (const name of source.zones) {
      const line = continued?.imported.get(nameKey(name));
      const earlier = line && (await readEarlier(importer, line));
      if (earlier) yield earlier;
      else left.push(name);
    }
    let done = source.zones.length - left.length;
    const reportDone = () => report(done, Math.max(done, source.zones.length));
    reportDone();
    for await (const acquired of source.acquire(left, context.signal, log)) {
      const result = await importOne(importer, acquired);
      done++;
      reportDone();
      const isEarlier = result.state === "same" && continued?.imported.has(nameKey(result.name));
      yield isEarlier ? { ...result, state: "earlier" } : result;
    }
    state.end();
  } finally {
    unlock();
  }
}

/** Removes the temporary files of a killed import, which are beside the files that it wrote. */
function removeAllParts({ cwd, folders }: Project, files: readonly { readonly file: string }[]): void {
  const paths = [
    ...folders.slice(0, 1).map(({ path }) => path),
    ...files.map(({ file }) => dirname(resolve(cwd, file))),
  ];
  for (const path of new Set(paths)) removeParts(path);
}

interface Importer extends ImportTarget, Pick<ImportHandlers, "confirm"> {
  readonly source: ImportSource;
  readonly context: RunContext;
  readonly state: ImportState;
  /** The reasons why files of the project cannot be read, by the zones that they are named after. */
  readonly unreadable: ReadonlyMap<Name, readonly Problem[]>;
}

async function importOne(importer: Importer, acquired: Acquired | NotAcquired): Promise<ImportResult> {
  if (!("records" in acquired)) return fail(importer, acquired);
  const { context, state } = importer;
  const { name, from } = acquired;
  const own = acquired.problems.filter(({ severity }) => severity === "error");
  const errors = [...own, ...(importer.unreadable.get(nameKey(name)) ?? [])];
  if (errors.length > 0) return fail(importer, { name, from, problems: errors });
  const views = viewsOf(importer, name);
  const [project] = views;
  const zone = { ...acquired, records: withTtls(acquired, project) };
  const result = await writeZone({ ...importer, project }, zone, views).catch((error: unknown) => {
    context.signal.throwIfAborted();
    if (error instanceof ProblemError) return error.problems;
    throw error;
  });
  if (!("file" in result)) return fail(importer, { name, from, problems: result });
  const imported = { file: result.file, from, ...serialOf(zone) };
  // Outside of the above: without its state, no zone could be continued.
  if (result.state === "kept") state.kept({ zone: name, file: result.file });
  else {
    const { unread, ds, evidence } = zone;
    const copy = importer.source.isRepeatable
      ? {}
      : { copy: await state.keep(copyText(zone)), unread, ds, ...(evidence && { evidence }) };
    state.imported({ zone: name, ...imported, ...copy });
  }
  const { state: written, problems, file: _, ...rest } = result;
  return {
    name,
    state: written,
    ...imported,
    ...zone.evidence,
    ...rest,
    problems: [...acquired.problems, ...problems],
  };
}

/** The records with the TTL of the zone where they have none. */
function withTtls({ settings, records }: AcquiredZone, { target }: Project): readonly ZoneRecord[] {
  if (records.every(({ ttl }) => ttl !== undefined)) return records;
  const usual = settings.ttl_sec || defaultTimes(target.capabilities.settings).ttl_sec;
  return records.map((record) =>
    record.ttl === undefined ? copyRecord(record, { ttl: usual, ownTtl: record.ownTtl }) : record,
  );
}

/** @throws {ProblemError} if the file cannot be written, or must be edited by hand. */
async function writeZone(importer: Importer, zone: AcquiredZone, views: Views) {
  const next = zone.live ? nextLiveFile(importer, zone, zone.live) : nextZoneFile(importer, zone);
  const { file, before } = next;
  const { problems, ...assessed } = assess(importer, zone, { ...next, views });
  const isSame = before === next.text;
  const isWanted = isSame || before === undefined || (await importer.confirm({ ...next, before }));
  if (isWanted && !isSame)
    await writeFiles(
      importer.project,
      [next],
      advise`Make the folder writable, or name another one with ${{ set: "zones" }}.`,
    );
  const state = isSame ? ("same" as const) : isWanted ? ("written" as const) : ("kept" as const);
  return { state, file, ...assessed, problems: [...next.notes, ...problems] };
}

/** The parts of a project for the targets of a zone, first one whose file has the most records of its apex. */
type Views = readonly [Project, ...Project[]];

function viewsOf({ project, existing }: Pick<Importer, "project" | "existing">, name: Name): Views {
  const known = existing.get(nameKey(name));
  const [folder] = project.folders;
  const file = known?.file ?? join(folder?.file ?? "", name);
  const names = isOfSeveral(project) ? targetsOfZone(project, { file, ...(known && { zone: known.read().zone }) }) : [];
  const own = targetViews(project).filter(({ view }) => view && names.includes(view.name));
  const [first, ...others] = own.sort((a, b) => apexRank(b) - apexRank(a));
  return first ? [first, ...others] : [project];
}

function apexRank({ target: { capabilities } }: Project): number {
  return ["service", "servers", "ours"].indexOf(capabilities.apex);
}

function fail({ state }: Importer, { name, from, problems }: NotAcquired): ImportResult {
  state.failed({ ...(name !== undefined && { zone: name }), ...(from !== undefined && { from }), problems });
  return { name, from, state: "failed", problems };
}

/** The result of a zone that an interrupted import wrote; undefined if its file or its copy is gone. */
async function readEarlier(importer: Importer, line: ImportedLine): Promise<ImportResult | undefined> {
  const { existing, state, project } = importer;
  const { zone: name, file, from, serial, copy, unread = [], ds = dsUnknown } = line;
  const entry = existing.get(nameKey(name));
  const text = copy === undefined ? undefined : state.readCopy(copy);
  if (copy === undefined || entry?.file !== file || text === undefined) return undefined;
  const bind = { file: copy, bytes: Buffer.from(text), origin: name, settings: project.settings };
  // The copy is not a file of the user, so its places would mislead.
  const records = formats.bind
    .read(bind)
    .zone.records.map(({ owner, type, ttl, data }) => ({ owner, type, ttl, data }));
  const read = entry.read();
  const views = viewsOf(importer, name);
  const errors = checkFile(views[0], read).filter(({ severity }) => severity === "error");
  const assessed = assess(importer, { name, records, unread, ds }, { read, errors, views });
  return { name, state: "earlier", file, from, ...(serial !== undefined && { serial }), ...line.evidence, ...assessed };
}

/** The DS records of a zone whose source does not show them. */
export const dsUnknown: ParentDs = { unknown: "they were not queried" };

/** The ledger of a zone, how it must move, and the errors that a plan of its file would report. */
function assess(
  { source }: Pick<Importer, "source">,
  zone: Pick<AcquiredZone, "name" | "records" | "unread" | "ds" | "live" | "origins">,
  { read, errors, views }: Pick<NextFile, "read" | "errors"> & { readonly views: Views },
): Pick<Extract<ImportResult, { readonly file: string }>, "ledger" | "dnssec" | "problems"> {
  const [first, ...others] = views.map(({ target, view }) => ({
    target: view?.name ?? "",
    ledger: buildLedger(zone, { zone: read.zone, errors }, target),
  }));
  if (first === undefined) throw new Error("a zone without a target");
  const ledger = joinLedgers([first, ...others]);
  const { dnssec, problems: ofSigning } = source.isFromService ? { problems: [] } : describeSigning(zone);
  return { ledger, ...(dnssec && { dnssec }), problems: [...ofSigning, ...errors] };
}

function serialOf({ records }: Pick<AcquiredZone, "records">): { readonly serial?: number } {
  const soa = records.find((record) => isType(record, "SOA"));
  return soa ? { serial: soa.data.serial } : {};
}

/** The records of a zone as a zone file with absolute names. */
function copyText({ records }: Pick<AcquiredZone, "records">): string {
  return records
    .map((record) => fromOctets(`${record.owner} ${record.ttl} IN ${record.type} ${rdataText(record)}\n`))
    .join("");
}
