import { nextSerial, reverseSerial } from "../kit/serial.ts";
import * as reverseZones from "../store/reverse-zones.ts";
import type { AddressRow, Database } from "../store/tables.ts";

/**
 * Raises the serials of the reverse zones of these addresses. Call it in the transaction that changes them, with the
 * rows that have the names, which are those before the change if it takes the names away. An IPv6 address has a name
 * only if the user gave it one.
 */
export async function raiseReverseSerials(db: Database, rows: readonly AddressRow[], now: Date): Promise<void> {
  const named = rows.filter(({ type, rdns }) => type === "ipv4" || rdns !== null);
  const names = new Set(named.flatMap(({ reverse_zone }) => reverse_zone ?? []));
  // In one order, because two transactions that lock the same zones must not wait for each other.
  for (const name of [...names].sort()) {
    await reverseZones.lock(db, name);
    const serial = nextSerial(reverseSerial(await reverseZones.serialsOf(db, name)), now);
    await reverseZones.update(db, name, { serial });
  }
}
