import type { ApiErrorEntry } from "../../../contract/errors.ts";
import {
  type NewEntityTransfer,
  type TransferList,
  transferLists,
} from "../../../contract/resources/entity-transfer.ts";
import { readAccount } from "../../entities/account.ts";
import type { Context } from "../../entities/context.ts";
import { errorEntry, refuseIfAny } from "../../kit/api-error.ts";
import { listRows } from "../../store/rows.ts";
import type { Database } from "../../store/tables.ts";
import { listDomainRowsById } from "../domains/domains-rows.ts";

import { listEntitiesInTransfer, type NewTransferredEntity } from "./entity-transfers-rows.ts";
import { domainObstacles, nodeObstacles } from "./obstacles.ts";

/**
 * The entities of a new transfer, in the order of the request. Domains are locked before the account, as all requests
 * do.
 * @throws {Refusal} 400 unless each can be transferred now.
 */
export async function readEntities(
  db: Database,
  { entities }: NewEntityTransfer,
  context: Context,
): Promise<NewTransferredEntity[]> {
  const { accountId } = context.caller;
  const wanted = { nodes: entities.nodes ?? [], domains: entities.domains ?? [] };
  const domainRows = await listDomainRowsById(db, accountId, distinct(wanted.domains));
  await readAccount(db, context.caller);
  const nodeRows = await listRows(db, "nodes", { account_id: accountId, id: distinct(wanted.nodes) });

  const taken = new Set<string>();
  for (const type of ["node", "domain"] as const)
    for (const id of await listEntitiesInTransfer(db, type, (type === "node" ? nodeRows : domainRows).map(idOf)))
      taken.add(`${type} ${id}`);
  const names = new Map<string, string>();
  for (const { id, domain } of domainRows) names.set(`domain ${id}`, domain);
  for (const { id, label } of nodeRows) names.set(`node ${id}`, label);
  const obstacles = {
    domain: await domainObstacles(db, domainRows, wanted.domains),
    node: await nodeObstacles(db, nodeRows),
  };

  const errors = unsupportedErrors(entities);
  const found = transferLists.flatMap((list) =>
    wanted[list].map((entity_id, index) => {
      const entity_type = types[list];
      const field = `entities.${list}[${index}]`;
      const label = names.get(`${entity_type} ${entity_id}`);
      const obstacle =
        (label === undefined ? `${field} is not valid` : undefined) ??
        (wanted[list].indexOf(entity_id) === index ? undefined : `The request names "${label}" twice.`) ??
        (taken.has(`${entity_type} ${entity_id}`) ? `"${label}" is part of another transfer.` : undefined) ??
        obstacles[entity_type].get(entity_id);
      if (obstacle !== undefined) errors.push(errorEntry(field, obstacle));
      return { entity_type, entity_id, label: label ?? "" };
    }),
  );
  if (errors.length === 0 && found.length === 0) errors.push(errorEntry("entities", "Must have at least one id"));
  refuseIfAny(errors);
  return found;
}

const types = { nodes: "node", domains: "domain" } as const satisfies Record<TransferList, string>;

function unsupportedErrors(entities: object): ApiErrorEntry[] {
  return Object.keys(entities)
    .filter((key) => !Object.hasOwn(types, key))
    .map((key) => errorEntry(`entities.${key}`, `entities.${key} is not supported`));
}

function distinct(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}

function idOf({ id }: { readonly id: number }): number {
  return id;
}
