import { nameKey } from "../../dns/name/name.ts";
import type { Zone } from "../../dns/zone/zone.ts";

/** One text for what a zone file says of templates. */
export function templatesText({ templates = [], overrides = [] }: Pick<Zone, "templates" | "overrides">): string {
  const uses = templates.map(({ name, parameters }) => [
    name,
    parameters.map(({ name, texts, isList }) => [name, texts, isList]),
  ]);
  return JSON.stringify([uses, [...overridesOf({ overrides })].sort()]);
}

/** The RRsets that replace those of templates. */
export function overridesOf({ overrides = [] }: Pick<Zone, "overrides">): Set<string> {
  return new Set(overrides.map(({ owner, type }) => `${nameKey(owner)} ${type}`));
}
