import type { Database, DomainRow } from "./tables.ts";

/**
 * A domain that is served: the name servers that its zone was rendered with, and the serial of that; of a slave the serial,
 * the moment of its last transfer, and until when that counts.
 */
export interface ServedRow extends DomainRow {
  readonly name_servers: string | null;
  readonly serial: number | null;
  readonly slave_serial: number | null;
  readonly transferred: string | null;
  readonly expires: string | null;
}

/** What of it tells its version, and whether that is still the one to be served. */
export type VersionRow = Pick<
  ServedRow,
  "domain_key" | "type" | "changed" | "name_servers" | "serial" | "slave_serial" | "expires"
>;

/** The active domains of these names, which are in lower case. In a write their rows are locked until the end. */
export function served(db: Database, names: readonly string[]): Promise<ServedRow[]> {
  return active(db)
    .selectAll("domains")
    .select(["zones.name_servers", "serials.serial"])
    .select(["slaves.serial as slave_serial", "slaves.transferred", "slaves.expires"])
    .where("domains.domain_key", "in", names)
    .forUpdate("domains")
    .execute();
}

/** Those that somebody may transfer: all of them where the operator has secondaries of their own. */
export function transferred(db: Database, isAll: boolean): Promise<VersionRow[]> {
  const rows = active(db)
    .select(["domains.domain_key", "domains.type", "domains.changed"])
    .select(["zones.name_servers", "serials.serial"])
    .select(["slaves.serial as slave_serial", "slaves.expires"]);
  return isAll ? rows.execute() : rows.where("domains.axfr_ips", "!=", "[]").execute();
}

function active(db: Database) {
  return db
    .selectFrom("domains")
    .leftJoin("zones", "zones.domain_id", "domains.id")
    .leftJoin("serials", "serials.domain_key", "domains.domain_key")
    .leftJoin("slaves", (join) =>
      join.onRef("slaves.domain_id", "=", "domains.id").onRef("slaves.domain_key", "=", "domains.domain_key"),
    )
    .where("domains.status", "=", "active");
}
