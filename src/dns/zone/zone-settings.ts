/** A setting of a target's zones, for zone files, editors, the config, plans, guards and documentation. */
export interface Setting {
  readonly name: string;
  readonly kind: "text" | "list" | "duration" | "choice";
  /** The values of a choice. */
  readonly choices?: readonly [string, ...string[]];
  /** The default; for a duration, in seconds, also the meaning of 0. */
  readonly default: SettingValue;
  readonly about: string;
  /** An example in a YAML zone file. */
  readonly example: string;
  /** Whether `defaults` in the config can set it for all zones. */
  readonly isInherited?: boolean;
  /** A list of the addresses that the zone is transferred to, or from. */
  readonly transfers?: "to" | "from";
}

/** Durations in seconds. */
export type SettingValue = string | number | readonly string[];

/**
 * The settings of a zone. Absent if the zone does not set them. Those with a meaning in DNS have the same names in
 * every target that has them.
 */
export interface ZoneSettings {
  readonly type?: "master" | "slave";
  readonly status?: "active" | "disabled";
  readonly soa_email?: string;
  readonly ttl_sec?: number;
  readonly refresh_sec?: number;
  readonly retry_sec?: number;
  readonly expire_sec?: number;
  readonly [name: string]: SettingValue | undefined;
}

/** The kind of a zone in the words of its service: its `type`, or its `kind`. */
export function zoneKindOf({ type, kind }: ZoneSettings): string {
  return type ?? (typeof kind === "string" ? kind : "master");
}

/** A value in seconds for each duration among the settings. */
export interface ZoneTimes {
  readonly ttl_sec: number;
  readonly [name: string]: number;
}

/** The meaning of durations that are 0 or absent. */
export function defaultTimes(settings: readonly Setting[]): ZoneTimes {
  const times = settings.filter(({ kind }) => kind === "duration");
  return { ttl_sec: 0, ...Object.fromEntries(times.map((setting) => [setting.name, Number(setting.default)])) };
}

/** The settings of a new zone, as stored. */
export function blankSettings(settings: readonly Setting[]): ZoneSettings {
  return Object.fromEntries(
    settings.map((setting) => [setting.name, setting.kind === "duration" ? 0 : setting.default]),
  );
}

export function findSetting(settings: readonly Setting[], name: string): Setting | undefined {
  return settings.find((setting) => setting.name === name);
}

/** The settings that a service has, of those of a file, which may be that of services of other kinds as well. */
export function settingsIn(settings: ZoneSettings, known: readonly Setting[]): ZoneSettings {
  const names = new Set(known.map(({ name }) => name));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => names.has(name)));
}
