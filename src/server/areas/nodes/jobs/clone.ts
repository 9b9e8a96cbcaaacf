import type { ApiErrorEntry } from "../../../../contract/errors.ts";
import type { CloneRequest } from "../../../../contract/resources/node.ts";
import type { Profile } from "../../../entities/context.ts";
import { listJobsOfKind } from "../../../entities/jobs-rows.ts";
import { badRequest, errorEntry } from "../../../kit/api-error.ts";
import { exactTimestamp } from "../../../kit/timestamp.ts";
import { listRows } from "../../../store/rows.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";

import { updateNodeRow } from "../rows/nodes.ts";
import { type Contents, copyContents, disksOf, placeContents } from "./contents.ts";
import { factOf, type NodeEnd, restoreStatus, setStatus } from "./ending.ts";
import type { NodeJobData } from "./jobs.ts";

/** Limit on the unfinished clones of a node (decisions/documents#nodes). */
const mostClones = 5;

/** @throws {Refusal} 400 for a node of which as many clones are being made as may be. */
export async function requireFewClones(db: Database, source: NodeRow, now: Date): Promise<void> {
  const clones = (await listJobsOfKind(db, source.account_id, "clone", exactTimestamp(now))).map(
    ({ data }): NodeJobData => JSON.parse(data),
  );
  if (clones.filter(({ source: id }) => id === source.id).length >= mostClones)
    throw badRequest("Too many concurrent clones");
}

/** The contents of a clone: the wanted configuration profiles, or all, with their disks, and the extra disks. */
export async function chooseContents(
  db: Database,
  source: NodeRow,
  wanted: Pick<CloneRequest, "configs" | "disks">,
): Promise<{ contents: Contents; errors: ApiErrorEntry[] }> {
  const ownConfigs = await listRows(db, "node_configs", { node_id: source.id });
  const ownDisks = await listRows(db, "disks", { node_id: source.id });
  const configs = ownConfigs.filter(({ id }) => wanted.configs == null || wanted.configs.includes(id));
  const diskIds = new Set([...configs.flatMap(disksOf), ...(wanted.disks ?? [])]);
  const contents = copyContents(
    source,
    ownDisks.filter(({ id }) => diskIds.has(id)),
    configs,
  );
  return {
    contents,
    errors: [
      ...strangers("configs", wanted.configs ?? [], ownConfigs),
      ...strangers("disks", wanted.disks ?? [], ownDisks),
    ],
  };
}

function strangers(field: string, ids: readonly number[], own: readonly { readonly id: number }[]): ApiErrorEntry[] {
  return ids.flatMap((id, index) =>
    own.some((row) => row.id === id) ? [] : [errorEntry(`${field}[${index}]`, `${field}[${index}] is not valid`)],
  );
}

/** Errors of fields that only a new node takes, in a request to clone to an existing one. */
export function existingErrors(body: CloneRequest): ApiErrorEntry[] {
  const sent = {
    region: body.region != null,
    type: body.type != null,
    label: body.label != null,
    group: body.group != null,
    backups_enabled: body.backups_enabled === true,
    private_ip: body.private_ip === true,
  };
  return Object.entries(sent).flatMap(([field, isSent]) =>
    isSent ? [errorEntry(field, `${field} and node_id exclude each other`)] : [],
  );
}

/** Errors of fields that the hosted service requires for a new node. */
export function newErrors(body: CloneRequest, profile: Profile): ApiErrorEntry[] {
  if (profile === "documented") return [];
  return (["region", "type"] as const).flatMap((field) =>
    body[field] == null ? [errorEntry(field, `${field} is required`)] : [],
  );
}

/** The end of the job that fills a clone. */
export const cloneEnds = {
  clone: {
    async end(ending) {
      const { db, node, data, now } = ending;
      const contents = factOf(data.contents);
      await placeContents(db, node, contents, { status: "ready", now });
      await updateNodeRow(db, node.id, { image: contents.image });
      // Profile live does not show the clone in the status, and so the target may have crashed meanwhile.
      await setStatus(ending, node.status === "cloning" ? data.before : node.status);
      return undefined;
    },
    async fail(ending) {
      if (ending.node.status === "cloning") await restoreStatus(ending);
    },
  },
} satisfies Record<string, NodeEnd>;
