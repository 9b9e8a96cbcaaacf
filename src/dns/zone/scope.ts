import type { Place } from "../../diagnostics/problem.ts";

/** A pattern for live records that are left alone: every given field must match. `*` matches any text. */
export interface Ignore {
  /** The owner relative to the zone, `@` for the apex. */
  readonly name?: string;
  readonly type?: string;
  /** RDATA in zone file syntax with absolute names; for a TXT record its text. */
  readonly value?: string;
  readonly reason: string;
  /** The last day on which it applies, in UTC: YYYY-MM-DD. */
  readonly until?: string;
  readonly at?: Place;
}

/** The managed part of a zone. `listed`: only the record types that the file lists at a name. */
export interface Scope {
  readonly manage?: "all" | "listed";
  readonly ignore: readonly Ignore[];
}

/** Whether a text matches a pattern, in which `*` matches any text; every text matches an absent one. */
export function globTest(pattern: string | undefined): (text: string) => boolean {
  if (pattern === undefined) return () => true;
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  const form = new RegExp(`^${parts.join(".*")}$`, "s");
  return (text) => form.test(text);
}

/**
 * Whether a pattern matches some record of a name, whatever its value; of these types, if they are given. The name is
 * relative to its zone, in lower case.
 */
export function ignoreTest({ name, type }: Ignore): (relative: string, types?: readonly string[]) => boolean {
  const [ofName, ofType] = [globTest(name?.toLowerCase()), globTest(type?.toUpperCase())];
  return (relative, types) => ofName(relative) && (types?.some(ofType) ?? true);
}

export const ignoreKeys = ["name", "type", "value", "reason", "until"] as const;
