import type {
  FirewallDevice,
  FirewallUpdate,
  NewFirewall,
  NewFirewallDevice,
} from "../../../../contract/resources/firewall.ts";
import { findAccount } from "../../../entities/account.ts";
import type { Context, Handler, Profile } from "../../../entities/context.ts";
import { changeTags, firewallEntity, nodeEntity, requireGrant } from "../../../entities/entities.ts";
import { resource } from "../../../entities/resource.ts";
import { errorEntry, Refusal, refuseIfAny } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { Database, FirewallDeviceRow, FirewallRow, NodeRow } from "../../../store/tables.ts";
import { findCallersNode, requireUnrestricted } from "../jobs/find.ts";
import { findFirewall, firewallReplies, giveFirewall, protectedEntity, rulesColumn } from "../jobs/firewalls.ts";
import { requireKept } from "../jobs/jobs.ts";
import * as firewalls from "../rows/firewalls.ts";
import { findNodeRow, listNodeRowsById } from "../rows/nodes.ts";

const granteeOf = ({ caller }: Context) => (caller.isRestricted ? caller.userId : undefined);

const resourceOfFirewalls = resource({
  parent: findAccount,
  rows: {
    list: ({ db, parent, context }, wanted) =>
      firewalls.listFirewallRows(db, { account_id: parent.id, grantee: granteeOf(context) }, wanted),
    find: ({ db, context }, { firewallId }: { firewallId: number }, needed) =>
      findFirewall(db, firewallId, context, needed),
    insert: firewalls.insertFirewallRow,
    update: firewalls.updateFirewallRow,
    remove: firewalls.removeFirewallRow,
  },
  replies: (rows, { db, context }) => firewallReplies(db, rows, context.profile),
  details: (row) => ({ entity: firewallEntity(row) }),
});

const resourceOfNodeFirewalls = resource({
  parent: (db, { nodeId }: { nodeId: number }, context, needed) => findCallersNode(db, nodeId, context, needed),
  rows: {
    list: ({ db, parent: { id, account_id }, context }, wanted) =>
      firewalls.listFirewallRows(db, { account_id, node_id: id, grantee: granteeOf(context) }, wanted),
  },
  replies: (rows: readonly FirewallRow[], { db, context }) => firewallReplies(db, rows, context.profile),
  details: (row) => ({ entity: firewallEntity(row) }),
});

export const listNodeFirewalls: Handler<"listNodeFirewalls"> = resourceOfNodeFirewalls.list;
export const listFirewalls: Handler<"listFirewalls"> = resourceOfFirewalls.list;
export const getFirewall: Handler<"getFirewall"> = resourceOfFirewalls.get;

export const createFirewall: Handler<"createFirewall"> = resourceOfFirewalls.create({
  event: "firewall_create",
  async columns({ label, rules, devices }: NewFirewall, { db, context, parent: account }) {
    requireUnrestricted(context);
    const wanted = devices?.nodes ?? [];
    const known = new Set((await listNodeRowsById(db, account.id, wanted)).map(({ id }) => id));
    refuseIfAny(
      wanted.flatMap((id, index) => {
        const field = `devices.nodes[${index}]`;
        return known.has(id) ? [] : [errorEntry(field, `${field} is not valid`)];
      }),
    );
    const moment = timestamp(context.now);
    const rulesSent = rulesColumn(rules, "rules.", context.profile);
    return {
      account_id: account.id,
      label,
      status: "enabled" as const,
      rules: rulesSent,
      created: moment,
      updated: moment,
    };
  },
  async complete(firewall, { devices, tags }, { db, context, parent: account }) {
    if (tags) await changeTags(db, { entity_type: "firewall", entity_id: firewall.id }, tags, context);
    for (const node of await listNodeRowsById(db, account.id, devices?.nodes ?? [])) {
      requireKept(node, context.profile);
      await giveFirewall(db, firewall, node, context);
    }
  },
});

export const updateFirewall: Handler<"updateFirewall"> = resourceOfFirewalls.update({
  event(firewall, before) {
    if (firewall.status === before.status) return "firewall_update";
    return firewall.status === "enabled" ? "firewall_enable" : "firewall_disable";
  },
  changes: ({ label, status }: FirewallUpdate, firewall, { context }) => ({
    label: label ?? firewall.label,
    status: status ?? firewall.status,
    updated: timestamp(context.now),
  }),
  async complete({ id }, { tags }, { db, context }) {
    if (tags) await changeTags(db, { entity_type: "firewall", entity_id: id }, tags, context);
  },
});

export const deleteFirewall: Handler<"deleteFirewall"> = resourceOfFirewalls.remove({ event: "firewall_delete" });

/** A device with its node. */
type Device = FirewallDeviceRow & { readonly node: NodeRow };

type NewDevice = Omit<Device, "id" | "node_id">;

const resourceOfDevices = resource({
  parent: resourceOfFirewalls.find,
  rows: {
    async list({ db, parent }, wanted) {
      const { rows, results } = await firewalls.listFirewallDeviceRows(db, parent.id, wanted);
      return { rows: await withNodes(db, parent, rows), results };
    },
    async find({ db, parent }, { deviceId }: { firewallId: number; deviceId: number }) {
      const row = await firewalls.findFirewallDeviceRow(db, parent.id, deviceId);
      return row && (await withNodes(db, parent, [row]))[0];
    },
    async insert(db, { node, ...row }: NewDevice): Promise<Device> {
      return { ...(await firewalls.insertFirewallDeviceRow(db, { ...row, node_id: node.id })), node };
    },
    remove: firewalls.removeFirewallDeviceRow,
  },
  replies: (rows, { context }) => rows.map((row) => deviceReply(row, context.profile)),
  details: ({ node }, firewall) => ({ entity: firewallEntity(firewall), secondary: nodeEntity(node) }),
});

async function withNodes(
  db: Database,
  { account_id }: FirewallRow,
  rows: readonly FirewallDeviceRow[],
): Promise<Device[]> {
  const found = await listNodeRowsById(
    db,
    account_id,
    rows.map(({ node_id }) => node_id),
  );
  const known = new Map(found.map((node) => [node.id, node]));
  return rows.flatMap((row) => {
    const node = known.get(row.node_id);
    return node ? [{ ...row, node }] : [];
  });
}

function deviceReply({ id, created, updated, node }: Device, profile: Profile): FirewallDevice {
  return { id, created, updated, entity: profile === "live" ? protectedEntity(node) : nodeEntity(node) };
}

export const listFirewallDevices: Handler<"listFirewallDevices"> = resourceOfDevices.list;
export const getFirewallDevice: Handler<"getFirewallDevice"> = resourceOfDevices.get;

export const createFirewallDevice: Handler<"createFirewallDevice"> = resourceOfDevices.create({
  event: "firewall_device_add",
  async columns({ id }: NewFirewallDevice, { db, context, parent: firewall }) {
    const node = await findNodeRow(db, firewall.account_id, id);
    if (node) await requireNode(db, node, context);
    const hasFirewall = await firewalls.hasFirewallDevice(db, firewall.id, id);
    refuseIfAny(hasFirewall ? [errorEntry("id", "The node has the firewall already")] : []);
    if (node === undefined) throw new Refusal(400, [errorEntry("id", "id is not valid")]);
    const moment = timestamp(context.now);
    return { firewall_id: firewall.id, node, created: moment, updated: moment };
  },
});

export const deleteFirewallDevice: Handler<"deleteFirewallDevice"> = resourceOfDevices.remove({
  event: "firewall_device_remove",
  prepare: ({ node }, { db, context }) => requireNode(db, node, context),
});

/** @throws {Refusal} for a node that is being deleted, and for one that the caller may not change. */
async function requireNode(db: Database, node: NodeRow, context: Context): Promise<void> {
  await requireGrant(db, context, { entity_type: "node", entity_id: node.id }, "read_write");
  requireKept(node, context.profile);
}
