import { addressWords } from "../../dns/name/address.ts";
import { asName, type NameKey, nameKey } from "../../dns/name/name.ts";
import { type Mechanism, parseSpf, type Qualifier, type SpfTerm } from "../../dns/policies/spf.ts";
import { mostLookups } from "../../dns/policies/spf-lookups.ts";

/** Verdicts of a policy on a sender, weakest first: pass, neutral, softfail, fail (RFC 7208 §2.6). */
export type Rank = 0 | 1 | 2 | 3;

const qualifiers: readonly Qualifier[] = ["+", "?", "~", "-"];

/** Addresses from `from` up to, but not including, `to`. */
export interface AddressRange {
  readonly from: bigint;
  readonly to: bigint;
  readonly rank: Rank;
  /** The term that matches them. */
  readonly term: string;
}

/** A mechanism whose senders are only known at the time of delivery. */
export interface OpenTerm {
  readonly rank: Rank;
  readonly text: string;
  readonly mechanism: Mechanism;
}

/** An SPF policy as the senders that it accepts and rejects. */
export interface Senders {
  /** The rank of senders that no mechanism matches; undefined if a policy outside the run decides. */
  readonly rest: Rank | undefined;
  /** The term that determines it, such as `-all`. */
  readonly restTerm: string;
  /** By family, disjoint, in order. */
  readonly ranges: { readonly 4: readonly AddressRange[]; readonly 6: readonly AddressRange[] };
  /** By their spelling without qualifier. */
  readonly open: ReadonlyMap<string, OpenTerm>;
  /**
   * The reason why receivers reject the whole policy (`permerror`), as a continuation of "makes the SPF policy
   * invalid".
   */
  readonly fault: string | undefined;
  /** The number of DNS lookups of the whole policy, as far as the run's zones are known (RFC 7208 §4.6.4). */
  readonly lookups: number;
  /** Policies of other names that this one depends on, as `name text`. */
  readonly facts: readonly string[];
}

/** Finds the SPF text at a name: null if there is none or more than one, undefined outside the run's zones. */
export type PolicyOf = (name: NameKey) => string | null | undefined;

/**
 * Evaluates a policy as far as the run's zones are known: mechanisms from left to right up to `all`, `include` and
 * `redirect` followed through names of the run (RFC 7208 §4.6.2, §5.2, §6.1).
 */
export function sendersOf(text: string, policyOf: PolicyOf): Senders {
  return evaluate(text, policyOf, 0);
}

/** The names in `include` and `redirect` terms. */
export function policiesIn(text: string): NameKey[] {
  return (parseSpf(text)?.terms ?? []).flatMap((term) => {
    if (term.kind === "malformed" || !/^(?:include|redirect)$/.test(term.name)) return [];
    return [nameOf(term.value ?? "")];
  });
}

/** `taken` is the number of earlier lookups; past the limit, names are not followed. */
function evaluate(text: string, policyOf: PolicyOf, taken: number): Senders {
  return new Evaluation(parseSpf(text)?.terms ?? [], policyOf, taken).senders();
}

type MechanismTerm = Extract<SpfTerm, { readonly kind: "mechanism" }>;

/** A policy that is evaluated term by term. */
class Evaluation {
  readonly #terms: readonly SpfTerm[];
  readonly #policyOf: PolicyOf;
  readonly #taken: number;
  readonly #ranges = { 4: new Ranges(), 6: new Ranges() };
  readonly #open = new Map<string, OpenTerm>();
  readonly #facts: string[] = [];
  #rest: Rank | undefined = 1;
  #restTerm = "?all";
  #count = 0;
  #fault: string | undefined;

  constructor(terms: readonly SpfTerm[], policyOf: PolicyOf, taken: number) {
    [this.#terms, this.#policyOf, this.#taken] = [terms, policyOf, taken];
    const malformed = terms.find(({ kind }) => kind === "malformed")?.text ?? repeatedModifier(terms);
    this.#fault = malformed === undefined ? undefined : `at "${malformed}"`;
  }

  senders(): Senders {
    const isDecided = this.#terms.some((term) => term.kind === "mechanism" && this.#addMechanism(term));
    if (!isDecided) this.#redirect();
    const lookups = this.#count;
    if (this.#taken === 0 && lookups > mostLookups)
      this.#fault ??= `with ${lookups} DNS lookups; the limit is ${mostLookups}`;
    return {
      rest: this.#rest,
      restTerm: this.#restTerm,
      ranges: { 4: this.#ranges[4].list, 6: this.#ranges[6].list },
      open: this.#open,
      fault: this.#fault,
      lookups,
      facts: this.#facts,
    };
  }

  /** Returns whether the mechanism decides about all further senders. */
  #addMechanism(term: MechanismTerm): boolean {
    const rank = qualifiers.indexOf(term.qualifier) as Rank;
    if (term.name === "all") return this.#decideRest(rank, `${term.qualifier}all`);
    if (term.name === "ip4" || term.name === "ip6") {
      const { from, to } = networkOf(term);
      this.#ranges[term.name === "ip4" ? 4 : 6].decide({ from, to, rank, term: term.text });
      return false;
    }
    this.#count++;
    const key = keyOf(term);
    if (!this.#open.has(key)) this.#open.set(key, { rank, text: term.text, mechanism: term });
    const included = term.name === "include" ? this.#follow(term.value ?? "", term.text) : undefined;
    return included !== undefined && this.#include(included, rank, term.text);
  }

  /** Adds the senders that an included policy accepts; returns whether it accepts all. */
  #include(included: Senders, rank: Rank, term: string): boolean {
    for (const family of [4, 6] as const)
      for (const range of included.ranges[family])
        if (range.rank === 0) this.#ranges[family].decide({ ...range, rank, term });
    for (const [inner, one] of included.open)
      if (one.rank === 0 && !this.#open.has(inner)) this.#open.set(inner, { ...one, rank });
    return included.rest === 0 && this.#decideRest(rank, term);
  }

  #decideRest(rank: Rank, term: string): true {
    [this.#rest, this.#restTerm] = [rank, term];
    return true;
  }

  #redirect(): void {
    const redirect = this.#terms.find((term) => term.kind === "modifier" && term.name === "redirect");
    if (redirect?.kind !== "modifier") return;
    this.#count++;
    const target = this.#follow(redirect.value, redirect.text);
    [this.#rest, this.#restTerm] = [target?.rest, redirect.text];
    for (const family of [4, 6] as const)
      for (const range of target?.ranges[family] ?? []) this.#ranges[family].decide(range);
    for (const [key, one] of target?.open ?? []) if (!this.#open.has(key)) this.#open.set(key, one);
  }

  /** The senders of the policy at another name; undefined if it is not known. */
  #follow(name: string, term: string): Senders | undefined {
    const isLast = this.#taken + this.#count > mostLookups;
    const policy = isLast || name.includes("%") ? undefined : this.#policyOf(nameOf(name));
    if (policy === null) this.#fault ??= `at "${term}": that name does not have one SPF record`;
    if (policy === undefined || policy === null) return undefined;
    this.#facts.push(`${nameOf(name)} ${policy}`);
    const senders = evaluate(policy, this.#policyOf, this.#taken + this.#count);
    this.#count += senders.lookups;
    this.#facts.push(...senders.facts);
    if (senders.fault !== undefined) this.#fault ??= `at "${term}": the policy there is invalid`;
    return senders;
  }
}

/** The weakest and the strictest rank of a policy for the addresses of a range. */
export function ranksOver({ ranges, rest }: Senders, family: 4 | 6, { from, to }: AddressRange): Rank[] {
  let covered = 0n;
  const ranks = new Set<Rank>();
  for (const range of ranges[family]) {
    const width = (range.to < to ? range.to : to) - (range.from > from ? range.from : from);
    if (width <= 0n) continue;
    covered += width;
    ranks.add(range.rank);
  }
  if (covered < to - from && rest !== undefined) ranks.add(rest);
  return [...ranks];
}

/** The number of addresses that a policy ranks at most as `rank`, and an earlier one above it. */
export function countAddedAddresses(after: Senders, before: Senders, family: 4 | 6, rank: Rank): bigint {
  const known = before.ranges[family].filter((range) => range.rank <= rank);
  let added = 0n;
  let first = 0;
  for (const range of after.ranges[family]) {
    if (range.rank > rank) continue;
    added += range.to - range.from;
    while ((known[first]?.to ?? range.to) <= range.from && first < known.length) first++;
    for (let at = first; (known[at]?.from ?? range.to) < range.to; at++) {
      const other = known[at] as AddressRange;
      added -= (other.to < range.to ? other.to : range.to) - (other.from > range.from ? other.from : range.from);
    }
  }
  return added;
}

/** Ranges, of which the first match applies to an address. */
class Ranges {
  list: AddressRange[] = [];

  decide(range: AddressRange): void {
    const next: AddressRange[] = [];
    let { from } = range;
    const add = (to: bigint) => {
      if (to > from) next.push({ ...range, from, to });
    };
    for (const known of this.list) {
      if (known.from < range.to && known.to > range.from) {
        add(known.from);
        from = known.to > from ? known.to : from;
      } else if (known.from >= range.to) {
        add(range.to);
        from = range.to;
      }
      next.push(known);
    }
    add(range.to);
    this.list = next;
  }
}

/** A second `redirect` or `exp` makes the policy invalid (RFC 7208 §6). */
function repeatedModifier(terms: readonly SpfTerm[]): string | undefined {
  const modifiers = terms.flatMap((term) =>
    term.kind === "modifier" && /^(?:redirect|exp)$/.test(term.name) ? [term] : [],
  );
  return modifiers.find(({ name }, index) => modifiers.findIndex((other) => other.name === name) < index)?.text;
}

function networkOf({ name, value = "", prefix4, prefix6 }: Mechanism): { from: bigint; to: bigint } {
  const [bits, prefix] = name === "ip4" ? [32, prefix4 ?? 32] : [128, prefix6 ?? 128];
  const parts = name === "ip4" ? value.split(".").map(Number) : [...addressWords(value)];
  const width = BigInt(bits / parts.length);
  const number = parts.reduce((sum, part) => (sum << width) | BigInt(part), 0n);
  const host = BigInt(bits - prefix);
  const from = (number >> host) << host;
  return { from, to: from + (1n << host) };
}

function keyOf({ name, value, prefix4 = 32, prefix6 = 128 }: Mechanism): string {
  return `${name} ${value === undefined ? "" : nameOf(value)} ${prefix4} ${prefix6}`;
}

function nameOf(domain: string): NameKey {
  return nameKey(asName(domain.replace(/\.?$/, ".")));
}
