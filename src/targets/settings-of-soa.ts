import type { Setting } from "../dns/zone/zone-settings.ts";

/** The settings that a zone without an SOA record gives to that of its service, apart from the TTL. */
export const settingsOfSoa = {
  soa_email: {
    kind: "text",
    default: "",
    about: "Contact address of the zone",
    example: "hostmaster@example.com",
    isInherited: true,
  },
  refresh_sec: {
    kind: "duration",
    default: 14_400,
    about: "Interval between refreshes by a secondary",
    example: "4h",
    isInherited: true,
  },
  retry_sec: {
    kind: "duration",
    default: 14_400,
    about: "Interval between retries after a failed refresh",
    example: "1h",
    isInherited: true,
  },
  expire_sec: {
    kind: "duration",
    default: 1_209_600,
    about: "Time after which a secondary without a refresh stops answering",
    example: "2w",
    isInherited: true,
  },
} as const satisfies Readonly<Record<string, Omit<Setting, "name">>>;
