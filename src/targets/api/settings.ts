import { blankSettings, defaultTimes, type Setting, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import { settingsOfSoa } from "../settings-of-soa.ts";

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
  group: { kind: "text", default: "", about: "For people, 1 to 50 characters", example: "shops", isInherited: true },
  soa_email: settingsOfSoa.soa_email,
  ttl_sec: {
    kind: "duration",
    default: 86_400,
    about: "Default TTL of the zone's records: seconds, or 30m, 1h, 2d, 1w",
    example: "1h",
    isInherited: true,
  },
  refresh_sec: settingsOfSoa.refresh_sec,
  retry_sec: settingsOfSoa.retry_sec,
  expire_sec: settingsOfSoa.expire_sec,
  master_ips: {
    kind: "list",
    default: [],
    about: "Addresses to transfer from; required for type slave",
    example: "[192.0.2.53, 2001:db8::53]",
    transfers: "from",
  },
  axfr_ips: {
    kind: "list",
    default: [],
    about: "Addresses that may transfer the zone",
    example: "[192.0.2.53]",
    isInherited: true,
    transfers: "to",
  },
  tags: {
    kind: "list",
    default: [],
    about: "For people and filters, each 3 to 50 characters",
    example: "[production, shop]",
    isInherited: true,
  },
} as const satisfies Readonly<Record<string, Omit<Setting, "name">>>;

type ListedSettings = typeof listed;

type Value<S> = S extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : S extends { readonly kind: "duration" }
    ? number
    : S extends { readonly kind: "list" }
      ? readonly string[]
      : string;

/** The settings of a zone, as the API has them. */
export type ApiSettings = { readonly [Name in keyof ListedSettings]?: Value<ListedSettings[Name]> };

/** A setting that is a time. */
export type ApiTime = {
  [Name in keyof ListedSettings]: ListedSettings[Name]["kind"] extends "duration" ? Name : never;
}[keyof ListedSettings];

/** The settings of the API's zones, in the order in which files list them. */
export const apiSettings: readonly Setting[] = Object.entries(listed).map(([name, setting]) => ({ name, ...setting }));

/** Settings that were read with the API's list. */
export function toApiSettings(settings: ZoneSettings): ApiSettings {
  return settings as ApiSettings;
}

/** The service's times for those that are 0 or absent, in seconds (decisions/service#zone-file). */
export const apiTimes = defaultTimes(apiSettings) as Readonly<Record<ApiTime, number>>;

/** The settings of a new domain, as stored. */
export const blankApiSettings = blankSettings(apiSettings) as Required<ApiSettings>;
