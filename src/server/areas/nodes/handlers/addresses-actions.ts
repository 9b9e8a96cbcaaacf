import { reasons } from "../../../../contract/errors.ts";
import type { Address } from "../../../../contract/resources/address.ts";
import { plainAddress } from "../../../../dns/name/address.ts";
import type { Context, Handler } from "../../../entities/context.ts";
import { nodeEntity } from "../../../entities/entities.ts";
import { addEvent } from "../../../entities/events.ts";
import { badRequest, errorEntry, notFound, refuseIfAny } from "../../../kit/api-error.ts";
import { envelope } from "../../../kit/envelope.ts";
import { isIpAddress } from "../../../kit/name.ts";
import type { AddressRow, Database, NodeRow, Permissions } from "../../../store/tables.ts";
import { chargeNode } from "../../billing/charges.ts";
import { defaultZone } from "../../domains/address-zones.ts";
import { addressReply, freeAddresses, giveAddress, linkLocalReply, nameAddress } from "../addresses/addresses.ts";
import { findAddressRow, listAddressesByNode, listAddressRows } from "../addresses/addresses-rows.ts";
import { lookupErrors, toStoredReverseName } from "../addresses/reverse-name.ts";
import { findRegion } from "../jobs/create.ts";
import { findCallersNode, findKeptNode } from "../jobs/find.ts";
import { describeFreed } from "../jobs/freed.ts";

export const getNodeAddresses: Handler<"getNodeAddresses"> = ({ nodeId }, context) =>
  context.store.read(async (db) => {
    const node = await findCallersNode(db, nodeId, context);
    const own = await addressesOf(db, node);
    const replies = own.map((row) => addressReply(row, node, context.catalog.rdns_domain));
    const ofIpv4 = (isPublic: boolean) => replies.filter((one) => one.type === "ipv4" && one.public === isPublic);
    // Clients of the live service read the lists of VPCs unasked.
    const inVpc = context.profile === "live" && { vpc: [] };
    return {
      ipv4: { public: ofIpv4(true), private: ofIpv4(false), shared: [], reserved: [], ...inVpc },
      ipv6: {
        slaac: replies.find(({ type }) => type === "ipv6") ?? null,
        link_local: linkLocalReply(node),
        global: context.profile === "live" ? [] : null,
        ...inVpc,
      },
    };
  });

export const createNodeAddress: Handler<"createNodeAddress"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const { catalog, now } = context;
    const node = await findKeptNode(db, { nodeId }, context, "read_write");
    if (body.type !== "ipv4") throw badRequest("Only addresses of type ipv4 are currently supported.");
    const own = (await addressesOf(db, node)).filter(({ type }) => type === "ipv4");
    const count = own.filter((row) => row.public === Number(body.public)).length;
    if (!body.public && count > 0) refuseIfAny([errorEntry("public", "The node has a private address already")]);
    if (body.public && count > catalog.extra_public_ipv4) throw badRequest(reasons.addressesLimited);
    const pools = findRegion(catalog, node.region)?.pools;
    if (pools === undefined) throw badRequest("The catalogue no longer has the node's region.");
    const row = await giveAddress(db, node, body.public ? "public" : "private", { pools, now, catalog });
    await chargeNode(db, node, context);
    await addEvent(db, context, "node_addip", { entity: nodeEntity(node), message: row.address });
    return addressReply(row, node, catalog.rdns_domain);
  });

export const getNodeAddress: Handler<"getNodeAddress"> = ({ nodeId, address }, context) =>
  context.store.read(async (db) => {
    const node = await findCallersNode(db, nodeId, context);
    return addressReply(await findAddress(db, node, address), node, context.catalog.rdns_domain);
  });

export const updateNodeAddress: Handler<"updateNodeAddress"> = ({ nodeId, address, body }, context) =>
  context.store.write(async (db) => {
    const node = await findKeptNode(db, { nodeId }, context, "read_write");
    return rename(db, node, await findAddress(db, node, address), body, context);
  });

export const deleteNodeAddress: Handler<"deleteNodeAddress"> = ({ nodeId, address }, context) =>
  context.store.write(async (db) => {
    const node = await findKeptNode(db, { nodeId }, context, "read_write");
    const row = await findAddress(db, node, address);
    if (row.type !== "ipv4" || row.public === 0) throw badRequest("Only public IPv4 addresses can be deleted.");
    const others = (await addressesOf(db, node)).filter((one) => one.type === "ipv4" && one.public === 1);
    if (others.length === 1) throw badRequest("A node must have at least one public IPv4 address.");
    await freeAddresses(db, [row], context);
    await chargeNode(db, node, context);
    const told = await describeFreed(db, node.account_id, [row]);
    await addEvent(db, context, "node_deleteip", { entity: nodeEntity(node), ...told });
    return {};
  });

export const listAddresses: Handler<"listAddresses"> = ({ query, filter }, { store, caller, catalog }) =>
  store.read(async (db) => {
    const grantee = caller.isRestricted ? caller.userId : undefined;
    const wanted = { filter, ...query, defaultZone: defaultZone(catalog.rdns_domain) };
    const { rows, results } = await listAddressRows(db, caller.accountId, grantee, wanted);
    const replies = rows.map((row) => addressReply(row, { id: row.node_id ?? 0 }, catalog.rdns_domain));
    return envelope(replies, results, query);
  });

export const getAddress: Handler<"getAddress"> = ({ address }, context) =>
  context.store.read(async (db) => {
    const { node, row } = await findOwner(db, address, context, "read_only");
    return addressReply(row, node, context.catalog.rdns_domain);
  });

export const updateAddress: Handler<"updateAddress"> = ({ address, body }, context) =>
  context.store.write(async (db) => {
    const { node, row } = await findOwner(db, address, context, "read_write");
    return rename(db, node, row, body, context);
  });

async function addressesOf(db: Database, { id }: NodeRow): Promise<readonly AddressRow[]> {
  return (await listAddressesByNode(db, [id])).get(id) ?? [];
}

/** @throws {ApiError} 404 unless the node has this address, in any spelling */
async function findAddress(db: Database, node: NodeRow, address: string): Promise<AddressRow> {
  const wanted = isIpAddress(address) ? plainAddress(address) : address;
  const row = (await addressesOf(db, node)).find((one) => one.address === wanted);
  if (row === undefined) throw notFound();
  return row;
}

/** @throws {ApiError} 404 for an address that no node of the account has, 403 without the needed grant on its node */
async function findOwner(db: Database, address: string, context: Context, needed: Permissions) {
  const wanted = isIpAddress(address) ? plainAddress(address) : address;
  const row = await findAddressRow(db, context.caller.accountId, wanted);
  if (row === undefined || row.node_id === null) throw notFound();
  return { row, node: await findCallersNode(db, row.node_id, context, needed) };
}

/** Gives an address another name in reverse DNS, if it is asked to. */
async function rename(
  db: Database,
  node: NodeRow,
  row: AddressRow,
  { rdns }: { readonly rdns?: string | null | undefined },
  context: Context,
): Promise<Address> {
  const { rdns_domain } = context.catalog;
  if (rdns === undefined) return addressReply(row, node, rdns_domain);
  if (row.public === 0) throw badRequest("A private address has no name in reverse DNS.");
  if (rdns !== null) refuseIfAny(await lookupErrors(db, rdns, row.address, context));
  const named = await nameAddress(db, row, rdns === null ? null : toStoredReverseName(rdns), context.now);
  await addEvent(db, context, "ipaddress_update", { entity: nodeEntity(node), message: row.address });
  return addressReply(named, node, rdns_domain);
}
