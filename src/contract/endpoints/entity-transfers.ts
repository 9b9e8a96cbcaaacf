import * as z from "zod";
import type { Endpoints } from "../endpoint.ts";
import { pageOf, pageQuery } from "../page.ts";
import {
  entityTransfer,
  entityTransferColumns,
  entityTransferFilterable,
  newEntityTransfer,
} from "../resources/entity-transfer.ts";
import { nothing } from "../resources/nothing.ts";

const token = z
  .string()
  .regex(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i)
  .describe("Token of the transfer, in any letter case");
const ofTransfer = z.object({ token });

const read = { method: "GET", scope: "account:read_only", who: "unrestricted", tag: "Transfers" } as const;
const write = { method: "POST", scope: "account:read_write", who: "unrestricted", tag: "Transfers" } as const;

const list = {
  ...read,
  summary: "List the transfers that the account sent or accepted",
  query: pageQuery,
  filterable: entityTransferFilterable,
  columns: entityTransferColumns,
  reply: pageOf(entityTransfer),
} as const;

const create = {
  ...write,
  summary: "Offer nodes and domains to another account, which accepts the transfer by its token",
  body: newEntityTransfer,
  reply: entityTransfer,
  done: "next: the other account accepts it with {call acceptServiceTransfer TOKEN}; whoever has the token can",
} as const;

const get = { ...read, summary: "View a transfer", params: ofTransfer, reply: entityTransfer } as const;

const cancel = {
  ...write,
  method: "DELETE",
  summary: "Cancel a pending transfer that the account sent",
  params: ofTransfer,
  reply: nothing,
  done: "transfer {token} cancelled: its nodes and domains stay in the account",
} as const;

const accept = {
  ...write,
  summary: "Accept a pending transfer of another account",
  params: ofTransfer,
  limit: "transfers",
  reply: nothing,
  done: "transfer {token} accepted: its nodes and domains arrive within seconds, all or none",
} as const;

const deprecated = true;
const beyond = true;

/** Entity transfers (decisions/documents#entity-transfers), and the same five at the path that replaces them. */
export const entityTransferEndpoints = {
  listEntityTransfers: { ...list, path: "/account/entity-transfers", deprecated },
  createEntityTransfer: { ...create, path: "/account/entity-transfers", deprecated },
  getEntityTransfer: { ...get, path: "/account/entity-transfers/{token}", deprecated },
  cancelEntityTransfer: { ...cancel, path: "/account/entity-transfers/{token}", deprecated },
  acceptEntityTransfer: { ...accept, path: "/account/entity-transfers/{token}/accept", deprecated },
  listServiceTransfers: { ...list, path: "/account/service-transfers", beyond },
  createServiceTransfer: { ...create, path: "/account/service-transfers", beyond },
  getServiceTransfer: { ...get, path: "/account/service-transfers/{token}", beyond },
  cancelServiceTransfer: { ...cancel, path: "/account/service-transfers/{token}", beyond },
  acceptServiceTransfer: { ...accept, path: "/account/service-transfers/{token}/accept", beyond },
} as const satisfies Endpoints;
