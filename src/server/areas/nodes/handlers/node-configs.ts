import type { ApiErrorEntry } from "../../../../contract/errors.ts";
import type {
  Helpers,
  NewNodeConfig,
  NodeConfig,
  NodeConfigUpdate,
} from "../../../../contract/resources/node-config.ts";
import { readAccount } from "../../../entities/account.ts";
import type { Context, Handler, Profile } from "../../../entities/context.ts";
import { nodeConfigEntity, nodeEntity } from "../../../entities/entities.ts";
import { type ResourceContext, resource } from "../../../entities/resource.ts";
import { errorEntry, refuseIfAny } from "../../../kit/api-error.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { findRow, listRows, makeWrites } from "../../../store/rows.ts";
import type { NewNodeConfigRow, NodeConfigRow, NodeRow } from "../../../store/tables.ts";
import { hasVlans, newConfigColumns } from "../jobs/create.ts";
import { findKeptNode } from "../jobs/find.ts";
import { attach, findAttachable } from "../jobs/volumes.ts";

import * as nodeConfigs from "../rows/node-configs.ts";
import { type Devices, fullvirtErrors, readDevices } from "../rules/devices.ts";
import { readInterfaces } from "../rules/interfaces.ts";

const resourceOfConfigs = resource({
  parent: findKeptNode,
  rows: {
    list: ({ db, parent }, wanted) => nodeConfigs.listNodeConfigRows(db, parent.id, wanted),
    find: ({ db, parent }, { configId }: { nodeId: number; configId: number }) =>
      findRow(db, "node_configs", { id: configId, node_id: parent.id }),
    ...makeWrites("node_configs"),
  },
  replies: (rows, { parent, context }) => rows.map((row) => configReply(row, parent, context.profile)),
  details: (row, node) => ({ entity: nodeEntity(node), secondary: nodeConfigEntity(row) }),
});

export const listNodeConfigs: Handler<"listNodeConfigs"> = resourceOfConfigs.list;
export const getNodeConfig: Handler<"getNodeConfig"> = resourceOfConfigs.get;

export const createNodeConfig: Handler<"createNodeConfig"> = resourceOfConfigs.create({
  event: "node_config_create",
  async columns(body: NewNodeConfig, scope) {
    const account = await readAccount(scope.db, scope.context.caller);
    const usual = newConfigColumns(scope.parent, { now: scope.context.now, account });
    return { ...usual, ...(await readChanges(body, usual, scope)), label: body.label };
  },
  complete: attachVolumes,
});

/** A running job does not hold up changes of configuration profiles: only a boot reads them. */
export const updateNodeConfig: Handler<"updateNodeConfig"> = resourceOfConfigs.update({
  event: "node_config_update",
  async changes(body: NodeConfigUpdate, row, scope) {
    const changes = await readChanges(body, row, scope);
    return { ...changes, label: body.label ?? row.label, updated: timestamp(scope.context.now) };
  },
  complete: attachVolumes,
});

export const deleteNodeConfig: Handler<"deleteNodeConfig"> = resourceOfConfigs.remove({ event: "node_config_delete" });

/** Attaches the volumes of the devices in a request to the node. */
async function attachVolumes(
  _: NodeConfigRow,
  { devices }: Pick<NodeConfigUpdate, "devices">,
  { db, context, parent: node }: ResourceContext<NodeRow>,
): Promise<void> {
  const attachable = await findAttachable(db, devices ?? {}, node, context);
  for (const volume of attachable.volumes) await attach(db, volume, node, context);
}

/** The columns that a create or an update can set, from the request or as before. */
async function readChanges(
  body: Omit<NodeConfigUpdate, "label">,
  before: Omit<NewNodeConfigRow, "label">,
  { db, context, parent: node }: ResourceContext<NodeRow>,
) {
  const { catalog, profile } = context;
  const { devices, errors } =
    body.devices == null
      ? { devices: JSON.parse(before.devices) as Devices, errors: [] }
      : readDevices(body.devices, {
          disks: await listRows(db, "disks", { node_id: node.id }),
          ...(await findAttachable(db, body.devices, node, context)),
        });
  const { interfaces, errors: interfaceErrors } = readInterfaces(body.interfaces ?? [], {
    hasVlans: hasVlans(catalog, node.region),
    profile,
  });
  const virt_mode = body.virt_mode ?? before.virt_mode;
  refuseIfAny([
    ...kernelErrors(body, context),
    ...errors,
    ...(virt_mode === "fullvirt" ? fullvirtErrors(devices) : []),
    ...interfaceErrors,
  ]);
  return {
    comments: body.comments ?? before.comments,
    kernel: body.kernel ?? before.kernel,
    memory_limit: body.memory_limit ?? before.memory_limit,
    root_device: body.root_device ?? before.root_device,
    run_level: body.run_level ?? before.run_level,
    virt_mode,
    helpers: JSON.stringify(changedHelpers(body, before)),
    devices: JSON.stringify(devices),
    interfaces: body.interfaces == null ? before.interfaces : JSON.stringify(interfaces),
  };
}

function kernelErrors({ kernel }: NodeConfigUpdate, { catalog }: Context): ApiErrorEntry[] {
  const isKnown = kernel == null || catalog.kernels.some(({ id }) => id === kernel);
  return isKnown ? [] : [errorEntry("kernel", "kernel is not valid")];
}

function changedHelpers({ helpers }: Omit<NodeConfigUpdate, "label">, before: { readonly helpers: string }): Helpers {
  const given = Object.entries(helpers ?? {}).filter(([, isOn]) => isOn != null);
  return { ...JSON.parse(before.helpers), ...Object.fromEntries(given) };
}

const noDevices = { sda: null, sdb: null, sdc: null, sdd: null, sde: null, sdf: null, sdg: null, sdh: null };

/**
 * A stored configuration profile as a reply shows it (decisions/nodes#configuration-profiles,
 * decisions/service#order-of-keys).
 */
function configReply(row: NodeConfigRow, node: NodeRow, profile: Profile): NodeConfig {
  return {
    id: row.id,
    label: row.label,
    helpers: JSON.parse(row.helpers),
    kernel: row.kernel,
    comments: row.comments,
    memory_limit: profile === "documented" && row.memory_limit === 0 ? node.memory : row.memory_limit,
    created: row.created,
    updated: row.updated,
    root_device: row.root_device,
    devices: { ...noDevices, ...JSON.parse(row.devices) },
    initrd: null,
    run_level: row.run_level,
    virt_mode: row.virt_mode,
    interfaces: JSON.parse(row.interfaces),
  };
}
