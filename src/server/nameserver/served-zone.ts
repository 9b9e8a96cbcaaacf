import { type LookupZone, nearestZone } from "../../dns/lookup.ts";
import { type Name, type NameKey, nameKey, parent } from "../../dns/name.ts";
import type { ZoneToSend } from "../../dns/transfer/axfr-sender.ts";
import { dnsClass } from "../../dns/transfer/codes.ts";
import type { MessageRecord } from "../../dns/transfer/message.ts";
import { canonical, distinct, rdataText, type ZoneRecord } from "../../dns/zone.ts";

/**
 * Types whose data has names that compare without regard to letter case (RFC 4034 §6.2, RFC 6840 §5.1). Data of other
 * types compares octet by octet (RFC 3597 §7): signatures would not match a set without one of two spellings.
 */
const caseBlind: ReadonlySet<string> = new Set(
  "NS MD MF CNAME SOA MB MG MR PTR MINFO MX RP AFSDB RT SIG PX NXT NAPTR KX SRV DNAME A6 RRSIG".split(" "),
);

/** The RRsets of one name by type. */
export type ServedRrsets = ReadonlyMap<string, readonly MessageRecord[]>;

/** A zone in the form for lookups. */
export class ServedZone implements LookupZone<readonly MessageRecord[], ServedRrsets> {
  readonly apex: NameKey;
  readonly soa: MessageRecord<"SOA">;
  readonly #ttl: number;
  readonly #sets = new Map<NameKey, Map<string, MessageRecord[]>>();

  constructor({ soa, records, ttl }: ZoneToSend) {
    this.apex = nameKey(soa.owner);
    this.soa = inMessage(soa, ttl);
    this.#ttl = ttl;
    this.#at(this.apex).set("SOA", [this.soa]);
    this.add(records);
  }

  add(records: Iterable<ZoneRecord>): void {
    const grown = new Set<Map<string, MessageRecord[]>>();
    for (const record of records) {
      const sets = this.#at(nameKey(record.owner));
      const set = sets.get(record.type);
      if (set === undefined) sets.set(record.type, [inMessage(record, this.#ttl)]);
      else set.push(inMessage(record, this.#ttl));
      grown.add(sets);
    }
    // The API stores duplicates, an RRset has none (RFC 2181 §5).
    for (const sets of grown)
      for (const [type, set] of sets)
        if (set.length > 1) sets.set(type, distinct(set, caseBlind.has(type) ? canonical : rdataText));
  }

  rrsets(name: NameKey): ServedRrsets | undefined {
    return this.#sets.get(name);
  }

  /** The SOA record of a negative answer, with its TTL (RFC 2308 §3). */
  negativeSoa(): MessageRecord<"SOA"> {
    return { ...this.soa, ttl: Math.min(this.soa.ttl, this.soa.data.minimum) };
  }

  /** For a transfer. */
  toSend(): ZoneToSend {
    return { soa: this.soa, records: this.#records(), ttl: 0 };
  }

  *#records(): Generator<ZoneRecord> {
    for (const sets of this.#sets.values()) for (const [type, set] of sets) if (type !== "SOA") yield* set;
  }

  #at(name: NameKey): Map<string, MessageRecord[]> {
    const known = this.#sets.get(name);
    if (known !== undefined) return known;
    const sets = new Map<string, MessageRecord[]>();
    this.#sets.set(name, sets);
    if (name !== this.apex && name !== ".") this.#at(parent(name));
    return sets;
  }
}

/** Zones by their names. */
export class ServedZones {
  readonly #zones = new Map<NameKey, ServedZone | "unavailable">();

  /**
   * `unavailable` are our zones without data: slaves that were never transferred or have expired, and invalid zones.
   */
  constructor(zones: Iterable<ServedZone>, unavailable: Iterable<NameKey> = []) {
    for (const name of unavailable) this.#zones.set(name, "unavailable");
    for (const zone of zones) this.#zones.set(zone.apex, zone);
  }

  /** The same zones and another one, unless one of them has its name. */
  with(zone: ServedZone): ServedZones {
    const all = new ServedZones([zone]);
    for (const [name, known] of this.#zones) all.#zones.set(name, known);
    return all;
  }

  /**
   * The zone that answers for a name: the nearest one at or above it; for the DS records of a zone the one above, if it
   * is served here (RFC 4035 §3.1.4.1).
   */
  find(name: Name, type: string): ServedZone | "unavailable" | undefined {
    const key = nameKey(name);
    return nearestZone(type === "DS" ? parent(key) : key, (apex) => this.#zones.get(apex)) ?? this.#zones.get(key);
  }
}

function inMessage<T extends string>(record: ZoneRecord<T>, defaultTtl: number): MessageRecord<T> {
  const { owner, type, ttl, data } = record;
  return { owner, type, class: dnsClass.in, ttl: ttl ?? defaultTtl, data };
}
