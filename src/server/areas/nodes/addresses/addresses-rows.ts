import { expressionBuilder, sql } from "kysely";
import { reverseZone } from "../../../../dns/name/reverse.ts";
import { type Attributes, boolean, number, textAttribute } from "../../../store/filter.ts";
import { type Rows, type Slice, slice } from "../../../store/page.ts";
import type { AddressRow, Database, Tables } from "../../../store/tables.ts";

/** Networks from which IPv4 addresses are given, as their usable addresses from `first` to `last`, by number. */
export interface Pool {
  /** In CIDR form. */
  readonly network: string;
  readonly first: number;
  readonly last: number;
  isUsable(address: number): boolean;
  write(address: number): string;
}

/** An address to give: its node, and what it is. */
export type AddressToGive = Pick<AddressRow, "node_id" | "region" | "type" | "public">;

/**
 * Gives a node the next address of a pool: one that no node ever had, and after the last of them the one that has
 * rested longest since before `rested`. Undefined if there is none.
 */
export async function allocateAddress(
  db: Database,
  pool: Pool,
  wanted: AddressToGive,
  rested: string,
): Promise<AddressRow | undefined> {
  const { network } = pool;
  const { next } = await db
    .insertInto("address_pools")
    .values({ network, next: pool.first })
    .onConflict((conflict) => conflict.column("network").doUpdateSet({ network })) // locks the row
    .returning("next")
    .executeTakeFirstOrThrow();
  for (let address = next; address <= pool.last; address++) {
    if (!pool.isUsable(address)) continue;
    const row = await insertAddressRow(db, { ...wanted, network, address: pool.write(address) });
    if (row === undefined) continue; // taken from a pool that overlaps this one
    await db
      .updateTable("address_pools")
      .set({ next: address + 1 })
      .where("network", "=", network)
      .execute();
    return row;
  }
  const oldest = await db
    .selectFrom("addresses")
    .select("id")
    .where("network", "=", network)
    .where("freed", "<=", rested)
    .orderBy("freed")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return undefined;
  return db
    .updateTable("addresses")
    .set({ ...wanted, rdns: null, freed: null })
    .where("id", "=", oldest.id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Adds an address that no node has or had; undefined if one has or had it. */
export function insertAddressRow(
  db: Database,
  row: AddressToGive & Pick<AddressRow, "address" | "network">,
): Promise<AddressRow | undefined> {
  return db
    .insertInto("addresses")
    .values({ ...row, reverse_zone: row.public === 1 ? reverseZone(row.address).slice(0, -1) : null })
    .onConflict((conflict) => conflict.column("address").doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Gives a node an address again that it alone can have. */
export function takeBackAddress(db: Database, address: string, wanted: AddressToGive): Promise<AddressRow> {
  return db
    .updateTable("addresses")
    .set({ ...wanted, rdns: null, freed: null })
    .where("address", "=", address)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** The addresses of each of these nodes: the public ones first, each kind in the order in which they came. */
export async function listAddressesByNode(db: Database, ids: readonly number[]): Promise<Map<number, AddressRow[]>> {
  const addresses = new Map<number, AddressRow[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return addresses;
  const rows = await db
    .selectFrom("addresses")
    .selectAll()
    .where("node_id", "in", ids)
    .orderBy("public", "desc")
    .orderBy("id")
    .execute();
  for (const row of rows) addresses.get(row.node_id ?? 0)?.push(row);
  return addresses;
}

/** The addresses that nodes have in a reverse zone. */
export function listAddressesOfReverseZone(db: Database, name: string): Promise<AddressRow[]> {
  return db
    .selectFrom("addresses")
    .selectAll()
    .where("reverse_zone", "=", name)
    .where("node_id", "is not", null)
    .orderBy("id")
    .execute();
}

/** The addresses of the account's nodes; with `grantee`, only of those on which this user has a grant. */
export function listAddressRows(
  db: Database,
  account_id: number,
  grantee: number | undefined,
  wanted: Slice & { readonly defaultZone: string },
): Promise<Rows<AddressRow>> {
  const nodesOfAccount = ({ selectFrom }: typeof eb) =>
    selectFrom("nodes").select("nodes.id").where("nodes.account_id", "=", account_id);
  const grantedNodes = ({ selectFrom }: typeof eb) =>
    selectFrom("grants")
      .select("grants.entity_id")
      .where("grants.user_id", "=", grantee ?? 0)
      .where("grants.entity_type", "=", "node");
  const all = db.selectFrom("addresses").where("addresses.node_id", "in", nodesOfAccount);
  const rows = grantee === undefined ? all : all.where("addresses.node_id", "in", grantedNodes);
  return slice(db, { rows, nanoseconds: grantee === undefined ? 500 : 1000 }, attributesIn(wanted.defaultZone), wanted);
}

/** Whether a node has this address. */
export async function isAddressGiven(db: Database, address: string): Promise<boolean> {
  const row = await db
    .selectFrom("addresses")
    .select("id")
    .where("address", "=", address)
    .where("node_id", "is not", null)
    .executeTakeFirst();
  return row !== undefined;
}

/** The public IPv4 addresses that nodes have. */
export function listGivenIpv4(db: Database): Promise<AddressRow[]> {
  return db
    .selectFrom("addresses")
    .selectAll()
    .where("type", "=", "ipv4")
    .where("public", "=", 1)
    .where("node_id", "is not", null)
    .orderBy("id")
    .execute();
}

/** The address of a node of this account. */
export function findAddressRow(db: Database, account_id: number, address: string): Promise<AddressRow | undefined> {
  return db
    .selectFrom("addresses")
    .innerJoin("nodes", "nodes.id", "addresses.node_id")
    .selectAll("addresses")
    .where("addresses.address", "=", address)
    .where("nodes.account_id", "=", account_id)
    .executeTakeFirst();
}

/** Names an address in reverse DNS; null for its default name. */
export function setAddressName(db: Database, id: number, rdns: string | null): Promise<AddressRow> {
  return db.updateTable("addresses").set({ rdns }).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

/** Takes addresses from their nodes; they rest from `freed` on. */
export async function freeAddressRows(db: Database, ids: readonly number[], freed: string): Promise<void> {
  if (ids.length > 0) await db.updateTable("addresses").set({ node_id: null, freed }).where("id", "in", ids).execute();
}

const eb = expressionBuilder<Tables, "addresses">();

const isPublic4 = sql`addresses.type = 'ipv4' and addresses.public = 1`;

/** The prefix length of an address: a /64, a /24, or a whole network of private addresses. */
const prefix = sql<number>`case when addresses.type = 'ipv6' then 64 when ${isPublic4} then 24
  else cast(ltrim(ltrim(addresses.network, '0123456789.'), '/') as integer) end`;

const masks = Array.from({ length: 33 }, (_, length) => {
  const octets = [8, 16, 24, 32].map((end) => 256 - 2 ** Math.min(8, Math.max(0, end - length)));
  return sql`when ${sql.lit(length)} then ${sql.lit(octets.join("."))}`;
});
const subnetMask = sql<string>`case when addresses.type = 'ipv6' then 'ffff:ffff:ffff:ffff::'
  else case ${prefix} ${sql.join(masks, sql` `)} end end`;

/** The attributes of addresses whose default names are in this zone; replies show the same (`addressReply`). */
function attributesIn(defaultZone: string): Attributes {
  return {
    address: textAttribute(eb.ref("addresses.address")),
    gateway: textAttribute(sql`case when addresses.type = 'ipv6' then 'fe80::1'
      when ${isPublic4} then rtrim(addresses.address, '0123456789') || '1' end`),
    node_id: number(eb.ref("addresses.node_id").$notNull()),
    prefix: number(prefix),
    public: boolean(eb.ref("addresses.public")),
    rdns: textAttribute(sql`case when addresses.public = 1 then coalesce(addresses.rdns,
      case when addresses.type = 'ipv4' then replace(addresses.address, '.', '-') || cast(${`.${defaultZone}`} as text) end) end`),
    region: textAttribute(eb.ref("addresses.region")),
    subnet_mask: textAttribute(subnetMask),
    type: textAttribute(eb.ref("addresses.type")),
  };
}
