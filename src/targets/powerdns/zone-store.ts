import { type Problem, ProblemError, problem } from "../../diagnostics/problem.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { Fault } from "../../dns/name/fault.ts";
import { type Name, type NameKey, nameKey, readExactName, root } from "../../dns/name/name.ts";
import { isLater } from "../../dns/name/serial.ts";
import type { LiveRecord, RecordChange } from "../../dns/zone/desired-live.ts";
import { rdataText } from "../../dns/zone/zone.ts";
import type { ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { groupBy } from "../../group-by.ts";
import { headOfZone } from "../by-content.ts";
import { otherSets } from "../other-sets.ts";
import type { ExpectedSet, ReadOptions, RecordReadOptions, ZoneHead } from "../target.ts";
import { withoutSerial } from "../without-serial.ts";
import type { PowerDnsApi } from "./api.ts";
import { changedSets, newSets, writtenBy } from "./changed-sets.ts";
import { conflictError, noZoneError, PowerDnsError, presignedError, secondaryError } from "./failure.ts";
import type { Rrset, ZoneFieldsReply } from "./replies.ts";
import { fieldsOfSettings, hasOwnRecords, storedSettings, zoneKind } from "./settings.ts";
import { RdataSpelling } from "./spelling.ts";
import { StoredZone } from "./stored-zone.ts";
import { separateUnfound } from "./upper-case.ts";

/** A zone that was created, and whose first records create it on the server, which serves none without its own. */
interface CreatedZone {
  readonly name: Name;
  readonly settings: ZoneSettings;
  /** The serial that it had before it was deleted. */
  readonly formerSerial?: number | undefined;
}

interface ZoneReadOptions extends ReadOptions {
  /** Whether a name with upper-case letters is looked up. */
  readonly isAsked?: (name: NameKey) => boolean;
}

/** Reads the zones of a PowerDNS, and changes them. */
export class ZoneStore {
  readonly #api: PowerDnsApi;
  readonly #created = new Map<NameKey, CreatedZone>();
  readonly #spelling = new RdataSpelling();
  /** The serials of zones before their first change. */
  readonly #serials = new Map<NameKey, number>();

  constructor(api: PowerDnsApi) {
    this.#api = api;
  }

  async list({ signal }: ReadOptions = {}): Promise<readonly ZoneHead[]> {
    const stored = (await this.#api.listZones(signal)).flatMap((reply): ZoneHead[] => {
      const [name] = readZoneName(reply.name);
      if (name === undefined) return [];
      const secondary = hasOwnRecords(reply) ? {} : { secondaryOf: reply.masters ?? [] };
      return [{ ...headOfZone(name), settings: { kind: zoneKind(reply) }, ...secondary }];
    });
    // PowerDNS lists a zone once for each SOA record.
    const listed = [...new Map(stored.map((head) => [nameKey(head.name), head])).values()];
    const keys = new Set(listed.map(({ name }) => nameKey(name)));
    const created = [...this.#created.values()].filter(({ name }) => !keys.has(nameKey(name)));
    return [...listed, ...created.map(({ name, settings }) => ({ ...headOfZone(name), settings }))];
  }

  async find(zone: Name): Promise<{ readonly isBlank: boolean } | undefined> {
    if (await this.#api.findZone(zone)) return { isBlank: false };
    return this.#created.has(nameKey(zone)) ? { isBlank: true } : undefined;
  }

  /** @throws {PowerDnsError} `powerdns/exists` */
  async create(zone: CreatedZone): Promise<void> {
    if (await this.find(zone.name)) throw this.#api.zoneExistsError(zone.name);
    this.#created.set(nameKey(zone.name), zone);
  }

  /** @throws {PowerDnsError} */
  async remove(zone: Name): Promise<void> {
    const isCreated = this.#created.delete(nameKey(zone));
    const stored = await this.#api.findZone(zone);
    if (stored && !hasOwnRecords(stored)) throw secondaryError(zone, stored);
    if (stored || !isCreated) await this.#api.deleteZone(zone);
  }

  /** The records that are served, except for those of the server. @throws {PowerDnsError} */
  async records(zone: Name, { signal, onUnknown, onHead }: RecordReadOptions = {}): Promise<readonly LiveRecord[]> {
    const stored = await this.#read(zone, { signal });
    if (stored === undefined) return [];
    const { serial } = stored;
    onHead?.({
      settings: await this.#settingsOf(zone, stored.reply),
      ...(serial !== undefined && { serial }),
      ...(stored.reply.dnssec && { isSigned: true }),
    });
    return stored.records(onUnknown);
  }

  /** @throws {PowerDnsError} */
  async settings(zone: Name): Promise<ZoneSettings> {
    const reply = await this.#api.readFields(zone);
    if (reply) return this.#settingsOf(zone, reply);
    return this.#createdZone(zone).settings;
  }

  async #settingsOf(zone: Name, reply: ZoneFieldsReply): Promise<ZoneSettings> {
    return storedSettings(reply, reply.api_rectify ? true : await this.#api.readRectify(zone));
  }

  /** Everything that PowerDNS stores of the zone but its keys, as JSON of the API. @throws {PowerDnsError} */
  stored(zone: Name): Promise<string> {
    return this.#api.readText(zone);
  }

  async changeSettings(zone: Name, settings: ZoneSettings): Promise<void> {
    await this.#api.changeFields(zone, fieldsOfSettings(settings));
  }

  /** The zone as a master file, with its serial; empty without records. @throws {PowerDnsError} */
  async text(zone: Name, { signal }: ReadOptions = {}): Promise<string> {
    const stored = await this.#read(zone, { signal });
    const records = (stored?.records() ?? []).map((one) => (one.type === "SOA" ? (stored?.soa ?? one) : one));
    return records.map((one) => `${one.owner} ${one.ttl} IN ${one.type} ${rdataText(one)}\n`).join("");
  }

  /**
   * Changes records of a zone in one request, if its RRsets are as `expected`. They are compared right before it, and
   * an edit in between is lost.
   * @throws {PowerDnsError}
   */
  async change(
    zone: Name,
    changes: readonly RecordChange[],
    expected: readonly ExpectedSet[] | undefined,
  ): Promise<void> {
    for (;;) {
      try {
        await this.#change(zone, changes, expected);
        break;
      } catch (error) {
        if (!this.#learns(error)) throw error;
        await this.#rehearse(zone, changes);
      }
    }
    this.#created.delete(nameKey(zone));
  }

  /** Whether an error told a spelling that was not known. */
  #learns(error: unknown): boolean {
    const reason = error instanceof PowerDnsError ? error.reason : undefined;
    return reason !== undefined && this.#spelling.learn(reason);
  }

  /**
   * Learns the spelling of all other values, each from an error, by requests of some names each that store nothing:
   * their last record is none. So a zone is not read and sent as a whole for each value.
   */
  async #rehearse(zone: Name, changes: readonly RecordChange[]): Promise<void> {
    const stored = await this.#read(zone);
    const ofNames = [...groupBy(changes, (change) => nameKey(writtenBy(change).owner)).values()];
    for (let at = 0; at < ofNames.length; at += namesAtOnce) {
      const part = ofNames.slice(at, at + namesAtOnce).flat();
      const send = () =>
        stored
          ? this.#api.changeRrsets(zone, [...changedSets(stored, part, this.#spelling), invalidSet(zone)])
          : this.#create(zone, part, [invalidSet(zone)]);
      while (
        await send().then(
          () => false,
          (error) => this.#learns(error),
        )
      );
    }
  }

  async #create(zone: Name, changes: readonly RecordChange[], more: readonly Rrset[] = []): Promise<void> {
    const { settings, formerSerial } = this.#createdZone(zone);
    const sets = newSets(zone, changes, { spelling: this.#spelling, formerSerial });
    await this.#api.createZone(zone, { kind: "Native", ...fieldsOfSettings(settings) }, [...sets, ...more]);
  }

  async #change(
    zone: Name,
    changes: readonly RecordChange[],
    expected: readonly ExpectedSet[] | undefined,
  ): Promise<void> {
    const owners = new Set(changes.map((change) => nameKey(writtenBy(change).owner)));
    for (let looks = 1; ; looks++) {
      const stored = await this.#read(zone, { isAsked: (name) => owners.has(name) });
      if (stored === undefined) {
        return this.#create(zone, changes);
      }
      if (!hasOwnRecords(stored.reply)) throw secondaryError(zone, stored.reply);
      if (stored.isPresigned) throw presignedError(zone);
      if (expected && !hasSets(stored, expected)) throw conflictError(zone);
      const { soa } = stored;
      if (soa && !this.#serials.has(nameKey(zone))) this.#serials.set(nameKey(zone), soa.data.serial);
      const sets = changedSets(stored, changes, this.#spelling);
      const isSettled = !expected || looks === mostLooks || (await this.#lookAgain(stored, expected));
      if (isSettled) return this.#api.changeRrsets(zone, sets);
    }
  }

  /** Has a changed zone rectified where the server does not do it, and its secondaries told. Returns what failed. */
  async finish(zone: Name): Promise<readonly Problem[]> {
    const problems: Problem[] = [];
    const attempt = async <T>({ id, what, fix }: Finish, action: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await action();
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error;
        const summary = `the changes are made, but ${what}: ${error.problem.summary}`;
        problems.push(problem(id, summary, { fix, owner: zone }));
        return undefined;
      }
    };
    const reply = await attempt(finishing, () => this.#api.readFields(zone));
    problems.push(...this.#examineSerial(zone, reply));
    if (reply?.dnssec && !reply.api_rectify) await attempt(rectifying, () => this.#api.rectify(zone));
    if (reply && zoneKind(reply) === "Primary") await attempt(notifying, () => this.#api.notify(zone));
    return problems;
  }

  /** A warning if the serial of a changed zone is not above the one before (RFC 1982). */
  #examineSerial(zone: Name, { serial }: Pick<ZoneFieldsReply, "serial"> = {}): Problem[] {
    const before = this.#serials.get(nameKey(zone));
    this.#serials.delete(nameKey(zone));
    if (before === undefined || serial === undefined || isLater(serial, before)) return [];
    const summary = `the changes are made, but the serial did not rise: it was ${before}, and is ${serial}, so secondaries do not transfer the zone`;
    const fix =
      "Set `soa_edit_api` to INCREASE, and apply another change. EPOCH is below serials such as 2026113001, and SOA-EDIT does nothing in a zone without the metadata SOA-EDIT.";
    return [problem("powerdns/serial", summary, { fix, owner: zone })];
  }

  /**
   * Compares once more right before the write, because a large zone takes longer to read than a few names, which the
   * API reads without their disabled records. Of many names, only the serial, which PowerDNS increases with each change
   * by the API. Returns whether the zone need not be read again.
   * @throws {PowerDnsError} `powerdns/changed`
   */
  async #lookAgain(stored: StoredZone, expected: readonly ExpectedSet[]): Promise<boolean> {
    const { name, reply } = stored;
    if (reply.rrsets.length <= mostSets) return true;
    const owners = new Map(expected.map(({ owner }) => [nameKey(owner), owner]));
    const isMany = owners.size > mostNames;
    const names = isMany ? [name] : [...owners.values()];
    const rrsets = (await Promise.all(names.map((owner) => this.#api.readName(name, owner)))).flat();
    const now = new StoredZone(name, { ...reply, rrsets });
    if (isMany) return now.serial === stored.serial;
    if (!hasSets(now, expected)) throw conflictError(name);
    return true;
  }

  /** Undefined for a zone without records that was created. @throws {PowerDnsError} */
  async #read(zone: Name, { signal, isAsked = () => true }: ZoneReadOptions = {}): Promise<StoredZone | undefined> {
    const all = await this.#api.readZone(zone, signal);
    if (all) {
      const { reply, unfound } = await separateUnfound(all, isAsked, (name) => this.#api.readName(zone, name));
      return new StoredZone(zone, reply, { unfound });
    }
    this.#createdZone(zone);
    return undefined;
  }

  /** @throws {PowerDnsError} `powerdns/gone` for another zone */
  #createdZone(zone: Name): CreatedZone {
    const created = this.#created.get(nameKey(zone));
    if (created) return created;
    throw noZoneError(zone);
  }
}

/** A step after the writes of a zone. */
interface Finish {
  readonly id: ProblemId;
  readonly what: string;
  readonly fix: string;
}

const finishing: Finish = {
  id: "powerdns/rectify",
  what: "the zone may not be rectified, nor its secondaries notified",
  fix: "Check the log of PowerDNS. Run `pdnsutil rectify-zone` if the zone is signed, and `pdns_control notify` if it has secondaries.",
};

const rectifying: Finish = {
  id: "powerdns/rectify",
  what: "the zone may not be rectified",
  fix: "Check the log of PowerDNS. If the zone is signed, run `pdnsutil rectify-zone` for it.",
};

const notifying: Finish = {
  id: "powerdns/notify",
  what: "its secondaries are not notified",
  fix: "Check the log of PowerDNS, or run `pdns_control notify` for the zone. Secondaries follow at the end of its refresh time at the latest.",
};

/** The number of RRsets from which a zone takes long to read, and the most names that are read one by one. */
const mostSets = 100;
const mostNames = 8;

/** The most names in a rehearsal, each of which may take as many requests as it has values. */
const namesAtOnce = 50;

/** An RRset that PowerDNS rejects, and with it the request whose last one it is. */
function invalidSet(zone: Name) {
  const name = zone === root ? "_rehearsal." : `_rehearsal.${zone}`;
  return { name, type: "A", ttl: 60, changetype: "REPLACE" as const, records: [{ content: "rehearsal" }] };
}

/** The most reads of a zone before a write, while others go on to change it. */
const mostLooks = 3;

function hasSets(zone: StoredZone, expected: readonly ExpectedSet[]): boolean {
  const records = expected.flatMap(({ owner, type }) => zone.set(owner, type).records.map(withoutSerial));
  return otherSets(records, expected).length === 0;
}

/** None for the name of a variant of a zone, which names two views of it (PowerDNS 5). */
function readZoneName(text: string): Name[] {
  try {
    return [readExactName(text)];
  } catch (error) {
    if (error instanceof Fault) return [];
    throw error;
  }
}
