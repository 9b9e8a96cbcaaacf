import { nameToEmail, type Soa } from "./types/soa.ts";
import type { ZoneRecord, ZoneSettings } from "./zone.ts";

/** Settings that an SOA record says of its zone. */
export type SoaSettings = Required<Pick<ZoneSettings, "soa_email" | "refresh_sec" | "retry_sec" | "expire_sec">>;

export function soaSettings({ data }: Pick<ZoneRecord, "data">): SoaSettings {
  const soa = data as unknown as Soa;
  return { soa_email: nameToEmail(soa.rname), refresh_sec: soa.refresh, retry_sec: soa.retry, expire_sec: soa.expire };
}
