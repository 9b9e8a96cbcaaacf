import type { SettingName } from "./zone.ts";

/** A setting of zones, as zone files say it, editors complete it and the documentation lists it. */
export interface Setting {
  readonly name: SettingName;
  readonly kind: "text" | "list" | "duration" | "choice";
  /** The values of a choice. */
  readonly choices?: readonly [string, ...string[]];
  readonly about: string;
  /** As a zone file in YAML has it. */
  readonly example: string;
}

const listed = {
  type: {
    kind: "choice",
    choices: ["master", "slave"],
    about: "master: the records stand here. slave: they are transferred from master_ips",
    example: "slave",
  },
  status: {
    kind: "choice",
    choices: ["active", "disabled"],
    about: "A disabled zone is not served",
    example: "disabled",
  },
  description: { kind: "text", about: "For people, 1 to 255 characters", example: "the shop" },
  group: { kind: "text", about: "For people, 1 to 50 characters", example: "shops" },
  soa_email: { kind: "text", about: "Contact address of the zone", example: "hostmaster@example.com" },
  ttl_sec: {
    kind: "duration",
    about: "How long resolvers may cache records that say nothing else: seconds, or 30m, 1h, 2d, 1w",
    example: "1h",
  },
  refresh_sec: { kind: "duration", about: "How long a secondary waits before it refreshes", example: "4h" },
  retry_sec: { kind: "duration", about: "How long a secondary waits after a refresh that failed", example: "1h" },
  expire_sec: { kind: "duration", about: "How long a secondary answers without a refresh", example: "2w" },
  master_ips: {
    kind: "list",
    about: "Addresses to transfer from; required for type slave",
    example: "[192.0.2.53, 2001:db8::53]",
  },
  axfr_ips: { kind: "list", about: "Addresses that may transfer the zone", example: "[192.0.2.53]" },
  tags: { kind: "list", about: "For people and filters, each 3 to 50 characters", example: "[production, shop]" },
} as const satisfies Readonly<Record<SettingName, Omit<Setting, "name">>>;

/** Every setting, in the order in which files have them: the one list that formats, schema and documentation read. */
export const zoneSettings = Object.entries(listed).map(([name, setting]) => ({
  name,
  ...setting,
})) as readonly Setting[];

export function settingOf(name: SettingName): Omit<Setting, "name"> {
  return listed[name];
}
