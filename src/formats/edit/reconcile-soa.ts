import { problemError } from "../../diagnostics/problem.ts";
import { emailToName, isMailbox } from "../../dns/types/soa.ts";
import { type SoaSettings, soaSettings } from "../../dns/zone/soa-settings.ts";
import { copyRecord, isType, type Zone, type ZoneRecord } from "../../dns/zone/zone.ts";
import type { Setting, SettingValue } from "../../dns/zone/zone-settings.ts";
import type { Report } from "../kit/source.ts";
import { setKey } from "./difference.ts";
import { withSetTtls } from "./rrset-ttl.ts";

const fields = { soa_email: "rname", refresh_sec: "refresh", retry_sec: "retry", expire_sec: "expire" } as const;
const soaSettingNames = Object.keys(fields) as (keyof typeof fields)[];

/** Whether it is a setting that an SOA record contains. */
export function isSoaSetting(name: string): name is keyof SoaSettings {
  return name in fields;
}

/**
 * The zone `after` in a form that files support: one TTL for each RRset, and an SOA record that agrees with the
 * settings. If these differ, the one that changed since `before` wins. Each changed TTL is reported.
 * @throws {ProblemError} `soa-differs`, `soa-email`
 */
export function reconcileSoa(before: Zone, after: Zone, known: readonly Setting[], report: Report = () => {}): Zone {
  const records = withSetTtls([...after.records], after.settings.ttl_sec || undefined, report);
  const soa = records.find((record) => isType(record, "SOA"));
  if (!soa) return { ...after, records };
  const oldSoa = before.records.find((record) => isType(record, "SOA"));
  const fromSoa: Partial<Record<string, SettingValue>> = soaSettings(soa, known);
  const fromOldSoa: Partial<Record<string, SettingValue>> = oldSoa ? soaSettings(oldSoa, known) : {};
  const settings: Record<string, SettingValue | undefined> = { ...after.settings };
  const data: Record<string, unknown> = { ...soa.data };
  for (const name of soaSettingNames.filter((name) => name in fromSoa)) {
    const wanted = after.settings[name];
    if (wanted === undefined || wanted === fromSoa[name] || wanted === before.settings[name])
      settings[name] = fromSoa[name];
    else if (fromSoa[name] === fromOldSoa[name])
      data[fields[name]] = name === "soa_email" ? mailbox(String(wanted)) : wanted;
    else
      throw problemError("soa-differs", `${name} is ${fromSoa[name]} in the SOA record, but ${wanted} in the setting`);
  }
  const isChanged = soaSettingNames.some((name) => data[fields[name]] !== soa.data[fields[name]]);
  const replaced = isChanged ? copyRecord(soa, { data }) : soa;
  return { ...after, settings, records: records.map((record): ZoneRecord => (record === soa ? replaced : record)) };
}

/** RDATA of an SOA record with its settings replaced; the other fields stay. */
export function withSettings(data: ZoneRecord["data"], settings: Partial<SoaSettings>): ZoneRecord["data"] {
  const { soa_email } = settings;
  const email = soa_email !== undefined && isMailbox(soa_email) ? { rname: emailToName(soa_email) } : {};
  const times = soaSettingNames.filter((name) => name !== "soa_email" && settings[name]);
  return { ...data, ...email, ...Object.fromEntries(times.map((name) => [fields[name], settings[name]])) };
}

/** One TTL for each set in which some records write the default and others omit it. */
export function withOneTtl(zone: Zone): Zone {
  const ttls = new Map<string, number | undefined>();
  for (const record of zone.records) if (!ttls.has(setKey(record))) ttls.set(setKey(record), record.ttl);
  const fitting = (record: ZoneRecord) => ttls.get(setKey(record));
  return {
    ...zone,
    records: zone.records.map((record) =>
      fitting(record) === record.ttl ? record : copyRecord(record, { ttl: fitting(record) }),
    ),
  };
}

function mailbox(email: string): string {
  if (isMailbox(email)) return emailToName(email);
  throw problemError("soa-email", `soa_email "${email}" is not an e-mail address, so the SOA record cannot contain it`);
}
