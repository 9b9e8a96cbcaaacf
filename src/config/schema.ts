import * as z from "zod";
import { adviceText, type Fix } from "../diagnostics/advice.ts";
import { configSchema, type ZoneDefault } from "./config.ts";

/** A rule or a set of rules, for completion in editors. */
export interface SwitchedRule {
  readonly id: string;
  readonly why: Fix;
  /** Allowed values. */
  readonly severities: readonly string[];
}

/**
 * The JSON Schema (draft 7, which editors know best) of `zonewright.yaml`, with the rules whose severity can be set.
 */
export function configJsonSchema(
  settings: readonly ZoneDefault[],
  rules: readonly SwitchedRule[],
): Record<string, unknown> {
  const config = configSchema(settings);
  const schema = z.toJSONSchema(config, { target: "draft-7", io: "input" });
  const switches = {
    description: config.shape.rules.description,
    type: "object",
    properties: Object.fromEntries(
      rules.map(({ id, why, severities }) => [id, { description: adviceText(why, "cli"), enum: [...severities] }]),
    ),
    additionalProperties: false,
  };
  const properties = { ...schema.properties, rules: switches };
  return { $schema: schema.$schema, $id: "urn:zonewright:config", title: "zonewright.yaml", ...schema, properties };
}
