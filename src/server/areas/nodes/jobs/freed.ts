import { plainAddress } from "../../../../dns/name/address.ts";
import type { EventDetails } from "../../../entities/events.ts";
import { isIpAddress } from "../../../kit/name.ts";
import { listRows } from "../../../store/rows.ts";
import type { AddressRow, Database, NodeRow } from "../../../store/tables.ts";
import { type AddressRecord, listRecordsLikeIpv6, listRecordsOfIpv4 } from "../../zones/records-rows.ts";
import { listAddressesByNode } from "../addresses/addresses-rows.ts";

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
  const list = freed.map(({ address }) => address);
  return { message: list.join(", "), remark: remarkOn(await findHolders(db, account_id, list)) };
}

/** Nodes and domains that leave an account together. */
interface GivenAway {
  readonly account_id: number;
  readonly nodes: readonly number[];
  /** The names of the domains that go along: their records keep the addresses rightly. */
  readonly domains: ReadonlySet<string>;
}

/** The same about the addresses that leave an account with nodes: `web-1: 198.18.0.2; db-1: 198.18.0.3`. */
export async function describeGivenAway(
  db: Database,
  { account_id, nodes: ids, domains }: GivenAway,
): Promise<Pick<EventDetails, "message" | "remark">> {
  const rows = await listRows(db, "nodes", { account_id, id: ids });
  if (rows.length === 0) return {};
  const given = await listAddressesByNode(db, ids);
  const addressesOf = ({ id }: NodeRow) => (given.get(id) ?? []).map(({ address }) => address);
  const holders = await findHolders(db, account_id, rows.flatMap(addressesOf));
  return {
    message: rows.map((row) => `${row.label}: ${addressesOf(row).join(", ")}`).join("; "),
    remark: remarkOn(holders.filter(({ domain }) => !domains.has(domain))),
  };
}

function remarkOn(holders: readonly AddressRecord[]): string | null {
  const names = holders.map(({ name, domain, type }) => `${name === "" ? domain : `${name}.${domain}`} ${type}`);
  return names.length === 0 ? null : `; still in use by ${listOf(names)}`;
}

async function findHolders(
  db: Database,
  account_id: number,
  wanted: readonly string[],
): Promise<readonly AddressRecord[]> {
  const ipv4 = wanted.filter((address) => !address.includes(":"));
  const ipv6 = new Set(wanted.filter((address) => address.includes(":")));
  const found = ipv4.length === 0 ? [] : await listRecordsOfIpv4(db, account_id, ipv4);
  const alike = ipv6.size === 0 ? [] : await listRecordsLikeIpv6(db, account_id, [...ipv6]);
  return [...found, ...alike.filter(({ target }) => isIpAddress(target) && ipv6.has(plainAddress(target)))];
}

function listOf(names: readonly string[]): string {
  const distinct = [...new Set(names)];
  const named = distinct.slice(0, mostNamed);
  const others = distinct.length - named.length;
  const last = others === 0 ? named.pop() : `${others} more`;
  return named.length === 0 ? `${last}` : `${named.join(", ")} and ${last}`;
}
