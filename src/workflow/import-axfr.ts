import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { hasErrors, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import { isSameName, type Name, nameKey, shownName } from "../dns/name.ts";
import { isLater } from "../dns/serial.ts";
import { fromOctets } from "../dns/text.ts";
import type { TransferredZone } from "../dns/transfer/axfr-receiver.ts";
import { canonical, changed, type Excuse, isType, rdataText, type Zone, type ZoneRecord } from "../dns/zone.ts";
import { defaultTimes } from "../dns/zone-settings.ts";
import { serverText } from "../dns-client/server-address.ts";
import type { TransferOptions } from "../dns-client/transfer-zone.ts";
import { takeLock } from "../executor/lock.ts";
import { fileErrorReason, type ReadZone } from "../formats/files.ts";
import { type FormatName, formatOf, formats } from "../formats/formats.ts";
import type { Source } from "../formats/kit/source.ts";
import { fileName, readText, removeParts, writeFiles } from "./files.ts";
import { noTemplates, templateNote, withoutTemplates } from "./import.ts";
import { hashOf, type ImportedLine, ImportState } from "./import-state.ts";
import { buildLedger, type Ledger, type LedgerSource } from "./ledger.ts";
import { reportTask } from "./progress.ts";
import { nameserversOf, type Project, stateFolder } from "./project.ts";
import type { RunContext } from "./run-context.ts";
import { lockOwnerOf } from "./run-plan.ts";
import { schemaFor } from "./schema-line.ts";
import { type Dnssec, describeSigning } from "./signed-zone.ts";
import { type OtherSerial, type Transfer, type TransferRequest, transferZones } from "./transfer-zones.ts";
import { isReplaced, zoneFromTransfer } from "./zone-from-transfer.ts";
import { checkZones, existingZones, readContents } from "./zones.ts";

export interface AxfrRequest extends Omit<TransferRequest, "signal"> {
  readonly to: FormatName;
  /** Starts again, even if the last import with the same request was interrupted. */
  readonly isRestart: boolean;
}

/** The new contents of an existing zone file. */
export interface FileChange {
  readonly file: string;
  readonly before: string;
  readonly text: string;
}

/** The result for one zone. */
export type AxfrImport = { readonly name: Name } & (
  | { readonly state: "failed"; readonly problems: readonly Problem[] }
  | {
      /** `kept`: the file differs and was not overwritten. `earlier`: an interrupted import wrote it. */
      readonly state: "written" | "same" | "kept" | "earlier";
      readonly file: string;
      readonly server: string;
      readonly serial: number;
      readonly ledger: Ledger;
      /** Absent if the zone is unsigned and has no known DS records. */
      readonly dnssec?: Dnssec;
      /** Notes about the file, and problems that a plan would report. */
      readonly problems: readonly Problem[];
    }
);

/** Decisions and messages of an import. */
export interface AxfrHandlers {
  /** Whether an existing file is overwritten. */
  readonly confirm: (change: FileChange) => Promise<boolean>;
  /** Called if the import continues an interrupted one, with its time and the number of zones that it imported. */
  readonly onContinue?: (begun: string, zones: number) => void;
  readonly transfer?: (options: TransferOptions) => Promise<TransferredZone>;
}

/**
 * Transfers zones from name servers into zone files. Each file is written as soon as its zone is complete; a zone that
 * fails does not stop the others. After an interruption the same request continues.
 * @throws {ProblemError} `run-locked`, `file-write`
 */
export async function* importAxfr(
  context: RunContext,
  project: Project,
  request: AxfrRequest,
  handlers: AxfrHandlers,
): AsyncGenerator<AxfrImport, void, undefined> {
  const unlock = takeLock(stateFolder(project), lockOwnerOf(context));
  try {
    const state = new ImportState(project, context.now);
    const last = request.isRestart ? undefined : state.read();
    const digest = digestOf(request);
    const continued = last && !last.isEnded && last.request === digest ? last : undefined;
    if (continued) {
      state.resume();
      for (const { path } of project.folders.slice(0, 1)) removeParts(path);
      handlers.onContinue?.(continued.begun, continued.imported.size);
    } else state.begin(digest, request.zones.length);
    const files = await existingZones(project);
    const existing = new Map(files.toReversed().map((read) => [nameKey(read.zone.name), read])); // the first of each
    const importer = { context, project, state, existing, files, confirm: handlers.confirm, to: request.to };
    const report = reportTask(project.onProgress, "importing zones", "zone");
    const left: Name[] = [];
    for (const name of request.zones) {
      const line = continued?.imported.get(nameKey(name));
      const earlier = line && (await readEarlier(importer, line));
      if (earlier) yield earlier;
      else left.push(name);
    }
    let done = request.zones.length - left.length;
    report(done, request.zones.length);
    const transfers = transferZones({ ...request, zones: left, signal: context.signal }, handlers.transfer);
    for await (const transfer of transfers) {
      const result = await importOne(importer, transfer);
      report(++done, request.zones.length);
      yield result;
    }
    state.end();
  } finally {
    unlock();
  }
}

/** Identifies a request: an interrupted import is continued only by the same one. */
function digestOf({ zones, servers, to }: AxfrRequest): string {
  return hashOf(JSON.stringify([zones.map(nameKey).sort(), servers.map(serverText), to]));
}

interface Importer {
  readonly context: RunContext;
  readonly project: Project;
  readonly state: ImportState;
  readonly existing: ReadonlyMap<Name, ReadZone>;
  /** All zone files of the project. */
  readonly files: readonly ReadZone[];
  readonly confirm: (change: FileChange) => Promise<boolean>;
  readonly to: FormatName;
}

async function importOne(importer: Importer, transfer: Transfer): Promise<AxfrImport> {
  const { name } = transfer;
  const { context, state } = importer;
  if ("problems" in transfer) return fail(importer, name, transfer.problems);
  const { zone, ds } = transfer;
  const { records, unread } = zone;
  const source = {
    name,
    records,
    unread: unread.map(({ owner, type, fault }) => ({ owner, type, reason: fault.message })),
  };
  const server = serverText(transfer.server);
  const result = await writeZone(importer, source, server).catch((error: unknown) => {
    context.signal.throwIfAborted();
    if (error instanceof ProblemError) return error.problems;
    throw error;
  });
  if (!("file" in result)) return fail(importer, name, result);
  const imported = { file: result.file, server, serial: serialOf(source) };
  // Outside of the above: without its state, no zone could be continued.
  if (result.state !== "kept")
    state.imported({ zone: name, ...imported, copy: await state.keep(copyText(source)), unread: source.unread, ds });
  const { ledger } = result;
  const { dnssec, problems } = describeSigning(source, ds);
  const notes = [...serialNotes(name, imported, transfer.others), ...problems, ...result.problems];
  return { name, state: result.state, ...imported, ledger, ...(dnssec && { dnssec }), problems: notes };
}

/** @throws {ProblemError} if the file cannot be written, or must be edited by hand. */
async function writeZone(importer: Importer, source: LedgerSource, server: string) {
  const next = nextFile(importer, source, server);
  const { file, before } = next;
  const { ledger, problems } = await assess(importer, source, next.read);
  const isSame = before === next.text;
  const isWanted = isSame || before === undefined || (await importer.confirm({ ...next, before }));
  if (isWanted && !isSame)
    await writeFiles(importer.project, [next], "Make the folder writable, or name another one with --zones.");
  const state = isSame ? ("same" as const) : isWanted ? ("written" as const) : ("kept" as const);
  return { state, file, ledger, problems: [...next.notes, ...problems] };
}

/** The warning that other servers have another version of the zone. */
function serialNotes(
  zone: Name,
  { server, serial }: { readonly server: string; readonly serial: number },
  others: readonly OtherSerial[],
): Problem[] {
  const differing = others.filter((other) => other.serial !== serial);
  if (differing.length === 0) return [];
  const list = differing.map((other) => `${serverText(other.server)} has serial ${other.serial}`).join(", ");
  const isNewer = differing.some((other) => isLater(other.serial, serial));
  const fix = isNewer
    ? "The transferred version is older. Name the primary server first, then import the zone again."
    : "The transferred version is the newest one. The other servers may still be transferring it.";
  return [
    problem("transfer/serial", `${zone} was transferred from ${server} with serial ${serial}, but ${list}`, { fix }),
  ];
}

function fail({ state }: Importer, name: Name, problems: readonly Problem[]): AxfrImport {
  state.failed({ zone: name, problems });
  return { name, state: "failed", problems };
}

/** The result of a zone that an interrupted import wrote; undefined if its file or its copy is gone. */
async function readEarlier(importer: Importer, line: ImportedLine): Promise<AxfrImport | undefined> {
  const { existing, state, project } = importer;
  const { zone: name, file, server, serial, unread } = line;
  const read = existing.get(nameKey(name));
  const copy = state.readCopy(line.copy);
  if (read?.file !== file || copy === undefined) return undefined;
  const { settings } = project.target.capabilities;
  const { zone } = formats.bind.read({ file: line.copy, bytes: Buffer.from(copy), origin: name, settings });
  const assessed = await assess(importer, { name, records: zone.records, unread }, read);
  const { dnssec, problems } = describeSigning({ name, records: zone.records }, line.ds);
  const notes = [...problems, ...assessed.problems];
  return { name, state: "earlier", file, server, serial, ...assessed, ...(dnssec && { dnssec }), problems: notes };
}

/** The ledger of a zone, and the problems that a plan of its file would report. */
async function assess(
  { project }: Importer,
  source: LedgerSource,
  read: ReadZone,
): Promise<{ readonly ledger: Ledger; readonly problems: readonly Problem[] }> {
  const { switches, target } = project;
  const { problems } = await checkZones({ zones: [read], problems: [], switches }, project, target.accept);
  const errors = problems.filter(({ severity }) => severity === "error");
  const ledger = buildLedger(source, { zone: read.zone, errors }, target);
  return { ledger, problems: errors };
}

/** A zone file with its new contents; `before` are those on the disk. */
interface NextFile {
  readonly file: string;
  readonly text: string;
  readonly before: string | undefined;
  readonly read: ReadZone;
  readonly notes: readonly Problem[];
}

/** @throws {ProblemError} if an existing file must be edited by hand. */
function nextFile(importer: Importer, source: LedgerSource, server: string): NextFile {
  const { project, existing, to } = importer;
  const { cwd, folders } = project;
  const notes: Problem[] = [];
  const note = (summary: string) => notes.push(problem("import-changed", summary));
  const zone = zoneFromTransfer(source, project.target, note);
  const before = existing.get(nameKey(source.name));
  if (before) {
    const bytes = mergeTransfer(importer, before, zone, notes);
    const { file } = before;
    const text = Buffer.from(bytes).toString();
    return {
      file,
      text,
      before: Buffer.from(before.bytes).toString(),
      read: readContents(project, before, bytes),
      notes,
    };
  }
  const file = join(folders[0]?.file ?? "", `${fileName(source.name)}${formats[to].endings[0]}`);
  const { settings } = project.target.capabilities;
  const options = { settings, nameservers: nameserversOf(project), schema: schemaFor(cwd, file) };
  const head = `Transferred from ${server}, serial ${serialOf(source)}`;
  const text = `${to === "yaml" ? "#" : ";"} ${head}\n${formats[to].write(zone, options)}`;
  const base = { file, bytes: Buffer.from(text), origin: source.name, settings };
  const other = importer.files.find((read) => resolve(cwd, read.file) === resolve(cwd, file));
  if (other) {
    const summary = `${file} contains the zone ${shownName(other.zone.name)}, not ${shownName(source.name)}`;
    throw new ProblemError(problem("rewrite-name", summary, { fix: "Rename that file after its zone." }));
  }
  return {
    file,
    text,
    before: readIfThere(cwd, file),
    read: readContents(project, base, base.bytes),
    notes,
  };
}

/** @throws {ProblemError} `file-read` */
function readIfThere(cwd: string, file: string): string | undefined {
  try {
    if (!statSync(resolve(cwd, file), { throwIfNoEntry: false })) return undefined;
  } catch (error) {
    throw new ProblemError(problem("file-read", `${file} cannot be read: ${fileErrorReason(error)}`));
  }
  return readText(cwd, file, "Make it readable, or move it away.");
}

/**
 * Merges a transferred zone into its existing file. Comments, order and unchanged records are kept; records that the
 * transfer does not contain are removed, except those that the service makes itself.
 */
function mergeTransfer({ project, files }: Importer, before: ReadZone, wanted: Zone, notes: Problem[]): Uint8Array {
  const { file, fromTemplates = noTemplates } = before;
  const source: Source = formatOf(file) ?? formats.bind;
  const { settings } = project.target.capabilities;
  if (hasErrors(before.problems)) {
    const fix = "Fix the errors that `zonewright validate` reports, then import again.";
    throw new ProblemError(problem("rewrite-inexact", `${file} has errors, so nothing can be merged into it`, { fix }));
  }
  if (before.zone.settings.type === "slave") {
    const summary = `${file} is a slave zone: its records come from its masters, so none can be merged into it`;
    const fix =
      "To move the zone to the service, delete the file and import again. To keep it as it is, do not import it.";
    throw new ProblemError(problem("rewrite-inexact", summary, { fix }));
  }
  const fileTtl = before.zone.settings.ttl_sec || defaultTimes(settings).ttl_sec;
  const wantedTtl = wanted.settings.ttl_sec ?? fileTtl;
  const left = new Map(wanted.records.map((record) => [contentOf(record, wantedTtl), record]));
  const kept = before.zone.records.filter(
    (record) => left.delete(contentOf(record, fileTtl)) || isReplaced(wanted.name, record),
  );
  const isEqual = left.size === 0 && kept.length === before.zone.records.length;
  if (before.format !== undefined || !source.rewrite) {
    // Such files have no settings of zones.
    if (isEqual) return before.bytes;
    const fix = "Edit it by hand, or move the zone to a YAML or BIND zone file.";
    const summary = `${file} has the format ${before.format ?? source.name}, which can be read but not written`;
    throw new ProblemError(problem("rewrite-format", summary, { fix }));
  }
  const own = source.read(before).zone;
  const added = [...left.values()].map((record) => {
    const ttl = record.ttl ?? wantedTtl;
    return changed(record, { ttl: ttl === fileTtl ? undefined : ttl });
  });
  const settingChanges = Object.entries(wanted.settings).filter(
    ([name, value]) => name !== "ttl_sec" && before.zone.settings[name] !== value,
  );
  const isKnown = ({ owner, rule }: Excuse) =>
    before.zone.excused?.some((excuse) => excuse.rule === rule && isSameName(excuse.owner, owner)) ?? false;
  const newExcuses = (wanted.excused ?? []).filter((excuse) => !isKnown(excuse));
  if (isEqual && settingChanges.length + newExcuses.length === 0) return before.bytes;
  const excused = [...(own.excused ?? []), ...newExcuses];
  const merged = withoutTemplates(
    {
      ...own,
      records: [...kept, ...added],
      settings: { ...own.settings, ...Object.fromEntries(settingChanges) },
      ...(excused.length > 0 && { excused }),
    },
    fromTemplates,
  );
  notes.push(...merged.differing.map((record) => templateNote(files, before, record)));
  return source.rewrite(merged.zone, before, (found) => notes.push(found));
}

function contentOf({ owner, type, ttl, data }: ZoneRecord, defaultTtl: number): string {
  return `${nameKey(owner)} ${ttl ?? defaultTtl} ${type} ${canonical({ type, data })}`;
}

function serialOf({ records }: Pick<LedgerSource, "records">): number {
  return records.find((record) => isType(record, "SOA"))?.data.serial ?? 0;
}

/** The zone as it was transferred, as a zone file with absolute names. */
function copyText({ records }: Pick<LedgerSource, "records">): string {
  return records
    .map((record) => fromOctets(`${record.owner} ${record.ttl} IN ${record.type} ${rdataText(record)}\n`))
    .join("");
}
