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

/** A guard that can be approved, by its id or by a former one. */
interface ApprovableGuard {
  readonly guard: string;
  readonly title: string;
  readonly formerIdOfRun?: string;
}

/** The JSON Schema of `acks.yaml`, with the guards that can be approved and what each of them checks. */
export function acksJsonSchema(guards: readonly ApprovableGuard[]) {
  const text = (description: string, more: object = {}) => ({ description, type: "string", ...more });
  const properties = {
    guard: {
      description: "the id of the guard that blocks the change",
      anyOf: guards.flatMap(({ guard, title, formerIdOfRun: former }) => [
        { description: title, const: guard },
        ...(former === undefined ? [] : [{ description: `${title} of the run, now ${guard}`, const: former }]),
      ]),
    },
    zone: text("the name of the zone, or * for changes that are blocked for the run as a whole", { minLength: 1 }),
    target: text("the target on which they are approved, in a project with several"),
    effects: text("the first digits of the digest of the blocked changes, as plan prints them, in quotes", {
      pattern: "^[0-9a-f]{16,64}$",
    }),
    reason: text("why the change is intended", { pattern: "[\\p{L}\\p{N}]" }),
    until: text("the last day on which the approval is valid, in UTC, such as 2027-01-31", {
      pattern: "^\\d{4}-\\d{2}-\\d{2}$",
    }),
  };
  const required = Object.keys(properties).filter((name) => name !== "target");
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    $id: "urn:zonewright:acks",
    title: "acks.yaml",
    description: "approvals of changes that a guard blocks",
    type: ["array", "null"],
    items: { type: "object", properties, required, additionalProperties: false },
  };
}
