import type { Place } from "../diagnostics/problem.ts";
import { type Config, configSchema, type ZoneDefault } from "./config.ts";
import { readSettings } from "./settings-file.ts";

/** The name of the file, at the root of a repository of zones. */
export const configFile = "zonewright.yaml";

export interface ReadConfig {
  readonly config: Config;
  /** Path of a setting, such as `defaults`, `soa_email`. */
  readonly placeOf: (...path: (string | number)[]) => Place | undefined;
}

/**
 * Reads the text of a config file for zones with these settings; an empty one gives the defaults.
 * @throws {ProblemError} that names every wrong key and value with its place.
 */
export function readConfig(file: string, text: string | Uint8Array, settings: readonly ZoneDefault[]): ReadConfig {
  const schema = configSchema(settings);
  const knownKeys = (path: string) => keysAt(path, schema);
  const { value, placeOf } = readSettings(file, text, { schema, knownKeys, empty: {} });
  return { config: value, placeOf };
}

function keysAt(path: string, { shape }: ReturnType<typeof configSchema>): string[] {
  const { defaults, policy, guards, ignore } = shape;
  if (path === "guards") return Object.keys(guards.unwrap().shape);
  if (/^ignore\.\d+$/.test(path)) return Object.keys(ignore.unwrap().element.shape);
  if (path === "defaults") return Object.keys(defaults.unwrap().shape);
  if (path === "policy") return Object.keys(policy.unwrap().shape);
  return Object.keys(shape);
}
