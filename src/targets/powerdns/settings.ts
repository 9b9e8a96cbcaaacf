import { findSetting, type Setting, type ZoneSettings } from "../../dns/zone/zone-settings.ts";
import type { ZoneFields } from "./api.ts";
import type { ZoneFieldsReply } from "./replies.ts";

/** The settings of zones, by the names of the API. A setting that a file does not state stays as it is. */
export const powerDnsSettings: readonly Setting[] = [
  {
    name: "kind",
    kind: "choice",
    choices: ["Native", "Primary"],
    default: "Native",
    about: "Primary: PowerDNS sends NOTIFY to secondaries. Native: the backend replicates the zone",
    example: "Primary",
  },
  {
    name: "api_rectify",
    kind: "choice",
    choices: ["true", "false"],
    default: "true",
    about: "Whether PowerDNS rectifies the zone after each change by the API, as signed zones need",
    example: '"false"',
  },
  {
    name: "soa_edit_api",
    kind: "choice",
    choices: ["DEFAULT", "INCREASE", "EPOCH", "SOA-EDIT", "SOA-EDIT-INCREASE", "OFF"],
    default: "DEFAULT",
    about: "How PowerDNS increases the serial after a change by the API. With OFF, zonewright adds 1",
    example: "INCREASE",
  },
];

/** The kind of a zone in the present words of PowerDNS; 4.7 replies with the former ones. */
export function zoneKind({ kind }: Pick<ZoneFieldsReply, "kind">): string {
  return kindWords.get(kind.toLowerCase()) ?? kind;
}

const kindWords: ReadonlyMap<string, string> = new Map([
  ["native", "Native"],
  ["master", "Primary"],
  ["primary", "Primary"],
  ["slave", "Secondary"],
  ["secondary", "Secondary"],
  ["producer", "Producer"],
]);

/** Whether zones of this kind have their records here. The API also stores those of others, until the next transfer. */
export function hasOwnRecords(reply: Pick<ZoneFieldsReply, "kind">): boolean {
  return ["Native", "Primary"].includes(zoneKind(reply));
}

/** The settings that a stored zone states, without values that a file cannot have. `rectify`: as it states it. */
export function storedSettings(reply: ZoneFieldsReply, rectify: boolean | undefined): ZoneSettings {
  const { soa_edit_api: edit = "" } = reply;
  const all = {
    kind: zoneKind(reply),
    ...(rectify !== undefined && { api_rectify: String(rectify) }),
    soa_edit_api: edit.toUpperCase() || "OFF",
  };
  const isChoice = ([name, value]: [string, string]) => findSetting(powerDnsSettings, name)?.choices?.includes(value);
  return Object.fromEntries(Object.entries(all).filter(isChoice));
}

/** The fields of the API for settings; every version takes the former words for kinds. */
export function fieldsOfSettings({ kind, api_rectify: rectify, soa_edit_api: edit }: ZoneSettings): ZoneFields {
  return {
    ...(kind !== undefined && { kind: kind === "Primary" ? "Master" : String(kind) }),
    ...(rectify !== undefined && { api_rectify: rectify === "true" }),
    ...(edit !== undefined && { soa_edit_api: String(edit) }),
  };
}
