/** A setting of zones in zone files, in editor completion and in the documentation. */
export interface Setting {
  readonly name: SettingName;
  readonly kind: "text" | "list" | "duration" | "choice";
  /** The values of a choice. */
  readonly choices?: readonly [string, ...string[]];
  /** The default; for a duration, in seconds, also the meaning of 0. */
  readonly default: string | number | readonly string[];
  readonly about: string;
  /** An example in a YAML zone file. */
  readonly example: string;
}

const listed = {
  type: {
    kind: "choice",
    choices: ["master", "slave"],
    default: "master",
    about: "master: the records are in this file. slave: they are transferred from master_ips",
    example: "slave",
  },
  status: {
    kind: "choice",
    choices: ["active", "disabled"],
    default: "active",
    about: "A disabled zone is not served",
    example: "disabled",
  },
  description: { kind: "text", default: "", about: "For people, 1 to 255 characters", example: "the shop" },
  group: { kind: "text", default: "", about: "For people, 1 to 50 characters", example: "shops" },
  soa_email: { kind: "text", default: "", about: "Contact address of the zone", example: "hostmaster@example.com" },
  ttl_sec: {
    kind: "duration",
    default: 86_400,
    about: "Default TTL of the zone's records: seconds, or 30m, 1h, 2d, 1w",
    example: "1h",
  },
  refresh_sec: {
    kind: "duration",
    default: 14_400,
    about: "Interval between refreshes by a secondary",
    example: "4h",
  },
  retry_sec: {
    kind: "duration",
    default: 14_400,
    about: "Interval between retries after a failed refresh",
    example: "1h",
  },
  expire_sec: {
    kind: "duration",
    default: 1_209_600,
    about: "Time after which a secondary without a refresh stops answering",
    example: "2w",
  },
  master_ips: {
    kind: "list",
    default: [],
    about: "Addresses to transfer from; required for type slave",
    example: "[192.0.2.53, 2001:db8::53]",
  },
  axfr_ips: { kind: "list", default: [], about: "Addresses that may transfer the zone", example: "[192.0.2.53]" },
  tags: {
    kind: "list",
    default: [],
    about: "For people and filters, each 3 to 50 characters",
    example: "[production, shop]",
  },
} as const satisfies Readonly<Record<string, Omit<Setting, "name">>>;

type Listed = typeof listed;

type Value<S> = S extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly kind: "duration" }
    ? number
    : S extends { readonly kind: "list" }
      ? readonly string[]
      : string;

/** The settings of a zone, under the API's names. Absent if the zone does not set them. */
export type ZoneSettings = { readonly [Name in keyof Listed]?: Value<Listed[Name]> };

export type SettingName = keyof ZoneSettings;

/** A value in seconds for each time of a zone. */
export type ZoneTimes = {
  readonly [Name in SettingName as Listed[Name]["kind"] extends "duration" ? Name : never]: number;
};

/** A setting that is a time: seconds, 0 for the service's default. */
export type TimeSetting = keyof ZoneTimes;

/**
 * Every setting, in the order in which files list them. Formats, JSON Schema, plans and documentation all use this
 * list.
 */
export const zoneSettings = Object.entries(listed).map(([name, setting]) => ({
  name,
  ...setting,
})) as readonly Setting[];

export function settingOf(name: SettingName): Omit<Setting, "name"> {
  return listed[name];
}

export const timeSettings = zoneSettings
  .filter(({ kind }) => kind === "duration")
  .map(({ name }) => name) as readonly TimeSetting[];

export function isTimeSetting(name: string): name is TimeSetting {
  return (timeSettings as readonly string[]).includes(name);
}

/** The default times of a zone, unless its service has others. */
export const defaultTimes = Object.fromEntries(timeSettings.map((name) => [name, listed[name].default])) as ZoneTimes;

/** The settings of a new zone, as stored. */
export const blankSettings = Object.fromEntries(
  zoneSettings.map((setting) => [setting.name, setting.kind === "duration" ? 0 : setting.default]),
) as Required<ZoneSettings>;
