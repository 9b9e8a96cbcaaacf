import * as z from "zod";

/** Keywords that the OpenAPI document adds to a schema; nothing checks them. */
interface Documentation {
  /** Which profiles send the field, always. */
  readonly sent?: "every profile" | "live";
  /** Keywords of JSON Schema. */
  readonly keywords?: Readonly<Record<string, unknown>>;
}

export const documentation = z.registry<Documentation>();

/**
 * A field of a reply that this service always sends, or always in profile live. A client does without it: other
 * services, or an older version of this one, leave it out. The OpenAPI document calls it required.
 */
export function sent<T extends z.ZodType>(type: T, profile?: "live"): z.ZodOptional<T> {
  const field = type.optional();
  documentation.add(field, { sent: profile ?? "every profile" });
  return field;
}

/**
 * A schema with bounds and a format that the document names and nobody checks here: a client takes what other services
 * send.
 */
export function documented<T extends z.ZodType>(type: T, keywords: Readonly<Record<string, unknown>>): T {
  documentation.add(type as z.ZodType, { keywords });
  return type;
}

/** A word of an enumeration that the service may extend: the known words, and any other. */
export type OpenWord<Word extends string> = Word | (string & {});

/** A field of a reply with known words, which describe it unless other text does. Any text is accepted. */
export function openEnum<const Word extends string>(words: readonly Word[]): z.ZodType<OpenWord<Word>, OpenWord<Word>> {
  return z.string().describe(words.join(", "));
}

/** A moment. It has no zone, so it is no `date-time` of RFC 3339. */
export function moment(what: string): z.ZodString {
  const pattern = "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}$";
  return documented(z.string().describe(`${what}, in UTC`), { pattern, examples: ["2026-03-04T12:00:00"] });
}
