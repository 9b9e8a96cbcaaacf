import type { Ask, Reply, ReplyRecord } from "./ask.ts";

/** At data, at servers or names that are not ours, or nowhere: then the name is dark. */
export type End = "data" | "elsewhere" | undefined;

/**
 * Whether a resolver that asks for a name and a type gets somewhere, as far as our servers can tell it: by data, by an
 * alias or a referral that leads outside, or by what our servers say where it leads to one of our zones. This is the
 * judge of the planner's order, so it shares nothing with it and reads nothing but replies of a name server.
 */
export class Lookup {
  readonly #ask: Ask;
  readonly #zones: readonly string[];
  readonly #replies: Map<string, Promise<Reply>>;
  #unknown: readonly string[] = [];

  /**
   * One lookup sees one moment: nothing may be written while it is in use. `zones` are all that are or will be ours.
   */
  constructor(ask: Ask, zones: readonly string[], replies = new Map<string, Promise<Reply>>()) {
    this.#ask = ask;
    this.#zones = zones;
    this.#replies = replies;
  }

  /** The same moment for who does not know what is in these zones of ours: they are elsewhere. */
  without(unknown: readonly string[]): Lookup {
    const lookup = new Lookup(this.#ask, this.#zones, this.#replies);
    lookup.#unknown = unknown;
    return lookup;
  }

  /** The end of a lookup. */
  end(name: string, type: string): Promise<End> {
    return this.#leads(name, type, []);
  }

  /**
   * Whether the target exists if a record of this type that points to it answers the name; undefined if none does now.
   * An alias needs any answer at its target; MX, SRV and NS need an address.
   */
  async isTargetThere(name: string, type: string, target: string): Promise<boolean | undefined> {
    if (target === ".") return true;
    const { answers, authorities, additionals } = await this.#reply(name, type);
    const own = (one: ReplyRecord) => one.owner === name && one.type === type && one.target === target;
    if (![...answers, ...authorities].some(own)) return undefined;
    if (type === "NS" && isBelow(target, name))
      return additionals.some((one) => one.owner === target && isAddress(one));
    return this.isThere(target, type);
  }

  /** Whether the name has the records that a record of this type needs at its target. */
  async isThere(target: string, type: string): Promise<boolean> {
    if (target === ".") return true;
    for (const wanted of type === "CNAME" ? anyTypes : ["A", "AAAA"])
      if ((await this.#leads(target, wanted, [])) !== undefined) return true;
    return false;
  }

  /** The server's own answer, for reports. */
  async replyText(name: string, type: string): Promise<string> {
    const { rcode, answers, authorities } = await this.#reply(name, type);
    const shown = (records: readonly ReplyRecord[]) =>
      records.map((one) => [one.owner, one.type, one.target].filter(Boolean).join(" ")).join("; ");
    if (answers.length > 0) return `${rcode}: ${shown(answers)}`;
    const servers = authorities.filter((one) => one.type === "NS");
    return servers.length > 0 ? `referral: ${shown(servers)}` : `${rcode}${rcode === "NOERROR" ? " without data" : ""}`;
  }

  async #leads(name: string, type: string, trail: readonly string[]): Promise<End> {
    if (!this.#isOurs(name)) return "elsewhere";
    const here = `${name} ${type}`;
    if (trail.includes(here)) return undefined;
    const way = [...trail, here];
    const { answers, authorities, additionals } = await this.#reply(name, type);
    const found = answers.filter((one) => one.owner === name && one.type === type);
    if (found.length > 0) return !points.has(type) || (await this.#anyHasAddress(found, way)) ? "data" : undefined;
    const next = aliasOf(name, answers);
    if (next !== undefined) return this.#leads(next, type, way);
    const servers = authorities.filter((one) => one.type === "NS");
    return servers.length > 0 && (await this.#isReachable(servers, additionals, way)) ? "elsewhere" : undefined;
  }

  async #anyHasAddress(records: readonly ReplyRecord[], way: readonly string[]): Promise<boolean> {
    for (const { target = "." } of records) if (target === "." || (await this.#hasAddress(target, way))) return true;
    return false;
  }

  /** Of a server inside its own delegation nothing counts but the glue (RFC 1034 §4.2.1). */
  async #isReachable(
    servers: readonly ReplyRecord[],
    glue: readonly ReplyRecord[],
    way: readonly string[],
  ): Promise<boolean> {
    for (const { owner, target = "." } of servers) {
      const isInside = isBelow(target, owner);
      if (isInside ? glue.some((one) => one.owner === target && isAddress(one)) : await this.#hasAddress(target, way))
        return true;
    }
    return false;
  }

  async #hasAddress(name: string, way: readonly string[]): Promise<boolean> {
    return ((await this.#leads(name, "A", way)) ?? (await this.#leads(name, "AAAA", way))) !== undefined;
  }

  #reply(name: string, type: string): Promise<Reply> {
    const key = `${name} ${type}`;
    const known = this.#replies.get(key) ?? this.#ask(name, type);
    this.#replies.set(key, known);
    return known;
  }

  #isOurs(name: string): boolean {
    const around = this.#zones.filter((zone) => isBelow(name, zone)).sort((a, b) => b.length - a.length);
    return around[0] !== undefined && !this.#unknown.includes(around[0]);
  }
}

/** All types of the worlds that are not aliases themselves. */
const anyTypes = ["A", "AAAA", "MX", "TXT", "SRV", "NS"];
const points = new Set(["MX", "SRV", "NS"]);

/** The target of the name in the reply: of its CNAME, or of a DNAME above it (RFC 6672 §2.2). */
function aliasOf(name: string, answers: readonly ReplyRecord[]): string | undefined {
  const alias = answers.find((one) => one.owner === name && one.type === "CNAME");
  if (alias) return alias.target;
  const above = answers.find((one) => one.type === "DNAME" && one.owner !== name && isBelow(name, one.owner));
  return above && name.slice(0, -above.owner.length) + above.target;
}

/** Whether the name is the zone's apex or below it. */
export function isBelow(name: string, zone: string): boolean {
  return name === zone || name.endsWith(`.${zone}`);
}

function isAddress({ type }: ReplyRecord): boolean {
  return type === "A" || type === "AAAA";
}
