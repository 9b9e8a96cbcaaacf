import { nearest } from "../../diagnostics/nearest.ts";
import { labels, nameKey } from "../name.ts";
import type { Finding, IndexedZone } from "../rule.ts";
import type { ZoneRecord } from "../zone.ts";
import { hasForeignQuoting, meantText } from "./kind.ts";
import { parseTags, type Tag } from "./tags.ts";

/** The valid values of a tag. */
export interface TagRule {
  readonly isRequired?: true;
  fits(value: string): boolean;
  /** The valid values, as the object of "Write". */
  readonly form: string;
  /** The problem with an invalid value that is too long to be shown. */
  readonly fault?: string;
}

/** A policy that is a list of tags, published at certain names with an underscore (RFC 8552). */
export interface TagPolicy {
  /** Its name in messages. */
  readonly name: string;
  /** The version that its text starts with; `isOptional` if it may be omitted. */
  readonly version: string;
  readonly isOptional?: true;
  readonly tags: Readonly<Record<string, TagRule>>;
  /** Whether receivers look for the policy at a name with these labels, in lower case. */
  isAt(labels: readonly string[]): boolean;
}

/** Finds the first problem of each policy text in a zone. */
export function* checkPolicy(zone: IndexedZone, policy: TagPolicy): Generator<Finding> {
  for (const { owner, records } of zone.sets("TXT")) {
    if (!owner.includes("_") || !policy.isAt(labels(nameKey(owner)))) continue;
    for (const record of records) {
      const fault = faultOf(record, policy);
      if (fault) yield { summary: `${zone.show(owner)} TXT: ${fault.summary}`, at: record, fix: fault.fix };
    }
  }
}

interface Problem {
  readonly summary: string;
  readonly fix: string;
}

function faultOf(record: ZoneRecord<"TXT">, policy: TagPolicy): Problem | undefined {
  const text = meantText(record);
  if (hasForeignQuoting(text)) return undefined;
  const { tags, malformed } = parseTags(text);
  const [first] = tags;
  const version = tags.find(({ name }) => name === "v");
  const beginning = `v=${policy.version}`;
  if (version ? version !== first || version.value !== policy.version : !policy.isOptional) {
    const isMeant = version?.value.toLowerCase() === policy.version.toLowerCase();
    const summary = isMeant
      ? `the ${policy.name} record does not start with "${beginning}"`
      : `the text is not a valid ${policy.name} record and is ignored`;
    return { summary, fix: `Start the text with "${beginning};".` };
  }
  const [part] = malformed;
  if (part)
    return part.text === ""
      ? {
          summary: `the ${policy.name} record has an empty tag between two semicolons`,
          fix: "Remove one of the semicolons.",
        }
      : {
          summary: `"${part.text}" in the ${policy.name} record is not a tag`,
          fix: "Write tags as name=value, separated by semicolons.",
        };
  for (const tag of tags) {
    const problem = tag === version ? undefined : tagProblem(tag, tags, policy);
    if (problem) return problem;
  }
  const missing = Object.entries(policy.tags).find(
    ([name, { isRequired }]) => isRequired && !tags.some((tag) => tag.name === name),
  );
  if (!missing) return undefined;
  const [name, { form }] = missing;
  return { summary: `the ${policy.name} record has no tag "${name}="`, fix: `Add "${name}=" with ${form}.` };
}

function tagProblem(tag: Tag, all: readonly Tag[], policy: TagPolicy): Problem | undefined {
  const { name, value } = tag;
  if (all.find((other) => other.name === name) !== tag)
    return { summary: `the ${policy.name} record has the tag "${name}=" twice`, fix: "Keep one of them." };
  const rule = Object.hasOwn(policy.tags, name) ? policy.tags[name] : undefined;
  if (!rule) {
    // Receivers ignore unknown tags (RFC 6376 §3.2), so only misspellings of known ones are reported.
    const known = nearest(
      name,
      Object.keys(policy.tags).filter((key) => key.length > 1 || key === name.slice(-1)),
    );
    return known && !all.some((other) => other.name === known)
      ? { summary: `the ${policy.name} record has the unknown tag "${name}="`, fix: `Did you mean "${known}="?` }
      : undefined;
  }
  if (rule.fits(value)) return undefined;
  const fault = rule.fault === undefined ? `the invalid tag "${name}=${value}"` : `a tag "${name}=" that ${rule.fault}`;
  return { summary: `the ${policy.name} record has ${fault}`, fix: `Write "${name}=" with ${rule.form}.` };
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

/** URIs with these schemes, separated by commas (RFC 7489 §6.2, RFC 8460 §3). */
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
