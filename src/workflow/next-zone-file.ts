import { join, resolve } from "node:path";
import { plain } from "../diagnostics/plain.ts";
import { hasErrors, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import type { LiveZone } from "../dns/desired-live.ts";
import { type Name, nameKey, shownName } from "../dns/name.ts";
import { canonical, changed, type Zone, type ZoneRecord } from "../dns/zone.ts";
import { defaultTimes } from "../dns/zone-settings.ts";
import { fileErrorReason, type ReadZone } from "../formats/files.ts";
import { formatOf, formats } from "../formats/formats.ts";
import type { Source } from "../formats/kit/source.ts";
import type { FormatName } from "../formats/readers.ts";
import { statIfPresent } from "../read-file.ts";
import { fileName, readText, requireUtf8 } from "./files.ts";
import { liveZoneFile, noTemplates, templateNote, withoutTemplates } from "./import.ts";
import { missingExcuses } from "./missing-excuses.ts";
import { nameserversOf, type Project } from "./project.ts";
import { refuseUnresolved } from "./resolve-nodes.ts";
import { schemaFor } from "./schema-line.ts";
import { type AcquiredZone, excusesFor, isReplaced, zoneFromAcquired } from "./zone-from-acquired.ts";
import { normalizeForFile } from "./zone-from-live.ts";
import { readContents, type ZoneFileEntry } from "./zones.ts";

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
  readonly read: ReadZone;
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
  const zone = zoneFromAcquired(source, project.target, note);
  const before = existing.get(nameKey(source.name))?.read();
  if (before) {
    const bytes = withNewHead(before, mergeZone(target, before, zone, notes), source);
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
  const text = `${to === "yaml" ? "#" : ";"} ${plain(source.head)}\n${formats[to].write(zone, options)}`;
  const base = { file, bytes: Buffer.from(text), origin: source.name, settings };
  const other = target.byPath.get(resolve(cwd, file));
  if (other) {
    const summary = `${file} contains the zone ${shownName(other.name)}, not ${shownName(source.name)}`;
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

/**
 * The zone file of a zone that the service has imported: its existing file, or a new one. A new one also contains the
 * records of types that the service does not support, so that the repository loses nothing.
 * @throws {ProblemError} if an existing file must be edited by hand.
 */
export function nextLiveFile(target: ImportTarget, { name, records, head }: AcquiredZone, live: LiveZone): NextFile {
  const { project, existing, byPath, to } = target;
  const { accept, capabilities } = project.target;
  const before = existing.get(nameKey(name))?.read();
  const bare = { name, settings: {}, places: {}, dotlessTargets: [] };
  const unsupported = records.filter((record) => !isReplaced(name, record) && !isSupported(record));
  const ttl = live.settings.ttl_sec || live.defaultTimes.ttl_sec;
  const held = normalizeForFile({ ...bare, records: unsupported }, live.defaultTimes, () => {}).records.map((record) =>
    record.ttl === ttl ? changed(record, { ttl: undefined }) : record,
  );
  const excused = excusesFor({ ...bare, records: held }, project.target);
  if (before && !hasErrors(before.problems)) refuseUnresolved(before, "nothing can be merged into it", mergeByHand);
  const importing = { project, accept, to, existing: [...byPath.values()] };
  const result = liveZoneFile(importing, live, before, { records: held, excused });
  const { file } = result;
  if (result.state === "manual") throw new ProblemError(result.problems);
  if (result.state === "read-only") {
    const summary = `${file} has the format ${result.format}, which can be read but not written`;
    const fix = "Edit it by hand, or move the zone to a YAML or BIND zone file.";
    throw new ProblemError(problem("rewrite-format", summary, { fix }));
  }
  const first = result.state === "new" ? `${to === "yaml" ? "#" : ";"} ${plain(head)}\n` : "";
  const text = result.state === "same" ? readText(project.cwd, file) : first + result.text;
  const base = before ?? { file, bytes: Buffer.from(text), origin: name, settings: capabilities.settings };
  return {
    file,
    text,
    before: result.state === "same" ? text : result.state === "changed" ? result.before : undefined,
    read: readContents(project, base, Buffer.from(text)),
    notes: [
      ...result.notes.map((note) => problem("import-changed", note)),
      ...(result.state === "changed" ? result.problems : []),
    ],
  };

  function isSupported(record: ZoneRecord): boolean {
    return accept({ ...bare, records: [record] }).problems.every(({ id }) => id !== "type-unsupported");
  }
}

/** @throws {ProblemError} `file-read` */
function readIfThere(cwd: string, file: string): string | undefined {
  try {
    if (!statIfPresent(resolve(cwd, file))) return undefined;
  } catch (error) {
    throw new ProblemError(problem("file-read", `${file} cannot be read: ${fileErrorReason(error)}`));
  }
  return readText(cwd, file, "Make it readable, or move it away.");
}

/**
 * Merges a zone into its existing file. Comments, order and unchanged records are kept; records that the zone does not
 * contain are removed, except those that the service makes itself.
 */
function mergeZone({ project, byPath }: ImportTarget, before: ReadZone, wanted: Zone, notes: Problem[]): Uint8Array {
  const { file, fromTemplates = noTemplates } = before;
  const source: Source = formatOf(file) ?? formats.bind;
  const { settings } = project.target.capabilities;
  if (hasErrors(before.problems)) {
    const fix = "Fix the errors that `zonewright validate` reports, then import again.";
    throw new ProblemError(problem("rewrite-inexact", `${file} has errors, so nothing can be merged into it`, { fix }));
  }
  refuseUnresolved(before, "nothing can be merged into it", mergeByHand);
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

const mergeByHand =
  "Edit it by hand, or write the addresses in place of the references. `zonewright import api` merges live zones and keeps references.";

/** The changed file; a first line that names an earlier transfer names this one. */
function withNewHead({ bytes: before }: ReadZone, bytes: Uint8Array, { head }: Pick<AcquiredZone, "head">): Uint8Array {
  if (bytes === before || !transferHead.test(head)) return bytes;
  const text = Buffer.from(bytes).toString("latin1");
  const [first = ""] = /^[^\r\n]*/.exec(text) ?? [];
  if (!/^[#;] /.test(first) || !transferHead.test(first.slice(2))) return bytes;
  return Buffer.from(first.slice(0, 2) + plain(head) + text.slice(first.length), "latin1");
}

/** The first line of a new file of a transferred zone, after the sign of a comment. */
const transferHead = /^Transferred from \S+, serial \d+$/;

function contentOf({ owner, type, ttl, data }: ZoneRecord, defaultTtl: number): string {
  return `${nameKey(owner)} ${ttl ?? defaultTtl} ${type} ${canonical({ type, data })}`;
}
