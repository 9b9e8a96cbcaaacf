import type { Database } from "./store.ts";
import type { DomainRow } from "./tables.ts";

/** A domain that is served, the name servers that its zone was rendered with, and the serial of that. */
export type ServedRow = DomainRow & { readonly name_servers: string | null; readonly serial: number | null };

/** The active master domains of these names, which are in lower case. In a write their rows are locked until the end. */
export function served(db: Database, names: readonly string[]): Promise<ServedRow[]> {
  return all(db).where("domains.domain_key", "in", names).execute();
}

/** Those that somebody may transfer. */
export function transferred(db: Database): Promise<ServedRow[]> {
  return all(db).where("domains.axfr_ips", "!=", "[]").execute();
}

function all(db: Database) {
  return db
    .selectFrom("domains")
    .leftJoin("zones", "zones.domain_id", "domains.id")
    .leftJoin("serials", "serials.domain_key", "domains.domain_key")
    .selectAll("domains")
    .select(["zones.name_servers", "serials.serial"])
    .where("domains.type", "=", "master")
    .where("domains.status", "=", "active")
    .forUpdate("domains");
}
