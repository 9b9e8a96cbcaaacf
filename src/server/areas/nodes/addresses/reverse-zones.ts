import type { Catalog } from "../../../catalog/schema.ts";
import { updateRows } from "../../../store/rows.ts";
import type { AddressRow, Database } from "../../../store/tables.ts";
import { defaultZone } from "../../domains/address-zones.ts";
import { lockReverseZone, serialsOfReverseZones } from "../../zones/reverse-zones-rows.ts";
import { nextSerial, reverseSerial } from "../../zones/serial.ts";

/**
 * Raises the serials of the reverse zones of these addresses. Call it in the transaction that changes them, with the
 * rows that have the names, which are those before the change if it takes the names away. An IPv6 address has a name
 * only if the user gave it one.
 */
export async function raiseReverseSerials(db: Database, rows: readonly AddressRow[], now: Date): Promise<void> {
  const named = rows.filter(({ type, rdns }) => type === "ipv4" || rdns !== null);
  const names = new Set(named.flatMap(({ reverse_zone }) => reverse_zone ?? []));
  // In one order, because two transactions that lock the same zones must not wait for each other.
  for (const name of [...names].sort()) await raise(db, name, now);
}

/**
 * Raises the serial of the zone of default names if one of the addresses is in it. Call it before
 * `raiseReverseSerials`: all addresses share its zone, so whoever has locked it finds the others free.
 */
export async function raiseDefaultSerial(
  db: Database,
  rows: readonly AddressRow[],
  { rdns_domain }: Pick<Catalog, "rdns_domain">,
  now: Date,
): Promise<void> {
  if (rows.some((row) => row.type === "ipv4" && row.public === 1)) await raise(db, defaultZone(rdns_domain), now);
}

async function raise(db: Database, name: string, now: Date): Promise<void> {
  await lockReverseZone(db, name);
  const serial = nextSerial(reverseSerial(await serialsOfReverseZones(db, name)), now);
  await updateRows(db, "reverse_zones", { name }, { serial });
}
