import { isAddress4, isAddress6 } from "../name/address.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import { meantText } from "./kind.ts";

export type Qualifier = "+" | "-" | "~" | "?";

const mechanisms = ["all", "include", "a", "mx", "ptr", "ip4", "ip6", "exists"] as const;
export type MechanismName = (typeof mechanisms)[number];

/** `[qualifier]name[:value][/prefix4][//prefix6]` (RFC 7208 §4.6.1). */
export interface Mechanism {
  readonly text: string;
  readonly kind: "mechanism";
  readonly qualifier: Qualifier;
  /** In lower case. */
  readonly name: MechanismName;
  /** The argument after the colon, without prefix lengths: a domain-spec or an address, as written. */
  readonly value: string | undefined;
  /** Prefix lengths, if written: for IPv4, and for IPv6 in `ip6` or after a double slash. */
  readonly prefix4: number | undefined;
  readonly prefix6: number | undefined;
}

/** `name=value` (RFC 7208 §6); unknown ones are ignored by receivers. */
export interface Modifier {
  readonly text: string;
  readonly kind: "modifier";
  /** In lower case. */
  readonly name: string;
  /** A domain-spec or macro-string, as written. */
  readonly value: string;
}

/** A term that is neither: receivers reject the whole policy (`permerror`, RFC 7208 §4.6). */
export interface MalformedTerm {
  readonly text: string;
  readonly kind: "malformed";
  readonly problem: SpfProblem;
  /** The known mechanism or modifier that it resembles, if any. */
  readonly name: string | undefined;
}

export type SpfProblem =
  /** neither a known mechanism nor a modifier */
  | "unknown"
  /** a mechanism or modifier without its required value */
  | "no-value"
  /** a value of a mechanism that takes none */
  | "unexpected-value"
  /** not an address of this family */
  | "address"
  /** not a prefix length, or too long */
  | "prefix"
  /** not a domain name, even with macros */
  | "domain"
  /** a blank other than a space, or an octet outside visible ASCII */
  | "octet";

export type SpfTerm = Mechanism | Modifier | MalformedTerm;

export interface SpfPolicy {
  readonly terms: readonly SpfTerm[];
}

/**
 * Reads an SPF policy (RFC 7208 §4.5, §4.6, §12). Undefined if the text is not one. Never throws: malformed terms are
 * kept.
 */
export function parseSpf(text: string): SpfPolicy | undefined {
  if (!/^v=spf1(?: |$)/i.test(text)) return undefined;
  const words = text.slice(6).split(" ");
  return { terms: words.filter((word) => word !== "").map(termOf) };
}

const policies = new WeakMap<object, SpfPolicy | undefined>();

/** The SPF policy of a record as its author means it, which is read once: rules ask for it again and again. */
export function spfOf(record: Pick<ZoneRecord<"TXT">, "owner" | "data">): SpfPolicy | undefined {
  const { data } = record;
  if (!policies.has(data)) policies.set(data, parseSpf(meantText(record)));
  return policies.get(data);
}

/** The first terms that were read: most policies consist of the same few. */
const knownTerms = new Map<string, SpfTerm>();
const mostKnownTerms = 1000;

function termOf(text: string): SpfTerm {
  const known = knownTerms.get(text);
  if (known) return known;
  const term = readTerm(text);
  if (knownTerms.size < mostKnownTerms) knownTerms.set(text, term);
  return term;
}

function readTerm(text: string): SpfTerm {
  const malformedTerm = (problem: SpfProblem, name?: string): MalformedTerm => ({
    text,
    kind: "malformed",
    problem,
    name,
  });
  if (/[^\x21-\x7e]/.test(text)) return malformedTerm("octet", findKnownStart(text));
  const [, sign = "", word = ""] = /^([-+~?]?)([A-Za-z0-9_.-]*)/.exec(text) ?? [];
  const name = word.toLowerCase();
  const rest = text.slice(sign.length + word.length);
  if (sign === "" && rest.startsWith("=") && /^[A-Za-z]/.test(word)) {
    const modifier: Modifier = { text, kind: "modifier", name, value: rest.slice(1) };
    const problem = modifierProblem(modifier);
    return problem ? malformedTerm(problem, name) : modifier;
  }
  if (!isMechanism(name)) return malformedTerm("unknown", findKnownStart(text));
  const parts = mechanismParts(rest, name);
  if (typeof parts === "string") return malformedTerm(parts, name);
  return { text, kind: "mechanism", qualifier: sign === "" ? "+" : (sign as Qualifier), name, ...parts };
}

type Parts = Pick<Mechanism, "value" | "prefix4" | "prefix6">;

function mechanismParts(rest: string, name: MechanismName): Parts | SpfProblem {
  if (rest !== "" && !/^[:/]/.test(rest)) return rest.startsWith("=") ? "unexpected-value" : "unknown";
  const none = { value: undefined, prefix4: undefined, prefix6: undefined };
  switch (name) {
    case "all":
      return rest === "" ? none : "unexpected-value";
    case "include":
    case "exists":
    case "ptr": {
      if (rest === "" && name === "ptr") return none;
      if (rest.length < 2 || rest.startsWith("/")) return rest.startsWith("/") ? "unexpected-value" : "no-value";
      return isDomainSpec(rest.slice(1)) ? { ...none, value: rest.slice(1) } : "domain";
    }
    case "a":
    case "mx":
      return hostParts(rest);
    case "ip4":
    case "ip6":
      return networkParts(rest, name);
  }
}

/** `[:domain-spec][/prefix4][//prefix6]`. A domain-spec contains a slash only inside a macro. */
function hostParts(rest: string): Parts | SpfProblem {
  const found = /^(:.*?)?(?:\/(\d*))?(?:\/\/(\d*))?$/.exec(rest);
  if (!found) return "prefix";
  const [, value, four, six] = found;
  if (value === ":") return "no-value";
  if (value !== undefined && !isDomainSpec(value.slice(1)))
    return value.replace(/%\{[^}]*\}/g, "").includes("/") ? "prefix" : "domain";
  if (!isPrefix(four, 32) || !isPrefix(six, 128)) return "prefix";
  return { value: value?.slice(1), prefix4: numberOf(four), prefix6: numberOf(six) };
}

function networkParts(rest: string, name: "ip4" | "ip6"): Parts | SpfProblem {
  if (rest.length < 2 || !rest.startsWith(":")) return "no-value";
  const slash = rest.indexOf("/");
  const address = rest.slice(1, slash === -1 ? undefined : slash);
  const prefix = slash === -1 ? undefined : rest.slice(slash + 1);
  if (!(name === "ip4" ? isAddress4 : isAddress6)(address, 0, address.length)) return "address";
  if (!isPrefix(prefix, name === "ip4" ? 32 : 128)) return "prefix";
  const [prefix4, prefix6] = name === "ip4" ? [numberOf(prefix), undefined] : [undefined, numberOf(prefix)];
  return { value: address, prefix4, prefix6 };
}

function isPrefix(text: string | undefined, most: number): boolean {
  return text === undefined || (/^(?:0|[1-9]\d{0,2})$/.test(text) && Number(text) <= most);
}

function numberOf(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text);
}

function modifierProblem({ name, value }: Modifier): SpfProblem | undefined {
  if (name === "redirect" || name === "exp") {
    if (value === "") return "no-value";
    return isDomainSpec(value) ? undefined : "domain";
  }
  return isMechanism(name) ? "unexpected-value" : isMacroString(value) ? undefined : "domain";
}

/** macro-string domain-end (RFC 7208 §7.1): visible ASCII with macros, ending in a macro or in a top label. */
function isDomainSpec(text: string): boolean {
  if (!isMacroString(text)) return false;
  if (/%(?:[%_-]|\{[^{}]{1,40}\})$/.test(text)) return true;
  const end = text.endsWith(".") ? text.length - 1 : text.length;
  const dot = text.lastIndexOf(".", end - 1);
  const last = text.slice(dot + 1, end);
  return dot >= 0 && /^[a-z0-9-]+$/i.test(last) && /[a-z-]/i.test(last) && !/^-|-$/.test(last);
}

function isMacroString(text: string): boolean {
  if (!text.includes("%")) return /^[!-~]*$/.test(text);
  return /^(?:%\{[slodiphcrtvSLODIPHCRTV]\d*r?[-.+,/_=]*\}|%%|%_|%-|[\x21-\x24\x26-\x7e])*$/i.test(text);
}

function isMechanism(name: string): name is MechanismName {
  return (mechanisms as readonly string[]).includes(name);
}

function findKnownStart(text: string): string | undefined {
  const word = /^[-+~?]?([A-Za-z0-9]+)/.exec(text)?.[1]?.toLowerCase() ?? "";
  return [...mechanisms, "redirect", "exp"].find((name) => name === word);
}
