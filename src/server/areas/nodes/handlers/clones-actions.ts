import type { CloneRequest } from "../../../../contract/resources/node.ts";
import type { Context, Handler } from "../../../entities/context.ts";
import { copyTags, nodeEntity } from "../../../entities/entities.ts";
import { errorEntry, refuseIfAny } from "../../../kit/api-error.ts";
import { listRows } from "../../../store/rows.ts";
import type { Database, NodeRow } from "../../../store/tables.ts";
import { chooseContents, existingErrors, newErrors, requireFewClones } from "../jobs/clone.ts";
import { type Contents, sizeOf } from "../jobs/contents.ts";
import { findCatalogType, findRegion, insertNode, labelErrors, typeErrors, vlanErrors } from "../jobs/create.ts";
import { findCallersNode, findTarget, requireAddNodes } from "../jobs/find.ts";
import { requireIdle, startNodeJob } from "../jobs/jobs.ts";
import { readNodeReply } from "../jobs/replies.ts";

export const cloneNode: Handler<"cloneNode"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const { profile } = context;
    const source = await findCallersNode(db, nodeId, context, "read_write");
    if (body.node_id == null) requireAddNodes(context);
    const existing = body.node_id == null ? undefined : await findTarget(db, body.node_id, context);
    for (const node of [source, ...(existing ? [existing] : [])]) await requireIdle(db, node, profile);
    await requireFewClones(db, source, context.now);
    const { contents, errors } = await chooseContents(db, source, body);
    refuseIfAny(errors);
    const target = existing
      ? await enterExisting(db, { source, existing, body, contents }, context)
      : await createTarget(db, { source, body, contents }, context);
    await copyTags(db, "node", { from: source.id, to: target.id }, context);
    await startNodeJob(db, context, target, "clone", {
      entity: nodeEntity(source),
      secondary: nodeEntity(target),
      data: { contents, source: source.id },
      ...(profile === "live" && { status: target.status }),
    });
    return readNodeReply(db, target.id, context);
  });

interface Cloning {
  readonly source: NodeRow;
  readonly body: CloneRequest;
  readonly contents: Contents;
}

/** Checks that a node has room for the clone beside its own disks. */
async function enterExisting(
  db: Database,
  { source, existing, body, contents }: Cloning & { readonly existing: NodeRow },
  context: Context,
): Promise<NodeRow> {
  const room = existing.disk - sizeOf(await listRows(db, "disks", { node_id: existing.id }));
  const needed = sizeOf(contents.disks);
  refuseIfAny([
    ...existingErrors(body),
    ...(source.id === existing.id ? [errorEntry("node_id", "A node cannot be cloned to itself")] : []),
    ...vlanErrors(context.catalog, existing.region, contents.configs),
    ...(needed > room
      ? [errorEntry("node_id", `The disks need ${needed} MB, and the node has ${room} MB unallocated`)]
      : []),
  ]);
  return existing;
}

/** Creates an offline node for the clone, by default in the region and of the type of its source. */
async function createTarget(db: Database, { source, body, contents }: Cloning, context: Context): Promise<NodeRow> {
  const { catalog, profile } = context;
  const region = findRegion(catalog, body.region ?? source.region);
  const type = findCatalogType(catalog, body.type ?? source.type);
  const required = newErrors(body, profile);
  refuseIfAny([
    ...required,
    ...(region === undefined ? [errorEntry("region", "region is not valid")] : []),
    ...(type === undefined ? [errorEntry("type", "type is not valid")] : []),
    ...(await labelErrors(db, source.account_id, body.label)),
    ...(region ? vlanErrors(catalog, region.id, contents.configs) : []),
    ...(type ? typeErrors(type, sizeOf(contents.disks)) : []),
  ]);
  if (region === undefined || type === undefined) throw new Error("a request without errors has a region and a type");
  const wanted = { ...body, status: "offline", image: contents.image } as const;
  return insertNode(db, wanted, { region, type }, context);
}
