import type { Domain } from "../../contract/resources/domain.ts";
import type { Profile } from "../kit/context.ts";
import type { DomainFields } from "../rules/domain.ts";
import type { DomainColumns, DomainRow } from "../store/tables.ts";

/** A stored domain as the API answers with it: the keys in the order of service.md, Domains. */
export function replyOf(row: DomainRow, tags: string[], profile: Profile): Domain {
  return {
    id: row.id,
    type: row.type,
    domain: row.domain,
    status: row.status,
    description: row.description,
    group: row.group,
    soa_email: row.soa_email,
    ttl_sec: row.ttl_sec,
    refresh_sec: row.refresh_sec,
    retry_sec: row.retry_sec,
    expire_sec: row.expire_sec,
    master_ips: JSON.parse(row.master_ips),
    axfr_ips: JSON.parse(row.axfr_ips),
    tags,
    created: row.created,
    updated: row.updated,
    ...(profile === "live" && { errors: "" }),
  };
}

/** A stored domain as the rules take it. */
export function fieldsOf(row: DomainRow): DomainFields {
  return { ...row, master_ips: JSON.parse(row.master_ips), axfr_ips: JSON.parse(row.axfr_ips) };
}

/** What the rules give back, as it is stored. */
export function columnsOf(fields: DomainFields): Omit<DomainColumns, "account_id" | "created" | "updated"> {
  return {
    ...fields,
    domain_key: fields.domain.toLowerCase(),
    master_ips: JSON.stringify(fields.master_ips),
    axfr_ips: JSON.stringify(fields.axfr_ips),
  };
}
