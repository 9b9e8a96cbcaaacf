import type { Database, DomainRow } from "../../store/tables.ts";
import { endOfTree } from "./domains-rows.ts";

/**
 * A served domain, with the name servers and the serial of its rendered zone; for a slave with the serial, moment and
 * expiry of its last transfer.
 */
export interface ServedRow extends DomainRow {
  readonly name_servers: string | null;
  readonly serial: number | null;
  readonly slave_serial: number | null;
  readonly transferred: string | null;
  readonly expires: string | null;
  /** Whether any domain is below this one. */
  readonly has_below: unknown;
}

/** The columns that identify the version of a zone, and whether it is current. */
export type VersionRow = Pick<
  ServedRow,
  "id" | "domain_key" | "type" | "changed" | "name_servers" | "serial" | "slave_serial" | "expires"
>;

/**
 * The active domains with these lower-case names, except those of closed accounts. In a write their rows are locked
 * until the end.
 */
export function listServed(db: Database, names: readonly string[]): Promise<ServedRow[]> {
  return selectActive(db)
    .selectAll("domains")
    .select(["zones.name_servers", "serials.serial"])
    .select(["slaves.serial as slave_serial", "slaves.transferred", "slaves.expires"])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom("domains as below")
          .select("below.id")
          .whereRef("below.tree_key", ">", "domains.tree_key")
          .where("below.tree_key", "<", endOfTree),
      ).as("has_below"),
    )
    .where("domains.domain_key", "in", names)
    .forUpdate("domains")
    .execute();
}

/** The same domains with secondaries; all if the operator has secondaries of all zones. */
export function listTransferred(db: Database, isAll: boolean): Promise<(VersionRow & Pick<DomainRow, "axfr_ips">)[]> {
  const rows = selectActive(db)
    .select(["domains.id", "domains.domain_key", "domains.type", "domains.changed", "domains.axfr_ips"])
    .select(["zones.name_servers", "serials.serial"])
    .select(["slaves.serial as slave_serial", "slaves.expires"]);
  return isAll ? rows.execute() : rows.where("domains.axfr_ips", "!=", "[]").execute();
}

/** The names of the active domains, in lower case and without the final dot, except those of closed accounts. */
export async function listActiveNames(db: Database): Promise<string[]> {
  const rows = await selectActive(db).select("domains.domain_key").execute();
  return rows.map(({ domain_key }) => domain_key);
}

/** The domains with a change that is not rendered yet. */
export function listWaiting(db: Database): Promise<Pick<DomainRow, "id" | "changed">[]> {
  return db.selectFrom("domains").select(["id", "changed"]).where("changed", "is not", null).execute();
}

/**
 * The time of the oldest change that is not rendered yet and counts: one after `isDelayedAfter`, of a domain with
 * secondaries, or of one of the names in `stuck`.
 */
export async function findOldestChange(
  db: Database,
  wanted: { readonly isDelayedAfter: string; readonly areAllTransferred: boolean; readonly stuck: readonly string[] },
): Promise<string | undefined> {
  const { isDelayedAfter, areAllTransferred, stuck } = wanted;
  const waiting = selectActive(db)
    .select(({ fn }) => fn.min("domains.changed").as("changed"))
    .where("domains.changed", "is not", null)
    .where("domains.type", "=", "master");
  const counted = waiting.where(({ eb, or }) =>
    or([
      eb("domains.changed", ">", isDelayedAfter),
      eb("domains.axfr_ips", "!=", "[]"),
      ...(stuck.length > 0 ? [eb("domains.domain_key", "in", stuck)] : []),
    ]),
  );
  const row = await (areAllTransferred ? waiting : counted).executeTakeFirst();
  return row?.changed ?? undefined;
}

function selectActive(db: Database) {
  return db
    .selectFrom("domains")
    .innerJoin("accounts", "accounts.id", "domains.account_id")
    .leftJoin("zones", "zones.domain_id", "domains.id")
    .leftJoin("serials", "serials.domain_key", "domains.domain_key")
    .leftJoin("slaves", (join) =>
      join.onRef("slaves.domain_id", "=", "domains.id").onRef("slaves.domain_key", "=", "domains.domain_key"),
    )
    .where("domains.status", "=", "active")
    .where("accounts.closed", "is", null);
}
