import * as z from "zod";
import type { WordKind } from "./words.ts";

/** Facts about a schema that nothing checks. */
interface Documentation {
  /** The profiles that always send the field. */
  readonly sent?: "every profile" | "live";
  /** Keywords of JSON Schema, for the OpenAPI document. */
  readonly keywords?: Readonly<Record<string, unknown>>;
  /** The known values of an open enumeration. */
  readonly values?: readonly string[];
  /** The schema in profile documented, if that has fewer values than profile live. */
  readonly narrow?: object;
  /** The kind of word that its values are: the hosted service spells them differently. */
  readonly word?: WordKind;
}

export const documentation = z.registry<Documentation>();

function document(type: z.ZodType, facts: Documentation): void {
  documentation.add(type, { ...documentation.get(type), ...facts });
}

/**
 * A field of a reply that this service always sends, or always in profile live. It is required in the OpenAPI document,
 * but optional for clients: other services and older versions of this one omit it.
 */
export function sent<T extends z.ZodType>(type: T, profile?: "live"): z.ZodOptional<T> {
  const field = type.optional();
  document(field, { sent: profile ?? "every profile" });
  return field;
}

/** A schema whose bounds and format are documented but not checked: a client accepts the replies of other services. */
export function annotate<T extends z.ZodType>(type: T, keywords: Readonly<Record<string, unknown>>): T {
  document(type, { keywords });
  return type;
}

/** A schema with the values of profile live; the OpenAPI document of profile documented has the `narrow` one. */
export function wider<T extends z.ZodType>(type: T, narrow: z.ZodType): T {
  document(type, { narrow });
  return type;
}

/**
 * A schema whose texts are words, not free text: the hosted service spells them differently (see `words`). The keys of
 * objects need no such mark.
 */
export function word<T extends z.ZodType>(kind: WordKind, type: T): T {
  document(type, { word: kind });
  return type;
}

/**
 * A field of a request that no one else may see, such as a password. Programs do not accept it in a command line. Its
 * example says that requests usually have it.
 */
export function secret<T extends z.ZodType>(type: T, example?: string): T {
  return annotate(type, {
    format: "password",
    writeOnly: true,
    ...(example !== undefined && { examples: [example] }),
  });
}

/** Whether `secret` marks the schema. */
export function isSecret(type: z.ZodType): boolean {
  return documentation.get(type)?.keywords?.writeOnly === true;
}

/** A secret in replies other than the one that creates it. */
export const redactedSecret = "<REDACTED>";

/** A value of an enumeration that the service may extend: a known word, or any other text. */
export type OpenWord<Word extends string> = Word | (string & {});

/** A field of a reply whose known words are documented and which accepts any text. */
export function openEnum<const Word extends string>(words: readonly Word[]): z.ZodType<OpenWord<Word>, OpenWord<Word>> {
  const type = z.string().describe(words.join(", "));
  document(type, { values: words });
  return type;
}

/** A point in time. It has no offset, so it is not a `date-time` of RFC 3339. */
export function moment(what: string): z.ZodString {
  const pattern = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$";
  return annotate(z.string().describe(`${what}, in UTC`), { pattern, examples: ["2026-03-04T12:00:00"] });
}
