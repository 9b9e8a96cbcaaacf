import { nearest } from "../../diagnostics/nearest.ts";
import type { IndexedZone, RuleFinding } from "../lookup/rule.ts";
import { labels, nameKey } from "../name/name.ts";
import type { ZoneRecord } from "../zone/zone.ts";
import { hasForeignQuoting, meantText } from "./kind.ts";
import { type PolicyTag, parseTags } from "./tags.ts";

/** The valid values of a tag. */
export interface TagRule {
  readonly isRequired?: true;
  fits(value: string): boolean;
  /** The valid values, as the object of "Write". */
  readonly form: string;
  /** The problem with an invalid value that is too long to be shown. */
  fault?(value: string): string;
  /** Whether an invalid value makes the whole policy void; by default receivers ignore the tag. */
  isVoid?(value: string): boolean;
}

/** A policy that is a list of tags, published at certain names with an underscore (RFC 8552). */
export interface TagPolicy {
  /** Its name in messages. */
  readonly name: string;
  /** The version that its text starts with; `isOptional` if it may be omitted. */
  readonly version: string;
  readonly isOptional?: true;
  readonly tags: Readonly<Record<string, TagRule>>;
  /** Whether a part that is no tag, or a repeated tag, makes the whole policy void. */
  readonly isStrict?: true;
  /** Whether the policy is void without a required tag; by default it is. */
  isVoidWithout?(tags: readonly PolicyTag[]): boolean;
  /** Whether receivers look for the policy at a name with these labels, in lower case. */
  isAt(labels: readonly string[]): boolean;
}

/** The effect of a fault on receivers: they act as if there was no policy, or ignore a part of it. */
export type PolicyEffect = "void" | "ignored";

/** Finds the first problem of each policy text in a zone; if an effect is given, in those with that effect. */
export function* checkPolicy(zone: IndexedZone, policy: TagPolicy, effect?: PolicyEffect): Generator<RuleFinding> {
  for (const { owner, records } of zone.sets("TXT")) {
    if (!owner.includes("_") || !policy.isAt(labels(nameKey(owner)))) continue;
    const faults = records.map((record) => ({ record, fault: faultOf(record, policy) }));
    const isPolicyThere = faults.some(({ fault }) => fault?.isForeign !== true);
    for (const { record, fault } of faults) {
      // Beside a policy, other texts are not meant as one.
      if (!fault || (fault.isForeign && isPolicyThere) || (effect && effect !== fault.effect)) continue;
      const fix = joinFix(records, policy) ?? fault.fix;
      yield { summary: `${zone.show(owner)} TXT: ${fault.summary}`, at: record, fix };
    }
  }
}

/** The advice for a policy whose tags were published as separate texts: a list of values where one was meant. */
function joinFix(records: readonly ZoneRecord<"TXT">[], policy: TagPolicy): string | undefined {
  if (records.length === 1) return undefined;
  const texts = records.map(meantText).sort((a, b) => Number(b.startsWith("v=")) - Number(a.startsWith("v=")));
  const [fault] = faultsOf(texts.join("; "), policy);
  if (fault) return undefined;
  return `Join the ${records.length} texts at this name into one, separated by semicolons.`;
}

interface Problem {
  readonly summary: string;
  readonly fix: string;
  readonly effect: PolicyEffect;
  /** Whether the text is none of this kind. */
  readonly isForeign?: true;
}

function faultOf(record: ZoneRecord<"TXT">, policy: TagPolicy): Problem | undefined {
  const text = meantText(record);
  if (hasForeignQuoting(text)) return undefined;
  const faults = [...faultsOf(text, policy)];
  return faults.find(({ effect }) => effect === "void") ?? faults[0];
}

function* faultsOf(text: string, policy: TagPolicy): Generator<Problem> {
  const { tags, malformed } = parseTags(text);
  const [first] = tags;
  const version = tags.find(({ name }) => name === "v");
  const beginning = `v=${policy.version}`;
  if (version ? version !== first || version.value !== policy.version : !policy.isOptional) {
    const isMeant = version?.value.toLowerCase() === policy.version.toLowerCase();
    const summary = isMeant
      ? `the ${policy.name} record does not start with "${beginning}"`
      : `the text is not a valid ${policy.name} record and is ignored`;
    const fix = `Start the text with "${beginning};".`;
    yield { summary, fix, effect: "void", ...(!isMeant && { isForeign: true }) };
    return;
  }
  const effect = policy.isStrict ? "void" : "ignored";
  const [part] = malformed;
  if (part)
    yield part.text === ""
      ? {
          summary: `the ${policy.name} record has an empty tag between two semicolons`,
          fix: "Remove one of the semicolons.",
          effect,
        }
      : {
          summary: `"${part.text}" in the ${policy.name} record is not a tag`,
          fix: "Write tags as name=value, separated by semicolons.",
          effect,
        };
  for (const tag of tags) {
    const problem = tag === version ? undefined : tagProblem(tag, tags, policy);
    if (problem) yield problem;
  }
  const missing = Object.entries(policy.tags).find(
    ([name, { isRequired }]) => isRequired && !tags.some((tag) => tag.name === name),
  );
  if (!missing) return;
  const [name, { form }] = missing;
  yield {
    summary: `the ${policy.name} record has no tag "${name}="`,
    fix: `Add "${name}=" with ${form}.`,
    effect: policy.isVoidWithout?.(tags) === false ? "ignored" : "void",
  };
}

function tagProblem(tag: PolicyTag, all: readonly PolicyTag[], policy: TagPolicy): Problem | undefined {
  const { name, value } = tag;
  if (all.find((other) => other.name === name) !== tag)
    return {
      summary: `the ${policy.name} record has the tag "${name}=" twice`,
      fix: "Keep one of them.",
      effect: policy.isStrict || policy.tags[name]?.isVoid?.("") ? "void" : "ignored",
    };
  const rule = Object.hasOwn(policy.tags, name) ? policy.tags[name] : undefined;
  if (!rule) {
    // Receivers ignore unknown tags (RFC 6376 §3.2), so only misspellings of known ones are reported.
    const known = nearest(
      name,
      Object.keys(policy.tags).filter((key) => key.length > 1 || key === name.slice(-1)),
    );
    return known && !all.some((other) => other.name === known)
      ? {
          summary: `the ${policy.name} record has the unknown tag "${name}="`,
          fix: `Did you mean "${known}="?`,
          effect: "ignored",
        }
      : undefined;
  }
  if (rule.fits(value)) return undefined;
  const fault = rule.fault ? `a tag "${name}=" that ${rule.fault(value)}` : `the invalid tag "${name}=${value}"`;
  return {
    summary: `the ${policy.name} record has ${fault}`,
    fix: `Write "${name}=" with ${rule.form}.`,
    effect: rule.isVoid?.(value) ? "void" : "ignored",
  };
}

/** One of some words, in any case. */
export function oneOf(...words: readonly string[]): TagRule {
  return { fits: (value) => words.includes(value.toLowerCase()), form: words.map((word) => `"${word}"`).join(" or ") };
}

/** One or more of the words, separated by colons. */
export function listOf(...words: readonly string[]): TagRule {
  return {
    fits: (value) => value.split(":").every((word) => words.includes(word.trim().toLowerCase())),
    form: `one or more of ${words.map((word) => `"${word}"`).join(", ")}, separated by colons`,
  };
}

/** URIs with these schemes, separated by commas (RFC 9989 §4.6, RFC 8460 §3). */
export function uris(...schemes: readonly string[]): TagRule {
  return {
    fits: (value) => value.split(",").every((uri) => isUri(uri.trim(), schemes)),
    form: schemes.includes("https") ? '"mailto:reports@example.com" or an https URL' : '"mailto:reports@example.com"',
  };
}

function isUri(uri: string, schemes: readonly string[]): boolean {
  const [, scheme = "", rest = ""] = /^([a-z][a-z0-9+.-]*):([!-~]+)$/i.exec(uri) ?? [];
  if (!schemes.includes(scheme.toLowerCase())) return false;
  return scheme.toLowerCase() === "mailto" ? /^[^@,;]+@[^@,;!]+(?:![0-9]+[kmgt]?)?$/i.test(rest) : URL.canParse(uri);
}
