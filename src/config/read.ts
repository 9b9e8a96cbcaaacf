import type { Place } from "../diagnostics/problem.ts";
import { type Config, configSchema } from "./config.ts";
import { readSettings } from "./settings-file.ts";

/** The name of the file, at the root of a repository of zones. */
export const configFile = "zonewright.yaml";

export interface ReadConfig {
  readonly config: Config;
  /** Path of a setting, such as `defaults`, `soa_email`. */
  readonly placeOf: (...path: (string | number)[]) => Place | undefined;
}

/**
 * Reads the text of a config file; an empty one gives the defaults.
 * @throws {ProblemError} that names every wrong key and value with its place.
 */
export function readConfig(file: string, text: string | Uint8Array): ReadConfig {
  const { value, placeOf } = readSettings(file, text, { schema: configSchema, knownKeys, empty: {} });
  return { config: value, placeOf };
}

function knownKeys(path: string): string[] {
  const { defaults, policy, guards, ignore } = configSchema.shape;
  if (path === "guards") return Object.keys(guards.unwrap().shape);
  if (/^ignore\.\d+$/.test(path)) return Object.keys(ignore.unwrap().element.shape);
  if (path === "defaults") return Object.keys(defaults.unwrap().shape);
  if (path === "policy") return Object.keys(policy.unwrap().shape);
  return Object.keys(configSchema.shape);
}
