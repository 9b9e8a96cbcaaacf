import { readdirSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { nearest } from "../diagnostics/nearest.ts";
import { hasErrors, type Place, type Problem, ProblemError, problem } from "../diagnostics/problem.ts";
import { besideCname } from "../dns/lookup/lookup.ts";
import { type Name, nameKey, relativeTo, shownName } from "../dns/name/name.ts";
import { byOwner } from "../dns/zone/owners.ts";
import { type Override, placeOf, type Slip, type TemplateUse, type Zone, type ZoneRecord } from "../dns/zone/zone.ts";
import type { Setting, ZoneSettings } from "../dns/zone/zone-settings.ts";
import { readRegularFile, statIfPresent } from "../file-system.ts";
import { addToList } from "../group-by.ts";
import { templatesText } from "./edit/templates-text.ts";
import { type FromTemplates, fileErrorReason } from "./files.ts";
import type { Folder } from "./include.ts";
import { unreadOf } from "./kit/faults.ts";
import { type IncludedFile, largestFile } from "./kit/source.ts";
import { applyTemplate, readTemplate, readTemplateAlone, type Template } from "./yaml/template.ts";

/** A zone with the records and settings of its templates. */
export interface ExpandedZone {
  readonly zone: Zone;
  readonly problems: readonly Problem[];
  /** Template files that the zone uses, each once. */
  readonly files: readonly IncludedFile[];
  readonly fromTemplates: FromTemplates;
}

const ending = ".yaml";
/** Limit of the records that the templates of a zone add. */
const mostRecords = 1_000_000;

/** The templates of a project: `<name>.yaml` in one folder. Each file is parsed once. */
export class TemplateFolder {
  readonly folder: Folder;
  readonly #settings: readonly Setting[];
  readonly #read = new Map<string, ReadTemplate | Problem>();

  constructor(folder: Folder, settings: readonly Setting[]) {
    this.folder = folder;
    this.#settings = settings;
  }

  /** The files by template name; none if the folder does not exist. */
  files(): ReadonlyMap<string, string> {
    return new Map(this.#names().map((name) => [name, this.#fileOf(name)]));
  }

  /** The name of the template in a file; undefined for files outside the folder. */
  nameOf(path: string): string | undefined {
    const name = basename(path, ending);
    return path === join(this.folder.path, name + ending) && !name.startsWith(".") ? name : undefined;
  }

  /**
   * Reads a template without a zone.
   * @throws {ProblemError} `template-read`
   */
  readAlone(name: string): IncludedFile & { readonly problems: readonly Problem[] } {
    const read = this.#template(name);
    if ("summary" in read) throw new ProblemError(read);
    const { problems } = readTemplateAlone({ ...read.file, settings: this.#settings });
    return { ...read.file, problems };
  }

  /** Adds the records and settings of the templates that a zone file uses. */
  expand(zone: Zone): ExpandedZone {
    const { templates = [], overrides = [], ...own } = zone;
    const problems: Problem[] = [];
    const files = new Map<string, IncludedFile>();
    const parts: Part[] = [];
    const uses = new Set<string>();
    for (const use of templates) {
      const text = templatesText({ templates: [use] });
      if (uses.has(text)) {
        const summary = `the template "${use.name}" is listed twice with the same parameters`;
        problems.push(problem("template-conflict", summary, { place: use.at, fix: "Remove one of them." }));
        continue;
      }
      uses.add(text);
      const read = this.#template(use.name);
      if ("summary" in read) problems.push({ ...read, ...(use.at && { place: use.at }) });
      else {
        files.set(read.file.file, read.file);
        const { zone: content, problems: found } = applyTemplate(read.template, use, zone.name);
        problems.push(...found);
        parts.push({ use, file: read.file.file, content });
      }
    }
    const merging = new ZoneMerge({ ...own, overrides });
    for (const part of parts) merging.add(part);
    const { zone: expanded, ...rest } = merging.result();
    // An override may apply to records of a template with errors, which are unknown.
    const isKnown = !hasErrors(problems);
    const all = [...problems, ...rest.problems.filter(({ id }) => isKnown || id !== "override-unused")];
    const unread = unreadOf(all);
    return {
      zone: { ...expanded, ...(unread.unread && { unread: joinUnread(zone.unread, unread.unread) }) },
      problems: all,
      files: [...files.values()],
      fromTemplates: rest.fromTemplates,
    };
  }

  #names(): string[] {
    try {
      return readdirSync(this.folder.path)
        .filter((name) => name.endsWith(ending) && !name.startsWith("."))
        .map((name) => name.slice(0, -ending.length))
        .sort();
    } catch {
      return [];
    }
  }

  #fileOf(name: string): string {
    return join(this.folder.file, name + ending);
  }

  #template(name: string): ReadTemplate | Problem {
    const read = this.#read.get(name) ?? this.#readTemplate(name);
    this.#read.set(name, read);
    return read;
  }

  #readTemplate(name: string): ReadTemplate | Problem {
    const file = this.#fileOf(name);
    const path = join(this.folder.path, name + ending);
    const isName = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name);
    if (!isName || !statIfPresent(path)) {
      const known = this.#names();
      const near = nearest(basename(name).replace(/\.ya?ml$/, ""), known);
      const all = known.length > 0 ? `Templates: ${known.join(", ")}.` : `Create ${file}.`;
      const words = name.split(/[\s,]+/).filter(Boolean);
      const isList = words.length > 1 && words.every((word) => known.includes(word));
      const list = isList ? `Write them as a list: \`templates: [${words.join(", ")}]\`.` : undefined;
      const place = isName ? file : this.folder.file;
      const summary = isName
        ? `there is no template "${name}" (${place})`
        : `"${name}" cannot be the name of a template`;
      return problem("template-unknown", summary, { fix: list ?? (near ? `Did you mean "${near}"?` : all) });
    }
    try {
      const identity = realpathSync(path);
      if (dirname(identity) !== realpathSync(this.folder.path)) throw new Error("it is a link out of its folder");
      const { size } = statSync(path);
      if (size > largestFile) throw new Error(`it has ${size} bytes, at most ${largestFile} are read`);
      const bytes = readRegularFile(path);
      return { template: readTemplate(name, { file, bytes }, this.#settings), file: { file, bytes, identity } };
    } catch (error) {
      const fix = "Make it a file that this user may read, inside the folder of templates.";
      return problem("template-read", `the template ${file} cannot be read: ${fileErrorReason(error)}`, { fix });
    }
  }
}

interface ReadTemplate {
  readonly template: Template;
  readonly file: IncludedFile;
}

/** The part of a zone from one use of a template. */
interface Part {
  readonly use: TemplateUse;
  readonly file: string;
  readonly content: Zone;
}

/** An RRset and its source: a part, or the zone file. */
interface SourcedSet {
  readonly type: string;
  readonly part: Part | undefined;
  readonly records: readonly ZoneRecord[];
  readonly at: Place | undefined;
}

/** Merges a zone file with its templates, which are added in order. */
class ZoneMerge {
  readonly #own: Zone;
  readonly #sets = new Map<string, SourcedSet[]>();
  readonly #usedOverrides = new Set<Override>();
  readonly #records: ZoneRecord[] = [];
  readonly #parts: Part[] = [];
  readonly #problems: Problem[] = [];
  readonly #settings = new Map<
    string,
    { readonly value: unknown; readonly at: Place | undefined; readonly name: string }
  >();
  readonly #overrides = new Map<string, Override[]>();
  /** Overridden or conflicting records of templates, by line. */
  readonly #dropped = new Map<number, ZoneRecord[]>();

  constructor(own: Zone) {
    this.#own = own;
    for (const override of own.overrides ?? []) addToList(this.#overrides, nameKey(override.owner), override);
    for (const [owner, types] of byOwner(own.records))
      for (const { type, records } of types.values())
        this.#setsOf(owner).push({ type, part: undefined, records, at: records[0] && placeOf(records[0]) });
  }

  add(part: Part): void {
    this.#parts.push(part);
    this.#addSettings(part);
    for (const [owner, types] of byOwner(part.content.records))
      for (const { type, records } of types.values()) {
        const set = { type, part, records, at: records[0] && placeOf(records[0]) };
        if (this.#isKept(owner, set)) {
          this.#setsOf(owner).push(set);
          for (const record of records) this.#records.push(record);
        } else for (const record of records) addToList(this.#dropped, placeOf(record)?.line ?? 0, record);
        if (this.#records.length > mostRecords) return this.#refuseSize(part);
      }
  }

  result(): Omit<ExpandedZone, "files"> {
    const { overrides = [], ...own } = this.#own;
    for (const override of overrides) {
      if (this.#usedOverrides.has(override)) continue;
      const { owner, type, at } = override;
      const summary = `${this.#show(owner)} ${type}: no template gives records that this would override`;
      this.#problems.push(problem("override-unused", summary, { place: at, owner, fix: "Remove `override`." }));
    }
    const settings = Object.fromEntries([...this.#settings].map(([name, { value }]) => [name, value])) as ZoneSettings;
    const contents = this.#parts.map(({ content }) => content);
    const isKept = (part: Pick<Slip, "source" | "at">) =>
      !this.#dropped.get(part.at.line)?.some((record) => isPartOf(part, record));
    const slips = contents.flatMap(({ slips = [] }) => slips.filter(isKept));
    const excused = contents.flatMap(({ excused = [] }) => excused);
    return {
      zone: {
        ...own,
        settings: { ...settings, ...own.settings },
        records: [...own.records, ...this.#records],
        places: { ...Object.assign({}, ...contents.map(({ places }) => places)), ...own.places },
        dotlessTargets: [
          ...own.dotlessTargets,
          ...contents.flatMap(({ dotlessTargets }) => dotlessTargets.filter(isKept)),
        ],
        ...(slips.length > 0 && { slips: [...(own.slips ?? []), ...slips] }),
        ...(excused.length > 0 && { excused: [...(own.excused ?? []), ...excused] }),
      },
      problems: this.#problems,
      fromTemplates: { records: new Set(this.#records), settings },
    };
  }

  #setsOf(owner: string): SourcedSet[] {
    const sets = this.#sets.get(owner) ?? [];
    this.#sets.set(owner, sets);
    return sets;
  }

  /** Whether an RRset of a template is added to the zone. Reports conflicts. */
  #isKept(owner: Name, set: SourcedSet): boolean {
    const ofOwner = this.#overrides.get(nameKey(owner)) ?? [];
    const overriding = ofOwner.filter(({ type }) => mustShareSource(type, set.type));
    for (const override of overriding) this.#usedOverrides.add(override);
    if (overriding.length > 0) return false;
    const other = this.#setsOf(nameKey(owner)).find(
      ({ type, part }) => part !== set.part && mustShareSource(type, set.type),
    );
    if (!other) return true;
    // The zone file has an error at this name, which may hide an override.
    if (this.#own.unread?.owners.has(nameKey(owner))) return false;
    const isRepeated = other.type === set.type && other.part?.file === set.part?.file;
    const summary = isRepeated
      ? `${this.#show(owner)} ${set.type} comes twice from ${describe(set)}: it is used at ${placeText(other.part?.use.at)} and ${placeText(set.part?.use.at)}`
      : other.type === set.type
        ? `${this.#show(owner)} ${set.type} is in ${describe(other)} and in ${describe(set)}`
        : `${this.#show(owner)}: ${other.type} in ${describe(other)} and ${set.type} in ${describe(set)} cannot coexist`;
    const own = `\`${other.type}: { override: true, values: … }\``;
    const remedy = isRepeated ? "Use it once, or with parameters that give other names" : "Remove one of them";
    const fix = `${remedy}, or let the zone file replace what templates give: ${own}.`;
    const at = other.part ? set : other;
    this.#problems.push(problem("template-conflict", summary, { place: at.at, via: viaOf(at), owner, fix }));
    return false;
  }

  #addSettings({ content, use, file }: Part): void {
    for (const [name, value] of Object.entries(content.settings)) {
      const at = content.places[name];
      const before = this.#settings.get(name);
      if (!before) this.#settings.set(name, { value, at, name: use.name });
      else if (name in this.#own.settings || JSON.stringify(before.value) === JSON.stringify(value)) continue;
      else {
        const summary = `${name}: the templates "${before.name}" (${placeText(before.at)}) and "${use.name}" (${placeText(at) || file}) give different values`;
        const fix = `Write ${name} in the zone file, which takes precedence, or in one of the templates.`;
        this.#problems.push(problem("template-conflict", summary, { place: at, via: use.at && [use.at], fix }));
      }
    }
  }

  #refuseSize({ use }: Part): void {
    const summary = `the templates of the zone make more than ${mostRecords} records`;
    this.#problems.push(problem("template-parameter", summary, { place: use.at, fix: "Use shorter lists." }));
  }

  #show(owner: Name): string {
    return shownName(relativeTo(owner, this.#own.name));
  }
}

/** Whether two RRsets of a name must come from the same source. */
function mustShareSource(type: string, other: string): boolean {
  if (type === other) return true;
  return (type === "CNAME" && !besideCname.has(other)) || (other === "CNAME" && !besideCname.has(type));
}

function describe({ part, at }: SourcedSet): string {
  const source = part ? `the template "${part.use.name}"` : "the zone file";
  return `${source} (${placeText(at)})`;
}

function viaOf({ part }: SourcedSet): readonly Place[] | undefined {
  return part?.use.at && [part.use.at];
}

function placeText(place: Place | undefined): string {
  return place ? `${place.file}:${place.line}:${place.column}` : "";
}

/** Whether a place is inside the text of a record. */
function isPartOf({ source, at }: Pick<Slip, "source" | "at">, record: ZoneRecord): boolean {
  const place = placeOf(record);
  if (!place || source !== record.source) return false;
  return at.line === place.line && at.column >= place.column && at.column < place.column + place.length;
}

function joinUnread(a: Zone["unread"], b: NonNullable<Zone["unread"]>): NonNullable<Zone["unread"]> {
  return { owners: new Set([...(a?.owners ?? []), ...b.owners]), isAny: (a?.isAny ?? false) || b.isAny };
}
