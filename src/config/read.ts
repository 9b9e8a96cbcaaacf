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
  const { value, placeOf } = readSettings(file, text, { schema: configSchema(settings), empty: {} });
  return { config: value, placeOf };
}
