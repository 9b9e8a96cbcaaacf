import { plainAddress } from "../../dns/address.ts";
import type { EventDetails } from "../kit/events.ts";
import { isAddress } from "../rules/target.ts";
import * as records from "../store/records.ts";
import type { AddressRow, Database } from "../store/tables.ts";

/** Records that a message names; it counts the others. */
const mostNamed = 3;

/**
 * The message about addresses that a node lost: the addresses, and the account's records that still have one of them.
 * The records are for unrestricted users only, because others may not know of the domains. Each address is a word of
 * its own, which clients look for.
 */
export async function describeFreed(
  db: Database,
  account_id: number,
  freed: readonly AddressRow[],
): Promise<Pick<EventDetails, "message" | "remark">> {
  const addresses = freed.map(({ address }) => address);
  const holders = await findHolders(db, account_id, addresses);
  const names = holders.map(({ name, domain, type }) => `${name === "" ? domain : `${name}.${domain}`} ${type}`);
  return { message: addresses.join(", "), remark: names.length === 0 ? null : `; still in use by ${listOf(names)}` };
}

async function findHolders(
  db: Database,
  account_id: number,
  addresses: readonly string[],
): Promise<readonly records.AddressRecord[]> {
  const ipv4 = addresses.filter((address) => !address.includes(":"));
  const found = ipv4.length === 0 ? [] : await records.listOfIpv4(db, account_id, ipv4);
  for (const address of addresses.filter((address) => address.includes(":")))
    for (const record of await records.listLikeIpv6(db, account_id, address))
      if (isAddress(record.target) && plainAddress(record.target) === address) found.push(record);
  return found;
}

function listOf(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const named = distinct.slice(0, mostNamed);
  const others = distinct.length - named.length;
  const last = others === 0 ? named.pop() : `${others} more`;
  return named.length === 0 ? `${last}` : `${named.join(", ")} and ${last}`;
}
