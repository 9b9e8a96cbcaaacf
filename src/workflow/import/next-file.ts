import { join, resolve } from "node:path";
import { advise, type Fix } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import {
  hasErrors,
  type Problem,
  ProblemError,
  problem,
  problemError,
  type Severity,
} from "../../diagnostics/problem.ts";
import { type Name, nameKey, shownName, withoutDot } from "../../dns/name/name.ts";
import { contactOf, isMailbox, nameToEmail } from "../../dns/types/soa.ts";
import type { LiveZone } from "../../dns/zone/desired-live.ts";
import { canonical, copyRecord, isType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import { defaultTimes, findSetting } from "../../dns/zone/zone-settings.ts";
import { statIfPresent } from "../../file-system.ts";
import { fileErrorReason, fileName, type ZoneOfFile } from "../../formats/files.ts";
import { formatOf, formats } from "../../formats/formats.ts";
import type { Source } from "../../formats/kit/source.ts";
import type { FormatName } from "../../formats/readers.ts";
import { readText, requireUtf8 } from "../project/files.ts";
import { nameserversOf, type Project } from "../project/project.ts";
import { schemaFor } from "../project/schema-line.ts";
import { checkWritten, type WrittenFrom } from "../zones/check-written.ts";
import { missingExcuses } from "../zones/excuses.ts";
import { refuseUnresolved } from "../zones/resolve-nodes.ts";
import { normalizeForFile } from "../zones/zone-from-live.ts";
import { checkFile, readContents, type ZoneFileEntry } from "../zones/zones.ts";
import { type AcquiredZone, isReplaced, zoneFromAcquired } from "./build-zone.ts";
import { liveZoneFile, noTemplates, templateNote, withoutTemplates } from "./import.ts";

/** The zone files of a project, into which zones are imported. */
export interface ImportTarget {
  readonly project: Project;
  /** All zone files of the project, by their absolute paths. */
  readonly byPath: ReadonlyMap<string, ZoneFileEntry>;
  /** The first file of each zone. */
  readonly existing: ReadonlyMap<Name, ZoneFileEntry>;
  /** The format of new files. */
  readonly to: FormatName;
}

/** A zone file with its new contents; `before` are those on the disk. */
export interface NextFile {
  readonly file: string;
  readonly text: string;
  readonly before: string | undefined;
  readonly read: ZoneOfFile;
  /** The errors of the new contents, which the zone has as well. */
  readonly errors: readonly Problem[];
  readonly notes: readonly Problem[];
}

/**
 * The zone file of an acquired zone: its existing file, or a new one.
 * @throws {ProblemError} if an existing file must be edited by hand.
 */
export function nextZoneFile(target: ImportTarget, source: AcquiredZone): NextFile {
  const { project, existing, to } = target;
  const { cwd, folders } = project;
  const notes: Problem[] = [];
  const note = (summary: string) => notes.push(problem("import-changed", summary));
  const before = existing.get(nameKey(source.name))?.read();
  const acquired = zoneFromAcquired(source, project, note);
  const zone = withContact(project, acquired, { source, before }, notes);
  if (before) {
    const bytes = withNewHead(before, mergeZone(target, before, zone, notes), source);
    const { file } = before;
    const text = Buffer.from(bytes).toString();
    const read = readContents(project, before, bytes);
    const errors = checkWritten(project, read, [sourceOf(zone), before]);
    return { file, text, before: Buffer.from(before.bytes).toString(), read, errors, notes };
  }
  const file = join(folders[0]?.file ?? "", `${fileName(source.name)}${formats[to].endings[0]}`);
  const { settings } = project;
  const options = { settings, nameservers: nameserversOf(project), schema: schemaFor(cwd, file) };
  const text = `${to === "yaml" ? "#" : ";"} ${escapeControl(source.head)}\n${formats[to].write(zone, options)}`;
  const base = { file, bytes: Buffer.from(text), origin: source.name, settings };
  const other = target.byPath.get(resolve(cwd, file));
  if (other) {
    const summary = `${file} contains the zone ${shownName(other.name)}, not ${shownName(source.name)}`;
    throw problemError("rewrite-name", summary, { fix: "Rename that file after its zone." });
  }
  const read = readContents(project, base, base.bytes);
  const errors = checkWritten(project, read, [sourceOf(zone)]);
  return { file, text, before: readIfThere(cwd, file), read, errors, notes };
}

/** The zone, also without its SOA record, as a YAML file has it: its own SOA record can hide that it has no contact. */
function sourceOf(zone: Zone): WrittenFrom {
  return { zone, inFile: { ...zone, records: zone.records.filter((record) => !isType(record, "SOA")) } };
}

/**
 * The zone with a contact address if its source has none, or one that is no mailbox: that of its file or of the
 * project, or else the one that every domain should have (RFC 2142 §7). A changed contact is noted.
 */
function withContact(
  { target, defaults }: Project,
  zone: Zone,
  { source, before }: { readonly source: AcquiredZone; readonly before: ZoneOfFile | undefined },
  notes: Problem[],
): Zone {
  if (!findSetting(target.capabilities.settings, "soa_email")) return zone;
  const rname = source.records.find((record) => isType(record, "SOA"))?.data.rname;
  const { soa_email, type } = zone.settings;
  if (rname === undefined && (soa_email || type === "slave")) return zone;
  const shown = withoutDot(zone.name);
  const contact = rname === undefined ? undefined : `the contact "${shownName(rname)}" of ${shown}`;
  const note = (summary: string, more: { readonly fix?: Fix; readonly severity?: Severity }) =>
    notes.push(problem("import-contact", summary, more));
  if (rname !== undefined && soa_email !== undefined) {
    const isRepaired = soa_email !== nameToEmail(rname) && soa_email === contactOf(rname);
    if (isRepaired) note(`${contact} is read as ${soa_email}`, { severity: "note" });
    return zone;
  }
  const { soa_email: known } = before?.zone.settings ?? defaults;
  if (known) {
    if (contact) note(`${contact} is not an e-mail address; ${known} is used instead`, { severity: "note" });
    return zone;
  }
  const usual = `hostmaster@${shown}`;
  if (!isMailbox(usual)) return zone;
  const fix = "Make sure that someone reads this mail, or write another address as soa_email.";
  // The same words for every zone: whole folders of octoDNS have no contact, which is then reported once.
  const summary = contact
    ? `${contact} is not an e-mail address; the file has ${usual} instead, the usual one (RFC 2142)`
    : "the source has no contact address; the file has the usual one instead, hostmaster@ and the zone (RFC 2142)";
  note(summary, { fix });
  return { ...zone, settings: { ...zone.settings, soa_email: usual } };
}

/**
 * The zone file of a zone that the service has imported: its existing file, or a new one. A new one also contains the
 * records of types that the service does not support, so that the repository loses nothing.
 * @throws {ProblemError} if an existing file must be edited by hand.
 */
export function nextLiveFile(target: ImportTarget, { name, records, head }: AcquiredZone, live: LiveZone): NextFile {
  const { project, existing, byPath, to } = target;
  const { accept, recordLimits } = project.target;
  const before = existing.get(nameKey(name))?.read();
  const bare = { name, settings: {}, places: {}, dotlessTargets: [] };
  const unsupported = records.filter((record) => !isReplaced(name, record, project.target) && !isSupported(record));
  const ttl = live.settings.ttl_sec || live.defaultTimes.ttl_sec;
  const kept = normalizeForFile({ ...bare, records: unsupported }, live.defaultTimes, () => {}).records.map((record) =>
    record.ttl === ttl ? copyRecord(record, { ttl: undefined }) : record,
  );
  if (before && !hasErrors(before.problems)) refuseUnresolved(before, "nothing can be merged into it", mergeByHand);
  const importing = { project, accept, to, existing: [...byPath.values()] };
  const first = `${to === "yaml" ? "#" : ";"} ${escapeControl(head)}\n`;
  const { imported: result, written } = liveZoneFile(importing, live, before, { head: first, records: kept });
  const { file } = result;
  if (result.state === "manual") throw new ProblemError(result.problems);
  if (result.state === "read-only") {
    const summary = `${file} has the format ${result.format}, which can be read but not written`;
    const fix = "Edit it by hand, or move the zone to a YAML or BIND zone file.";
    throw problemError("rewrite-format", summary, { fix });
  }
  const text = result.state === "same" ? readText(project.cwd, file) : result.text;
  return {
    file,
    text,
    before: result.state === "same" ? text : result.state === "changed" ? result.before : undefined,
    ...(written ?? readUnchanged(text)),
    notes: [
      ...result.notes.map((note) => problem("import-changed", note)),
      ...(result.state === "changed" ? result.problems : []),
    ],
  };

  function isSupported(record: ZoneRecord): boolean {
    return accept({ ...bare, records: [record] }).problems.every(({ id }) => !recordLimits.has(id));
  }

  function readUnchanged(text: string): Pick<NextFile, "read" | "errors"> {
    const bytes = Buffer.from(text);
    const { settings } = project;
    const read = readContents(project, before ?? { file, bytes, origin: name, settings }, bytes);
    return { read, errors: checkFile(project, read).filter(({ severity }) => severity === "error") };
  }
}

/** @throws {ProblemError} `file-read` */
function readIfThere(cwd: string, file: string): string | undefined {
  try {
    if (!statIfPresent(resolve(cwd, file))) return undefined;
  } catch (error) {
    throw problemError("file-read", `${file} cannot be read: ${fileErrorReason(error)}`);
  }
  return readText(cwd, file, "Make it readable, or move it away.");
}

/**
 * Merges a zone into its existing file. Comments, order and unchanged records are kept; records that the zone does not
 * contain are removed, except those that the service makes itself.
 */
function mergeZone({ project, byPath }: ImportTarget, before: ZoneOfFile, wanted: Zone, notes: Problem[]): Uint8Array {
  const { file, fromTemplates = noTemplates } = before;
  const source: Source = formatOf(file) ?? formats.bind;
  const { settings } = project;
  if (hasErrors(before.problems)) {
    const fix = advise`Fix the errors that ${{ run: "validate" }} reports, then import again.`;
    throw problemError("rewrite-inexact", `${file} has errors, so nothing can be merged into it`, { fix });
  }
  refuseUnresolved(before, "nothing can be merged into it", mergeByHand);
  if (before.zone.settings.type === "slave") {
    const summary = `${file} is a slave zone: its records come from its masters, so none can be merged into it`;
    const fix =
      "To move the zone to the service, delete the file and import again. To keep it as it is, do not import it.";
    throw problemError("rewrite-inexact", summary, { fix });
  }
  const fileTtl = before.zone.settings.ttl_sec || defaultTimes(settings).ttl_sec;
  const wantedTtl = wanted.settings.ttl_sec ?? fileTtl;
  const left = new Map(wanted.records.map((record) => [contentOf(record, wantedTtl), record]));
  const kept = before.zone.records.filter(
    (record) => left.delete(contentOf(record, fileTtl)) || isReplaced(wanted.name, record, project.target),
  );
  const isEqual = left.size === 0 && kept.length === before.zone.records.length;
  if (before.format !== undefined || !source.rewrite) {
    // Such files have no settings of zones.
    if (isEqual) return before.bytes;
    const fix = "Edit it by hand, or move the zone to a YAML or BIND zone file.";
    const summary = `${file} has the format ${before.format ?? source.name}, which can be read but not written`;
    throw problemError("rewrite-format", summary, { fix });
  }
  const own = source.read(before).zone;
  const added = [...left.values()].map((record) => {
    const ttl = record.ttl ?? wantedTtl;
    return copyRecord(record, { ttl: ttl === fileTtl ? undefined : ttl });
  });
  const settingChanges = Object.entries(wanted.settings).filter(
    ([name, value]) => name !== "ttl_sec" && JSON.stringify(before.zone.settings[name]) !== JSON.stringify(value),
  );
  if (wanted.scope && JSON.stringify(wanted.scope) !== JSON.stringify(before.zone.scope))
    notes.push(problem("import-changed", `\`manage\` and \`ignore\` of ${file} stay as they are`));
  const merged = withoutTemplates(
    {
      ...own,
      records: [...kept, ...added],
      settings: { ...own.settings, ...Object.fromEntries(settingChanges) },
    },
    fromTemplates,
  );
  const excuses = missingExcuses(before, merged.zone.records, wanted, (summary) =>
    notes.push(problem("import-changed", summary)),
  );
  if (isEqual && settingChanges.length + excuses.length === 0) return before.bytes;
  requireUtf8(before);
  for (const record of merged.differing) {
    const users = [...byPath.values()].filter(({ included }) => included.some((file) => file === record.source?.file));
    const names = users.map(({ name }) => name);
    notes.push(templateNote(names, before, record));
  }
  const excused = [...(own.excused ?? []), ...excuses];
  return source.rewrite({ ...merged.zone, excused }, before, (found) => notes.push(found));
}

const mergeByHand = advise`Edit it by hand, or write the addresses in place of the references. ${{ run: "import api" }} merges live zones and keeps references.`;

/** The changed file; a first line that names an earlier transfer names this one. */
function withNewHead(
  { bytes: before }: ZoneOfFile,
  bytes: Uint8Array,
  { head }: Pick<AcquiredZone, "head">,
): Uint8Array {
  if (bytes === before || !transferHead.test(head)) return bytes;
  const text = Buffer.from(bytes).toString("latin1");
  const [first = ""] = /^[^\r\n]*/.exec(text) ?? [];
  if (!/^[#;] /.test(first) || !transferHead.test(first.slice(2))) return bytes;
  return Buffer.from(first.slice(0, 2) + escapeControl(head) + text.slice(first.length), "latin1");
}

/** The first line of a new file of a transferred zone, after the sign of a comment. */
const transferHead = /^Transferred from \S+, serial \d+$/;

function contentOf({ owner, type, ttl, data }: ZoneRecord, defaultTtl: number): string {
  return `${nameKey(owner)} ${ttl ?? defaultTtl} ${type} ${canonical({ type, data })}`;
}
