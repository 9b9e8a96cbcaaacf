import type {
  ManagedNodeSettings,
  ManagedNodeSettingsUpdate,
} from "../../../contract/resources/managed-node-settings.ts";
import type { Context, Handler } from "../../entities/context.ts";
import { errorEntry, notFound, refuseIfAny } from "../../kit/api-error.ts";
import { envelope } from "../../kit/envelope.ts";
import type { Database, NodeRow, Permissions } from "../../store/tables.ts";
import { listAddressesByNode } from "../nodes/addresses/addresses-rows.ts";
import { findNodeRow, listNodeRows } from "../nodes/rows/nodes.ts";
import { findManagedAccount } from "./find.ts";
import { listSettingsByNode, storeManagedNodeSettings } from "./node-settings-rows.ts";

export const listManagedNodeSettings: Handler<"listManagedNodeSettings"> = ({ filter, query }, context) =>
  context.store.read(async (db) => {
    const { id } = await findManagedAccount(db, {}, context, "read_only");
    const { rows, results } = await listNodeRows(db, id, undefined, { filter, ...query });
    return envelope(await replies(db, rows), results, query);
  });

export const getManagedNodeSettings: Handler<"getManagedNodeSettings"> = ({ nodeId }, context) =>
  context.store.read(async (db) => reply(db, await findNode(db, nodeId, context, "read_only")));

export const updateManagedNodeSettings: Handler<"updateManagedNodeSettings"> = ({ nodeId, body }, context) =>
  context.store.write(async (db) => {
    const node = await findNode(db, nodeId, context, "read_write");
    const { ssh } = await reply(db, node);
    const changed = changeAccess(ssh, body);
    const own = await addressesOf(db, [node]);
    refuseIfAny(isReachedAt(changed.ip, own.get(node.id)) ? [] : [errorEntry("ssh.ip", "ssh.ip is not valid")]);
    await storeManagedNodeSettings(db, { node_id: node.id, ...changed, access: Number(changed.access) });
    return reply(db, node);
  });

/** @throws {ApiError} 404 for a node that does not exist or belongs to another account */
async function findNode(db: Database, id: number, context: Context, needed: Permissions): Promise<NodeRow> {
  const account = await findManagedAccount(db, {}, context, needed);
  const node = await findNodeRow(db, account.id, id);
  if (node === undefined) throw notFound();
  return node;
}

type Access = ManagedNodeSettings["ssh"];

/** The address of a node without settings. */
const anyAddress = "any";

/** The access to a node without settings. */
const usual: Access = { access: true, user: "root", ip: anyAddress, port: 22 };

function changeAccess(stored: Access, { ssh }: ManagedNodeSettingsUpdate): Access {
  return {
    access: ssh?.access ?? stored.access,
    user: ssh?.user ?? stored.user,
    ip: ssh?.ip ?? stored.ip,
    port: ssh?.port ?? stored.port,
  };
}

async function reply(db: Database, node: NodeRow): Promise<ManagedNodeSettings> {
  const [shown] = await replies(db, [node]);
  if (shown === undefined) throw new Error("a node without settings");
  return shown;
}

/**
 * The settings of nodes as replies show them (decisions/account#managed-monitoring, decisions/service#order-of-keys).
 * An address that a node lost is "any".
 */
async function replies(db: Database, rows: readonly NodeRow[]): Promise<ManagedNodeSettings[]> {
  const stored = await listSettingsByNode(
    db,
    rows.map(({ id }) => id),
  );
  const own = await addressesOf(db, rows);
  return rows.map(({ id, label, group }) => {
    const { access, user, ip, port } = stored.get(id) ?? usual;
    const shown = isReachedAt(ip, own.get(id)) ? ip : anyAddress;
    return { id, label, group, ssh: { access: Boolean(access), user, ip: shown, port } };
  });
}

async function addressesOf(db: Database, rows: readonly NodeRow[]): Promise<Map<number, string[]>> {
  const found = await listAddressesByNode(
    db,
    rows.map(({ id }) => id),
  );
  return new Map([...found].map(([id, list]) => [id, list.map(({ address }) => address)]));
}

function isReachedAt(ip: string, own: readonly string[] = []): boolean {
  return ip === anyAddress || own.includes(ip);
}
