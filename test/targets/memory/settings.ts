import type { Setting } from "../../../src/dns/zone/zone-settings.ts";

const text = { kind: "text", default: "", about: "", example: "a" } as const;
const list = { kind: "list", default: [], about: "", example: "[a]" } as const;
const time = { kind: "duration", about: "", example: "1h" } as const;

/** Four settings of the API are missing, and `region`, `check_sec` and `mirrors` are not the API's. */
export const memorySettings: readonly Setting[] = [
  { name: "type", kind: "choice", choices: ["master", "slave"], default: "master", about: "", example: "slave" },
  { name: "status", kind: "choice", choices: ["active", "disabled"], default: "active", about: "", example: "active" },
  { name: "region", kind: "choice", choices: ["north", "south"], default: "north", about: "", example: "south" },
  { name: "description", ...text },
  { name: "soa_email", ...text, isInherited: true },
  { name: "ttl_sec", ...time, default: 1800 },
  { name: "refresh_sec", ...time, default: 7200 },
  { name: "expire_sec", ...time, default: 604_800 },
  { name: "check_sec", ...time, default: 60, isInherited: true },
  { name: "mirrors", ...list, transfers: "to" },
  { name: "tags", ...list },
];
