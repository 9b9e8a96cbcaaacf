import * as z from "zod";

/** Keywords that the OpenAPI document adds to a schema; nothing checks them. */
interface Documentation {
  /** The profiles that always send the field. */
  readonly sent?: "every profile" | "live";
  /** Keywords of JSON Schema. */
  readonly keywords?: Readonly<Record<string, unknown>>;
}

export const documentation = z.registry<Documentation>();

/**
 * A field of a reply that this service always sends, or always in profile live. It is required in the OpenAPI document,
 * but optional for clients: other services and older versions of this one omit it.
 */
export function sent<T extends z.ZodType>(type: T, profile?: "live"): z.ZodOptional<T> {
  const field = type.optional();
  documentation.add(field, { sent: profile ?? "every profile" });
  return field;
}

/** A schema whose bounds and format are documented but not checked: a client accepts the replies of other services. */
export function documented<T extends z.ZodType>(type: T, keywords: Readonly<Record<string, unknown>>): T {
  documentation.add(type as z.ZodType, { keywords });
  return type;
}

/** A value of an enumeration that the service may extend: a known word, or any other text. */
export type OpenWord<Word extends string> = Word | (string & {});

/** A field of a reply whose known words are documented and which accepts any text. */
export function openEnum<const Word extends string>(words: readonly Word[]): z.ZodType<OpenWord<Word>, OpenWord<Word>> {
  return z.string().describe(words.join(", "));
}

/** A point in time. It has no offset, so it is not a `date-time` of RFC 3339. */
export function moment(what: string): z.ZodString {
  const pattern = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$";
  return documented(z.string().describe(`${what}, in UTC`), { pattern, examples: ["2026-03-04T12:00:00"] });
}
