import { isType, targets, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import type { Ask, Reply, ReplyRecord } from "./ask.ts";
import { isBelow } from "./lookup.ts";

/** A zone of a model: every name that exists with its records by type, none at empty non-terminals. */
class ModelZone {
  readonly #names = new Map<string, Map<string, ReplyRecord[]>>();
  readonly name: string;

  constructor(name: string, records: Iterable<ZoneRecord>) {
    this.name = name;
    this.#at(name).set("NS", [{ owner: name, type: "NS", target: "ns1.provider.test." }]);
    for (const record of records) {
      const owner = record.owner.toLowerCase();
      const sets = this.#at(owner);
      const target = isType(record, "DNAME") ? record.data.target : targets(record)[0];
      sets.set(record.type, [
        ...(sets.get(record.type) ?? []),
        { owner, type: record.type, target: target?.toLowerCase() },
      ]);
    }
  }

  /** RFC 1034 §4.3.2 step 3, with RFC 4592 and RFC 6672. */
  answer(name: string, type: string): Reply {
    const way =
      name === this.name
        ? []
        : name
            .slice(0, -this.name.length - 1)
            .split(".")
            .reverse();
    let at = this.name;
    for (const label of way) {
      const dname = this.#names.get(at)?.get("DNAME");
      if (dname) return reply({ answers: [...dname, ...dname.map((one) => aliasBy(one, name))] });
      const below = `${label}.${at}`;
      const sets = this.#names.get(below);
      if (sets === undefined) {
        const wildcard = this.#names.get(`*.${at}`);
        return wildcard ? this.#atName(name, type, wildcard) : reply({ rcode: "NXDOMAIN" });
      }
      const servers = sets.get("NS");
      if (servers) return reply({ authorities: servers, additionals: this.#glue(servers) });
      at = below;
    }
    return this.#atName(name, type, this.#names.get(name) ?? new Map());
  }

  #atName(name: string, type: string, sets: ReadonlyMap<string, readonly ReplyRecord[]>): Reply {
    const found = sets.get(type) ?? sets.get("CNAME") ?? [];
    return reply({ answers: found.map((one) => ({ ...one, owner: name })) });
  }

  #glue(servers: readonly ReplyRecord[]): ReplyRecord[] {
    return servers.flatMap(({ target = "." }) =>
      ["A", "AAAA"].flatMap((type) => this.#names.get(target)?.get(type) ?? []),
    );
  }

  #at(name: string): Map<string, ReplyRecord[]> {
    for (let above = name; isBelow(above, this.name); above = above.slice(above.indexOf(".") + 1))
      if (!this.#names.has(above)) this.#names.set(above, new Map());
    return this.#names.get(name) as Map<string, ReplyRecord[]>;
  }
}

/** Answers as a name server that serves these zones should, in a few lines that share nothing with ours. */
export function modelOf(zones: ReadonlyMap<string, readonly ZoneRecord[]>): Ask {
  const served = [...zones].map(([name, records]) => new ModelZone(name, records));
  served.sort((a, b) => b.name.length - a.name.length);
  return async (name, type) =>
    served.find((zone) => isBelow(name, zone.name))?.answer(name, type) ?? reply({ rcode: "REFUSED" });
}

/** The alias that a DNAME record implies for a name below it (RFC 6672 §3.1). */
function aliasBy({ owner, target = "." }: ReplyRecord, name: string): ReplyRecord {
  return { owner: name, type: "CNAME", target: `${name.slice(0, -owner.length)}${target}` };
}

function reply(parts: Partial<Reply>): Reply {
  return { rcode: "NOERROR", answers: [], authorities: [], additionals: [], ...parts };
}
