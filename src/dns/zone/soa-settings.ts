import { nameToEmail } from "../types/soa.ts";
import type { ZoneRecord } from "./zone.ts";
import { findSetting, type Setting, type ZoneSettings } from "./zone-settings.ts";

/** Settings of a zone that its SOA record contains. */
export type SoaSettings = Pick<ZoneSettings, "soa_email" | "refresh_sec" | "retry_sec" | "expire_sec">;

/** The settings in an SOA record, as far as the target has them. */
export function soaSettings({ data: soa }: Pick<ZoneRecord<"SOA">, "data">, settings: readonly Setting[]): SoaSettings {
  const all = {
    soa_email: nameToEmail(soa.rname),
    refresh_sec: soa.refresh,
    retry_sec: soa.retry,
    expire_sec: soa.expire,
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => findSetting(settings, name)));
}
