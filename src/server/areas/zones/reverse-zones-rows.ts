import type { Database } from "../../store/tables.ts";
import { serialOfZone } from "./zones-rows.ts";

/** Serials of a reverse zone and of the domain that has or had its name; undefined if it had none. */
export interface ReverseSerials {
  readonly own: number | undefined;
  readonly ofDomain: number | undefined;
}

/** The serials of a reverse zone, without the final dot. In a write its row is locked until the end. */
export async function serialsOfReverseZones(db: Database, name: string): Promise<ReverseSerials> {
  const row = await db
    .selectFrom("reverse_zones")
    .select("serial")
    .where("name", "=", name)
    .forUpdate()
    .executeTakeFirst();
  return { own: row?.serial || undefined, ofDomain: await serialOfZone(db, name) };
}

/** Adds a reverse zone without a serial, unless it exists, and locks its row until the end of the transaction. */
export async function lockReverseZone(db: Database, name: string): Promise<void> {
  await db
    .insertInto("reverse_zones")
    .values({ name, serial: 0 })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ name }))
    .execute();
}

/** A reverse zone as the store knows it. */
export interface ReverseVersion {
  /** Without the final dot. */
  readonly name: string;
  /** `own` is undefined if no address of the zone ever had a name. */
  readonly serials: ReverseSerials;
  /** The settings that it was last served with. */
  readonly settings: string | null;
  /** Whether a domain has the name, served or not. */
  readonly isDomain: boolean;
}

/** The names of all reverse zones in which an address has or had a name. */
export async function listReverseZoneNames(db: Database): Promise<string[]> {
  const rows = await db.selectFrom("reverse_zones").select("name").execute();
  return rows.map(({ name }) => name);
}

/** The versions of the reverse zones of these names, existing or not. */
export async function listReverseZoneVersions(db: Database, names: readonly string[]): Promise<ReverseVersion[]> {
  if (names.length === 0) return [];
  const rows = await db.selectFrom("reverse_zones").selectAll().where("name", "in", names).execute();
  const serials = await db.selectFrom("serials").selectAll().where("domain_key", "in", names).execute();
  const domains = await db.selectFrom("domains").select("domain_key").where("domain_key", "in", names).execute();
  const rowOf = new Map(rows.map((row) => [row.name, row]));
  const ofDomain = new Map(serials.map(({ domain_key, serial }) => [domain_key, serial]));
  const taken = new Set(domains.map(({ domain_key }) => domain_key));
  return names.map((name) => {
    const { serial, settings = null } = rowOf.get(name) ?? {};
    const both = { own: serial || undefined, ofDomain: ofDomain.get(name) };
    return { name, serials: both, settings, isDomain: taken.has(name) };
  });
}
