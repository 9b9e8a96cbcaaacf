import type { Address } from "../../../../contract/resources/address.ts";
import { readAddress6 } from "../../../../dns/name/address.ts";
import type { Catalog } from "../../../catalog/schema.ts";
import { badRequest } from "../../../kit/api-error.ts";
import { exactTimestamp } from "../../../kit/timestamp.ts";
import type { AddressRow, Database, NodeRow } from "../../../store/tables.ts";
import { defaultName } from "../../domains/address-zones.ts";
import * as addresses from "./addresses-rows.ts";
import { raiseDefaultSerial, raiseReverseSerials } from "./reverse-zones.ts";

type Pools = Catalog["regions"][number]["pools"];

/** The moment of a change of addresses, and the domain of their default names. */
interface ChangeOfAddresses {
  readonly now: Date;
  readonly catalog: Pick<Catalog, "rdns_domain">;
}

/** Time for which an address rests after its last node, in milliseconds: 7 days (decisions/nodes#reverse-dns). */
const rest = 7 * 24 * 60 * 60 * 1000;

/**
 * Gives a node an IPv4 address of its region.
 * @throws {ApiError} 400 if none is left.
 */
export async function giveAddress(
  db: Database,
  node: Pick<NodeRow, "id" | "region">,
  kind: "public" | "private",
  { pools, now, catalog }: ChangeOfAddresses & { readonly pools: Pools },
): Promise<AddressRow> {
  const wanted = { node_id: node.id, region: node.region, type: "ipv4", public: Number(kind === "public") } as const;
  const rested = exactTimestamp(new Date(now.getTime() - rest));
  const row = await addresses.allocateAddress(db, poolOf(pools[kind]), wanted, rested);
  if (row === undefined) throw badRequest(`The region has no ${kind} IPv4 address left.`);
  await raiseDefaultSerial(db, [row], catalog, now);
  await raiseReverseSerials(db, [row], now);
  return row;
}

/** Takes addresses from their nodes; they rest from now on. */
export async function freeAddresses(
  db: Database,
  rows: readonly AddressRow[],
  { now, catalog }: ChangeOfAddresses,
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  await addresses.freeAddressRows(db, ids, exactTimestamp(now));
  await raiseDefaultSerial(db, rows, catalog, now);
  await raiseReverseSerials(db, rows, now);
}

/** Gives an address another name in reverse DNS; null for its default name. */
export async function nameAddress(db: Database, row: AddressRow, rdns: string | null, now: Date): Promise<AddressRow> {
  if (row.rdns === rdns) return row;
  const named = await addresses.setAddressName(db, row.id, rdns);
  await raiseReverseSerials(db, [row, named], now);
  return named;
}

/** Gives a node the IPv6 address that follows from its id; in a region with the same network it is the same. */
export async function giveSlaac(db: Database, { id, region }: NodeRow, pools: Pools): Promise<void> {
  const network = pools.slaac;
  const address = slaacAddress(network, id);
  const wanted = { node_id: id, region, type: "ipv6", public: 1, network } as const;
  if ((await addresses.insertAddressRow(db, { ...wanted, address })) === undefined)
    await addresses.takeBackAddress(db, address, wanted);
}

/** A network of IPv4 addresses in subnets of 256, whose first two and last addresses no node gets. */
function poolOf(network: string): addresses.Pool {
  const [address = "", prefix = ""] = network.split("/");
  const first = address.split(".").reduce((number, octet) => number * 256 + Number(octet), 0);
  const last = first + 2 ** (32 - Number(prefix)) - 1;
  const isUsable = (number: number) => number % 256 > 1 && number % 256 < 255;
  return { network, first, last, isUsable, write: writeAddress4 };
}

function writeAddress4(number: number): string {
  return [24, 16, 8, 0].map((bits) => Math.floor(number / 2 ** bits) % 256).join(".");
}

/** Ids of nodes in a subnet of IPv6 addresses. */
const nodesOfSubnet = 2 ** 24;

/** Number of interface identifiers, as modified EUI-64 with the nodes' vendor id f2:3c:91 (RFC 4291, appendix A). */
function interfaceId(node: number): string {
  const low = node % nodesOfSubnet;
  const hexadecimal = (number: number) => number.toString(16);
  return `f03c:91ff:fe${hexadecimal(Math.floor(low / 2 ** 16)).padStart(2, "0")}:${hexadecimal(low % 2 ** 16)}`;
}

function slaacAddress(network: string, node: number): string {
  const [prefix = ""] = network.split("/");
  const [left = "", right = ""] = prefix.split("::");
  const words = (text: string) => (text === "" ? [] : text.split(":"));
  const missing = 8 - words(left).length - words(right).length;
  const all = prefix.includes("::") ? [...words(left), ...Array(missing).fill("0"), ...words(right)] : words(prefix);
  const [third = "0", fourth = "0"] = all.slice(2, 4);
  const subnet = Number.parseInt(third, 16) * 2 ** 16 + Number.parseInt(fourth, 16) + Math.floor(node / nodesOfSubnet);
  const place = [subnet / 2 ** 16, subnet].map((number) => (Math.floor(number) % 2 ** 16).toString(16));
  return readAddress6([...all.slice(0, 2), ...place, interfaceId(node)].join(":"));
}

/** The router of every IPv6 address of a node. */
const router = "fe80::1";

/** An address of a node as a reply shows it. */
export function addressReply(row: AddressRow, node: Pick<NodeRow, "id">, rdnsDomain: string): Address {
  const isPublic = row.public === 1;
  const common = { type: row.type, public: isPublic };
  const end = { node_id: node.id, region: row.region };
  const rdns = isPublic ? reverseNameOf(row, rdnsDomain) : null;
  if (row.type === "ipv6") return { address: row.address, ...ofSubnet6, ...common, rdns, ...end };
  const prefix = isPublic ? 24 : Number(row.network.split("/")[1]);
  return {
    address: row.address,
    gateway: isPublic ? row.address.replace(/\d+$/, "1") : null,
    subnet_mask: writeAddress4(2 ** 32 - 2 ** (32 - prefix)),
    prefix,
    ...common,
    rdns,
    ...end,
  };
}

const ofSubnet6 = { gateway: router, subnet_mask: "ffff:ffff:ffff:ffff::", prefix: 64 };

/** The name of a public address in reverse DNS; an IPv6 address has none unless the user gave it one. */
export function reverseNameOf({ type, address, rdns }: AddressRow, rdnsDomain: string): string | null {
  return rdns ?? (type === "ipv4" ? defaultName(address, rdnsDomain) : null);
}

/** The address of a node on its link, as a reply shows it. */
export function linkLocalReply({ id, region }: Pick<NodeRow, "id" | "region">): Address {
  const address = readAddress6(`fe80::${interfaceId(id)}`);
  return { address, ...ofSubnet6, type: "ipv6", public: false, rdns: null, node_id: id, region };
}
