import * as domains from "../store/domains.ts";
import * as jobs from "../store/jobs.ts";
import type { Database, DomainRow, NodeRow } from "../store/tables.ts";
import * as volumes from "../store/volumes.ts";

/** A reason for which an entity cannot be transferred now, for people; undefined if it can be. */
export type Obstacle = string | undefined;

/** The obstacle of a domain: one above or below it is not among those that are transferred with it. */
export async function domainObstacle(
  db: Database,
  { domain }: DomainRow,
  transferred: ReadonlySet<number>,
): Promise<Obstacle> {
  const stays = ({ id }: domains.PlacedDomain) => !transferred.has(id);
  if ((await domains.findAbove(db, domain)).some(stays))
    return `A domain above "${domain}" is not part of the transfer.`;
  if ((await domains.findBelow(db, domain)).some(stays))
    return `A domain below "${domain}" is not part of the transfer.`;
  return undefined;
}

/** The obstacle of a node: its unfinished job, or its volumes. */
export async function nodeObstacle(db: Database, { id, label }: NodeRow): Promise<Obstacle> {
  if (await jobs.findOf(db, "node", id)) return `A job of "${label}" is unfinished.`;
  if ((await volumes.listOfNode(db, id)).length > 0) return `A volume is attached to "${label}".`;
  return undefined;
}
