import * as z from "zod";
import { moment, openEnum, sent } from "../meta.ts";

/** The states of a transfer (decisions/documents#entity-transfers). */
const statuses = ["accepted", "cancelled", "completed", "failed", "pending", "stale"] as const;
export type TransferStatus = (typeof statuses)[number];

const lists = { nodes: "compute nodes", domains: "domains" };

/** The lists of a transfer's entities, in the order of replies. */
export const transferLists = ["nodes", "domains"] as const satisfies (keyof typeof lists)[];
export type TransferList = (typeof transferLists)[number];

const idsOf = (list: TransferList) => z.array(z.int()).describe(`Ids of ${lists[list]}`);

/** A transfer of entities to another account, in replies of the API (decisions/documents#entity-transfers). */
export const entityTransfer = z.object({
  entities: z
    .object({ nodes: sent(idsOf("nodes")), domains: sent(idsOf("domains")) })
    .describe("Transferred nodes and domains"),
  token: z.string().describe("Identifies the transfer; whoever has it can accept the transfer while it is pending"),
  status: openEnum(statuses),
  created: moment("When it was created"),
  updated: moment("When its status last changed"),
  expiry: moment("When it becomes stale unless it is accepted: 24 hours after its creation"),
  is_sender: z.boolean().describe("Whether the account of the caller created the transfer"),
});

/** Limit on the ids in each list of a new transfer. */
const mostTransferred = 1000;

const newIds = (list: TransferList) =>
  idsOf(list).max(mostTransferred, `Must have at most ${mostTransferred} entries`).nullish();

/** `POST /account/entity-transfers`. */
export const newEntityTransfer = z.object({
  entities: z
    .looseObject({ nodes: newIds("nodes"), domains: newIds("domains") })
    .describe("Nodes and domains to transfer, at least one; a domain together with those above and below it"),
});

export type EntityTransfer = z.output<typeof entityTransfer>;
export type NewEntityTransfer = z.output<typeof newEntityTransfer>;

/** Attributes of a transfer that `X-Filter` supports. */
export const entityTransferFilterable = ["status", "is_sender"] as const;

/** The columns that a table of transfers begins with. */
export const entityTransferColumns = ["token", "status", "is_sender", "created", "expiry"] as const;
