import { type Document, isSeq } from "yaml";
import { hasErrors } from "../../diagnostics/problem.ts";
import { type NameKey, nameKey } from "../../dns/name.ts";
import { canonical, type Zone, type ZoneRecord } from "../../dns/zone.ts";
import { compareZones, type Difference } from "../difference.ts";
import { withOneTtl } from "../reconcile-soa.ts";
import { rewriteFile } from "../rewrite-file.ts";
import type { ReadResult, Report, ZoneFile } from "../source.ts";
import { applySplices, type Splice } from "../splice.ts";
import { itemSplices } from "./collection.ts";
import { expandSplices, isMerge, orphans } from "./expand.ts";
import { type Outline, type OwnerSite, readOutline, type Site, type Via } from "./outline.ts";
import { ownerSplices } from "./owners.ts";
import { readYaml } from "./read.ts";
import { entry } from "./render.ts";
import { listSplices, styleAt, ttlSplices, valueSplices } from "./site.ts";
import { type ParseYaml, parseYaml } from "./tree.ts";
import { typeValue } from "./write.ts";
import { settingSplices } from "./write-settings.ts";

/** A change that needs more steps is not one. */
const mostSteps = 20;

/**
 * A zone written into the YAML file that held it before: what did not change stays as it is, octet for octet. What is seen
 * through an alias or a merge and changes in one place only is written out in that place.
 * @throws {ProblemError} for a file with errors; `rewrite-inexact` where the change does not fit.
 */
export function rewriteYaml(zone: Zone, previous: ZoneFile, report?: Report): Uint8Array {
  const readings = new Readings(previous);
  const edit = ({ before, after }: { before: Zone; after: Zone }) => {
    const { mark } = readings;
    let text = Buffer.from(previous.bytes).toString("utf8").slice(mark.length);
    const bytesOf = (text: string) => Buffer.from(mark + text);
    const readText = (text: string) => readings.read({ ...previous, bytes: bytesOf(text) });
    // The last line gets an end while others come and go, where that end says nothing.
    const ending = /(?:^|\n)$/.test(text) ? "" : (/\r?\n/.exec(text)?.[0] ?? "\n");
    const isEnded = ending !== "" && compareZones(before, readText(text + ending).zone).isNone;
    if (isEnded) text += ending;
    for (let step = 0; step < mostSteps; step++) {
      const read = readText(text);
      if (hasErrors(read.problems)) break;
      const change = compareZones(read.zone, after);
      if (change.isNone) break;
      text = new Step(readOutline(text, read.zone.name, readings.documentsOf(text)), read.zone, after, change).text();
    }
    return bytesOf(isEnded && text.endsWith(ending) ? text.slice(0, -ending.length) : text);
  };
  return rewriteFile((file) => readings.read(file), { zone, previous, report }, edit, withOneTtl);
}

/** The texts that a change goes through, each read once. */
class Readings {
  readonly mark: string;
  readonly #first: ZoneFile;
  readonly #results = new Map<string, ReadResult>();
  #documents: { readonly text: string; readonly list: readonly Document[] } | undefined;

  constructor(first: ZoneFile) {
    this.#first = first;
    this.mark = Buffer.from(first.bytes.subarray(0, 3)).toString("utf8") === "\ufeff" ? "\ufeff" : "";
  }

  read(file: ZoneFile): ReadResult {
    const key = Buffer.from(file.bytes).toString("latin1");
    const result = this.#results.get(key) ?? readYaml(file, this.#parser(file));
    this.#results.set(key, result);
    return result;
  }

  /** The documents of a text, where they are at hand with their tokens. */
  documentsOf(text: string): readonly Document[] | undefined {
    return this.#documents?.text === text ? this.#documents.list : undefined;
  }

  /** The first text is the one that is written into; most others are only read again. */
  #parser({ bytes }: ZoneFile): ParseYaml | undefined {
    if (bytes !== this.#first.bytes) return undefined;
    return (text) => {
      const list = parseYaml(text, { keepSourceTokens: true });
      this.#documents = { text, list };
      return list;
    };
  }
}

/** A type that an owner is to have, with all its records. */
interface TypeOf {
  readonly key: string;
  readonly records: readonly ZoneRecord[];
}

/** One reading and one writing. What an anchor gives to others changes first; who then differs is written out in the next. */
class Step {
  readonly #outline: Outline;
  readonly #before: Zone;
  readonly #after: Zone;
  readonly #change: Difference;
  readonly #splices: Splice[] = [];
  /** What counts before a merge, once whoever holds its anchor says what it must. */
  readonly #over: { owner: OwnerSite; type: TypeOf }[] = [];
  readonly #expand = new Set<Via>();

  constructor(outline: Outline, before: Zone, after: Zone, change: Difference) {
    this.#outline = outline;
    this.#before = before;
    this.#after = after;
    this.#change = change;
  }

  text(): string {
    const { text } = this.#outline;
    this.#records();
    const settings = settingSplices(this.#outline, this.#after, this.#change.settings);
    this.#splices.push(...settings.splices);
    for (const via of settings.expand) this.#expand.add(via);
    const lost = orphans(this.#outline, this.#splices);
    if (this.#splices.length === 0 && lost.size === 0) {
      const owners = new Set(this.#over.map(({ owner }) => owner));
      for (const owner of owners)
        this.#types(
          owner,
          new Set(),
          this.#over.flatMap((over) => (over.owner === owner ? [over.type] : [])),
        );
    }
    if (this.#splices.length > 0 && lost.size === 0) return applySplices(text, this.#splices);
    return applySplices(text, expandSplices(this.#outline, lost.size > 0 ? lost : this.#expand));
  }

  #records(): void {
    const { owners, recordsMap, recordsVia } = this.#outline;
    const open = new Map<string, ZoneRecord[]>();
    for (const record of this.#change.added) {
      const key = siteKey(record);
      const set = open.get(key);
      if (set) set.push(record);
      else open.set(key, [record]);
    }
    const openTypes = new Map<NameKey, Set<string>>();
    for (const [key, [first]] of open) {
      if (!first) continue;
      const name = nameKey(first.owner);
      openTypes.set(name, (openTypes.get(name) ?? new Set()).add(key));
    }
    const places = new Map(recordsMap?.items.map((pair, index) => [pair as unknown, index]));
    const lastSite = new Map<string, Site>();
    const lastOwner = new Map<NameKey, OwnerSite>();
    for (const owner of owners) {
      lastOwner.set(nameKey(owner.name), owner);
      for (const site of owner.sites) lastSite.set(siteKey({ owner: owner.name, type: site.type }), site);
    }
    // Signatures of several types make several sets, which stand in one place.
    const touched = new Set([...this.#change.touched].map((key) => key.split(" ").slice(0, 2).join(" ")));
    const goneOwners = new Set<number>();
    let index = 0;
    for (const owner of owners) {
      const types: TypeOf[] = [];
      const goneTypes = new Set<number>();
      let isEmpty = true;
      for (const site of owner.sites) {
        const key = siteKey({ owner: owner.name, type: site.type });
        const isLast = lastSite.get(key) === site;
        const added = (isLast ? open.get(key) : undefined) ?? [];
        if (isLast) open.delete(key);
        const replacements = site.items.map((item) => ({
          ...item,
          before: this.#before.records[index],
          after: this.#change.replacements[index++],
        }));
        const kept = replacements.flatMap(({ after }) => after ?? []);
        if (kept.length + added.length > 0) isEmpty = false;
        if (!touched.has(key)) continue;
        const isMerged = isMerge(site.via) && owner.map?.items.includes(site.via as never) === true;
        if (kept.length + added.length === 0 && site.via === undefined)
          goneTypes.add(owner.map?.items.indexOf(site.pair as never) ?? -1);
        else if (isMerged && kept.length + added.length > 0)
          this.#over.push({ owner, type: { key: site.type, records: [...kept, ...added] } });
        else if (site.via) this.#expand.add(site.via);
        else if (site.isSplit || hasSeveralTtls([...kept, ...added])) {
          goneTypes.add(owner.map?.items.indexOf(site.pair as never) ?? -1);
          types.push({ key: site.type, records: [...kept, ...added] });
        } else if (site.valuesVia) this.#expand.add(site.valuesVia);
        else this.#site(site, replacements, added);
      }
      if (lastOwner.get(nameKey(owner.name)) === owner) {
        for (const key of openTypes.get(nameKey(owner.name)) ?? []) {
          const records = open.get(key);
          const [first] = records ?? [];
          if (!records || !first) continue;
          open.delete(key);
          types.push({ key: first.type, records });
        }
      }
      const isOnlyTypes = owner.map?.items.every(
        (pair) => isMerge(pair) || owner.sites.some((site) => site.pair === (pair as unknown)),
      );
      if (isEmpty && types.length === 0 && isOnlyTypes && owner.sites.length > 0) {
        // Whatever was to be written out below it goes with it.
        for (const site of owner.sites)
          for (const via of [site.via, site.valuesVia]) if (via !== owner.via) this.#expand.delete(via);
        if (owner.via) this.#expand.add(owner.via);
        else goneOwners.add(places.get(owner.pair) ?? -1);
      } else if (types.length + goneTypes.size > 0) this.#types(owner, goneTypes, types);
    }
    if (goneOwners.size + open.size === 0) return;
    if (recordsVia) this.#expand.add(recordsVia);
    else this.#splices.push(...ownerSplices(this.#outline, this.#after.name, goneOwners, [...open.values()]));
  }

  #site(
    site: Site,
    replacements: readonly {
      node: Site["values"];
      via: Via;
      before: ZoneRecord | undefined;
      after: ZoneRecord | undefined;
    }[],
    added: readonly ZoneRecord[],
  ): void {
    const origin = this.#after.name;
    const { length } = this.#splices;
    const gone = new Set<number>();
    replacements.forEach(({ node, before, after }, index) => {
      if (!after) gone.add(index);
      else if (before && canonical(before) !== canonical(after))
        this.#splices.push(...valueSplices(this.#outline, site, node, before, after, origin));
    });
    // A value that becomes a list as well does so in the next step: both would write in one place.
    if (this.#splices.length > length && !isSeq(site.values)) return;
    if (gone.size + added.length > 0) this.#splices.push(...listSplices(this.#outline, site, gone, added, origin));
    if (this.#splices.length > length) return;
    const wanted = replacements[0]?.after?.ttl;
    if (wanted === undefined && site.ttl?.via) this.#expand.add(site.ttl.via);
    else this.#splices.push(...ttlSplices(this.#outline, site, wanted));
  }

  #types(owner: OwnerSite, gone: ReadonlySet<number>, types: readonly TypeOf[]): void {
    if (owner.mapVia) return void this.#expand.add(owner.mapVia);
    if (!owner.map) return;
    const { text, lineEnd } = this.#outline;
    const style = styleAt(this.#outline, owner.map);
    const behind = owner.map.items.length - 1;
    const added = types.map(({ key, records }) => ({
      behind,
      text: entry(key, typeValue(records, this.#after.name), style),
    }));
    this.#splices.push(...itemSplices(text, lineEnd, owner.map, { gone, added }));
  }
}

/** Where the records of one type at an owner stand: in lower case, as `setKey` begins. */
function siteKey({ owner, type }: Pick<ZoneRecord, "owner" | "type">): string {
  return `${nameKey(owner)} ${type}`;
}

function hasSeveralTtls(records: readonly ZoneRecord[]): boolean {
  return records.some(({ ttl }) => ttl !== records[0]?.ttl);
}
