import { sql } from "kysely";
import type { Database, DomainRow, SlaveRow } from "../../store/tables.ts";
import { readZoneLines, removeZoneLines, writeZoneLines } from "./zone-lines-rows.ts";

/** A slave domain whose masters are due to be asked, with the SOA values of its zone. */
export interface DueSlave
  extends Pick<DomainRow, "id" | "account_id" | "domain" | "domain_key" | "master_ips" | "retry_sec"> {
  readonly failures: number;
  readonly zone: Pick<SlaveRow, "serial" | "refresh" | "retry" | "expire" | "expires"> | undefined;
}

/** Domains that are not claimed, and accounts of which none is. */
interface Exceptions {
  readonly domains: readonly number[];
  readonly accounts: readonly number[];
}

/** Now, and the latest moment at which masters can have been asked: only a clock that ran fast notes a later one. */
interface DueTimes {
  readonly now: string;
  readonly last: string;
}

/** Whether any active slave domain is due, other than these. */
export async function isAnySlaveDue(db: Database, times: DueTimes, except: Exceptions): Promise<boolean> {
  return (await due(db, times, except).limit(1).execute()).length > 0;
}

/** The number of domains of an account that may be claimed now. */
type RoomOf = (account: number) => number;

/** Leases at most `most` active slave domains that are due; no other process gets them before `until`. */
export async function claimSlaves(
  db: Database,
  times: DueTimes,
  until: string,
  { most, except, roomOf }: { readonly most: number; readonly except: Exceptions; readonly roomOf: RoomOf },
): Promise<DueSlave[]> {
  const rows = await due(db, times, except).orderBy("domains.id").limit(most).forUpdate("domains").execute();
  const claimed: DueSlave[] = [];
  for (const { known_key, failures, serial, refresh, retry, expire, expires, ...domain } of rows) {
    const { length: ofAccount } = claimed.filter(({ account_id }) => account_id === domain.account_id);
    if (ofAccount >= roomOf(domain.account_id)) continue;
    const isKnown = known_key === domain.domain_key;
    const blank = {
      failures: 0,
      serial: null,
      refresh: null,
      retry: null,
      expire: null,
      transferred: null,
      expires: null,
    };
    const { domain_key, master_ips } = domain;
    const leased = { asked: times.now, next: until };
    const row = { domain_id: domain.id, domain_key, master_ips, ...leased, ...(!isKnown && blank) };
    await db
      .insertInto("slaves")
      .values({ ...blank, ...row })
      .onConflict((conflict) => conflict.column("domain_id").doUpdateSet(row))
      .execute();
    if (known_key !== null && !isKnown) await removeZoneLines(db, domain.id, "transferred");
    claimed.push({
      ...domain,
      failures: (isKnown && failures) || 0,
      zone: isKnown ? { serial, refresh, retry, expire, expires } : undefined,
    });
  }
  return claimed;
}

/** Columns to update after asking the masters; `lines` for a new version of the zone. */
interface RefreshResult extends Partial<Omit<SlaveRow, "domain_id" | "domain_key" | "master_ips" | "asked" | "next">> {
  readonly lines?: readonly string[];
}

/** Stores the result for a leased domain. `next` is set unless a NOTIFY has set an earlier one since. */
export async function storePull(
  db: Database,
  { id, domain_key }: DueSlave,
  until: string,
  next: string,
  { lines, ...zone }: RefreshResult,
): Promise<void> {
  // Locks in the same order as a deletion: the domain first.
  await db.selectFrom("domains").select("id").where("id", "=", id).forUpdate().execute();
  const row = db.updateTable("slaves").where("domain_id", "=", id).where("domain_key", "=", domain_key);
  if (Object.keys(zone).length > 0) {
    const { numUpdatedRows } = await row.set(zone).executeTakeFirst();
    // No row if the domain was deleted, or renamed and leased, meanwhile.
    if (lines && numUpdatedRows > 0) await writeZoneLines(db, id, "transferred", lines);
  }
  await row.set({ next }).where("next", "=", until).execute();
}

/** The masters of the active slave domain of this name; undefined if there is none. */
export async function mastersOfSlave(db: Database, domain_key: string): Promise<readonly string[] | undefined> {
  const row = await db
    .selectFrom("domains")
    .innerJoin("accounts", "accounts.id", "domains.account_id")
    .select("domains.master_ips")
    .where("domains.domain_key", "=", domain_key)
    .where("domains.type", "=", "slave")
    .where("domains.status", "=", "active")
    .where("accounts.closed", "is", null)
    .executeTakeFirst();
  return row && (JSON.parse(row.master_ips) as string[]);
}

/** Sets when the masters are asked again. */
export async function setNextPull(db: Database, domain_key: string, next: string): Promise<void> {
  await db.updateTable("slaves").set({ next }).where("domain_key", "=", domain_key).execute();
}

/**
 * The number of active slave domains whose masters have failed twice in a row, or once without a zone that is still
 * valid.
 */
export async function countDeadSlaves(db: Database, now: string): Promise<number> {
  const { count } = await db
    .selectFrom("slaves")
    .innerJoin("domains", "domains.id", "slaves.domain_id")
    .innerJoin("accounts", "accounts.id", "domains.account_id")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("slaves.failures", ">", sql.lit(0)) // as in the index
    .where("domains.type", "=", "slave")
    .where("domains.status", "=", "active")
    .where("accounts.closed", "is", null)
    .where((eb) =>
      eb.or([eb("slaves.failures", ">", 1), eb("slaves.expires", "is", null), eb("slaves.expires", "<=", now)]),
    )
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The lines of the last transfer, none if it has expired. */
export async function readTransferredLines(
  db: Database,
  { id, domain_key }: Pick<DomainRow, "id" | "domain_key">,
  now: string,
): Promise<string[]> {
  const row = await db
    .selectFrom("slaves")
    .select("domain_id")
    .where("domain_id", "=", id)
    .where("domain_key", "=", domain_key)
    .where("expires", ">", now)
    .executeTakeFirst();
  return row === undefined ? [] : readZoneLines(db, id, "transferred");
}

function due(db: Database, { now, last }: DueTimes, { domains, accounts }: Exceptions) {
  let all = db
    .selectFrom("domains")
    .innerJoin("accounts", "accounts.id", "domains.account_id")
    .leftJoin("slaves", "slaves.domain_id", "domains.id")
    .select([
      "domains.id",
      "domains.account_id",
      "domains.domain",
      "domains.domain_key",
      "domains.master_ips",
      "domains.retry_sec",
    ])
    .select(["slaves.serial", "slaves.refresh", "slaves.retry", "slaves.expire", "slaves.expires"])
    .select(["slaves.failures", "slaves.domain_key as known_key"])
    .where("domains.type", "=", "slave")
    .where("domains.status", "=", "active")
    .where("accounts.closed", "is", null)
    .where((eb) =>
      eb.or([
        eb("slaves.next", "is", null),
        eb("slaves.next", "<=", now),
        eb("slaves.asked", ">", last),
        eb("slaves.master_ips", "<>", eb.ref("domains.master_ips")),
        eb("slaves.domain_key", "<>", eb.ref("domains.domain_key")),
      ]),
    );
  if (domains.length > 0) all = all.where("domains.id", "not in", domains);
  if (accounts.length > 0) all = all.where("domains.account_id", "not in", accounts);
  return all;
}
