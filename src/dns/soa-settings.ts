import { nameToEmail } from "./types/soa.ts";
import type { ZoneRecord } from "./zone.ts";
import type { ZoneSettings } from "./zone-settings.ts";

/** Settings of a zone that its SOA record contains. */
export type SoaSettings = Required<Pick<ZoneSettings, "soa_email" | "refresh_sec" | "retry_sec" | "expire_sec">>;

export function soaSettings({ data: soa }: Pick<ZoneRecord<"SOA">, "data">): SoaSettings {
  return { soa_email: nameToEmail(soa.rname), refresh_sec: soa.refresh, retry_sec: soa.retry, expire_sec: soa.expire };
}
