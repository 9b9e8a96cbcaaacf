import { Fault } from "../../dns/name/fault.ts";
import { asName, type Name, readExactName } from "../../dns/name/name.ts";
import { findType } from "../../dns/types/index.ts";
import type { LiveRecord, UnknownRecord } from "../../dns/zone/desired-live.ts";
import { copyRecord, isType, recordKeyOf, setKeyOf, type ZoneRecord } from "../../dns/zone/zone.ts";
import { readRdataText } from "../../formats/kit/rdata-text.ts";
import { contentId } from "../content-id.ts";
import { isServerType } from "../server-types.ts";
import { withoutSerial } from "../without-serial.ts";
import type { Rrset, RrsetRecord, ZoneReply } from "./replies.ts";
import { contentToRead } from "./spelling.ts";

/** An RRset of a zone: the records that are served and can be read, and the others, which stay as they are. */
export interface StoredSet {
  readonly records: readonly ZoneRecord[];
  readonly others: readonly RrsetRecord[];
  /** Seconds. */
  readonly ttl: number;
  /** The type as the server spells it; undefined for a set that does not exist. */
  readonly type: string | undefined;
}

/** A zone of PowerDNS. RDATA is read only where it is needed, because a write compares its RRsets in a hurry. */
export class StoredZone {
  readonly name: Name;
  readonly reply: ZoneReply;
  /** RRsets with records that lookups and changes do not find. */
  readonly unfound: readonly Rrset[];
  readonly #formerSerial: number | undefined;
  #bySet: ReadonlyMap<string, Rrset> | undefined;

  /** `formerSerial`: that of a deleted zone which a new one restores. */
  constructor(
    name: Name,
    reply: ZoneReply,
    {
      unfound = [],
      formerSerial,
    }: { readonly unfound?: readonly Rrset[]; readonly formerSerial?: number | undefined } = {},
  ) {
    this.name = name;
    this.reply = reply;
    this.unfound = unfound;
    this.#formerSerial = formerSerial;
  }

  /** Whether it has signatures that PowerDNS did not make itself. */
  get isPresigned(): boolean {
    return this.reply.rrsets.some(({ type }) => type === "RRSIG");
  }

  /** Whether PowerDNS increases the serial after a change of records. */
  get increasesSerial(): boolean {
    const { soa_edit_api: edit = "" } = this.reply;
    return edit !== "" && edit.toUpperCase() !== "OFF";
  }

  /** The SOA record with its serial. */
  get soa(): ZoneRecord<"SOA"> | undefined {
    return this.set(this.name, "SOA").records.find((record) => isType(record, "SOA"));
  }

  /** The serial that the next one has to be above; undefined for a new zone. */
  get serial(): number | undefined {
    return this.soa?.data.serial ?? this.#formerSerial;
  }

  set(owner: Name, type: string): StoredSet {
    this.#bySet ??= new Map(this.reply.rrsets.map((set) => [keyOf(set.name, set.type), set]));
    const set = this.#bySet.get(keyOf(owner, type));
    return set === undefined ? { records: [], others: [], ttl: 0, type: undefined } : readSet(set);
  }

  /** All records that are served, with 0 in place of the serial, which each write chooses. */
  records(onUnknown: (record: UnknownRecord) => void = () => {}): readonly LiveRecord[] {
    for (const { name, type } of this.unfound) onUnknown({ name, type, hasUpperCase: true });
    return this.reply.rrsets.flatMap((set) => {
      const { name, type } = set;
      if (isServerType(type)) {
        if (set.records.length > 0) onUnknown({ name, type, isOfService: true });
        return [];
      }
      const { records, others } = readSet(set);
      for (const { disabled } of others) onUnknown({ name, type, ...(disabled && { isDisabled: true }) });
      return records.map((record) => {
        const plain = withoutSerial(record);
        return copyRecord(plain, { id: contentId(plain) });
      });
    });
  }
}

function keyOf(name: string, type: string): string {
  return setKeyOf({ owner: asName(name), type: findType(type)?.type ?? type });
}

/** An equal value that the database has twice is one, as in an answer. */
function readSet({ name, type, ttl, records }: Rrset): StoredSet {
  const read: ZoneRecord[] = [];
  const others: RrsetRecord[] = [];
  for (const stored of records) {
    const record = stored.disabled ? undefined : readRecord(name, type, ttl, stored.content);
    if (record) read.push(record);
    else others.push(stored);
  }
  const distinct = read.length < 2 ? read : [...new Map(read.map((record) => [recordKeyOf(record), record])).values()];
  return { records: distinct, others, ttl, type };
}

/** Undefined for a type or a value that cannot be read, such as those of LUA records. */
function readRecord(name: string, type: string, ttl: number, content: string): ZoneRecord | undefined {
  const found = findType(type);
  if (found === undefined) return undefined;
  try {
    return {
      owner: readExactName(name),
      type: found.type,
      ttl,
      data: readRdataText(found, contentToRead(found.type, content)),
    };
  } catch (error) {
    if (error instanceof Fault) return undefined;
    throw error;
  }
}
