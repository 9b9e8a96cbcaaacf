import { jobKindsOf } from "../../entities/jobs-rows.ts";
import type { Database, DomainRow, NodeRow } from "../../store/tables.ts";
import { listDomainsWithOthersAbove, listDomainsWithOthersBelow } from "../domains/domains-rows.ts";
import { needsVlans } from "../nodes/jobs/contents.ts";
import { listNodeConfigsOf } from "../nodes/rows/node-configs.ts";
import { listVolumeHosts } from "../nodes/rows/volumes.ts";

/** Why entities cannot be transferred now, for people, by the ids of those that cannot. */
export type Obstacles = ReadonlyMap<number, string>;

/** The obstacles of domains: one above or below each is not among those that are transferred with it. */
export async function domainObstacles(
  db: Database,
  rows: readonly DomainRow[],
  transferred: readonly number[],
): Promise<Obstacles> {
  const above = await listDomainsWithOthersAbove(db, rows, transferred);
  const below = await listDomainsWithOthersBelow(db, rows, transferred);
  const obstacleOf = ({ id, domain }: DomainRow) => {
    if (above.has(id)) return `A domain above "${domain}" is not part of the transfer.`;
    return below.has(id) ? `A domain below "${domain}" is not part of the transfer.` : undefined;
  };
  return obstaclesOf(rows, obstacleOf);
}

/** The obstacles of nodes: unfinished jobs, volumes, and VLANs, which belong to the account that sends them. */
export async function nodeObstacles(db: Database, rows: readonly NodeRow[]): Promise<Obstacles> {
  const ids = rows.map(({ id }) => id);
  const busy = await jobKindsOf(db, "node", ids);
  const hosts = new Set(await listVolumeHosts(db, ids));
  const configs = await listNodeConfigsOf(db, ids);
  const needing = new Set(configs.filter((config) => needsVlans([config])).map(({ node_id }) => node_id));
  const obstacleOf = ({ id, label, vlans }: NodeRow) => {
    if (busy.has(id)) return `A job of "${label}" is unfinished.`;
    if (hosts.has(id)) return `A volume is attached to "${label}".`;
    if (vlans !== "[]") return `"${label}" is attached to a VLAN until it boots without one.`;
    return needing.has(id) ? `A configuration profile of "${label}" has a VLAN.` : undefined;
  };
  return obstaclesOf(rows, obstacleOf);
}

function obstaclesOf<Row extends { readonly id: number }>(
  rows: readonly Row[],
  obstacleOf: (row: Row) => string | undefined,
): Obstacles {
  return new Map(
    rows.flatMap((row) => {
      const obstacle = obstacleOf(row);
      return obstacle === undefined ? [] : [[row.id, obstacle]];
    }),
  );
}
