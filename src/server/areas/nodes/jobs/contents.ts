import type { Device } from "../../../../contract/resources/node-config.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { insertRow, listRows } from "../../../store/rows.ts";
import type { Database, DiskRow, NodeConfigRow, NodeRow } from "../../../store/tables.ts";

/** A copy of a node's disks and configuration profiles, as a backup keeps it and a clone takes it along. */
export interface Contents {
  readonly image: string | null;
  readonly disks: readonly Pick<DiskRow, "id" | "label" | "filesystem" | "size" | "content">[];
  readonly configs: readonly Omit<NodeConfigRow, "id" | "node_id" | "created" | "updated">[];
}

/** A copy of these disks and configuration profiles. */
export function copyContents(
  { image }: Pick<NodeRow, "image">,
  ofDisks: readonly DiskRow[],
  configs: readonly NodeConfigRow[],
): Contents {
  return {
    image,
    disks: ofDisks.map(({ id, label, filesystem, size, content }) => ({ id, label, filesystem, size, content })),
    configs: configs.map(({ id, node_id, created, updated, ...settings }) => settings),
  };
}

/** A copy of all that a node has. */
export async function gatherContents(db: Database, node: NodeRow): Promise<Contents> {
  return copyContents(
    node,
    await listRows(db, "disks", { node_id: node.id }),
    await listRows(db, "node_configs", { node_id: node.id }),
  );
}

/** The room that the disks need, in MB. */
export function sizeOf(ofDisks: readonly Pick<DiskRow, "size">[]): number {
  return ofDisks.reduce((total, { size }) => total + size, 0);
}

/** A copy without the interfaces in VLANs. */
export function withoutVlans({ configs, ...contents }: Contents): Contents {
  const others = (interfaces: string) =>
    JSON.stringify(interfacesOf(interfaces).filter(({ purpose }) => purpose !== "vlan"));
  return { ...contents, configs: configs.map((config) => ({ ...config, interfaces: others(config.interfaces) })) };
}

/** Whether any configuration profile has an interface in a VLAN. */
export function needsVlans(configs: readonly Pick<NodeConfigRow, "interfaces">[]): boolean {
  return configs.some(({ interfaces }) => interfacesOf(interfaces).some(({ purpose }) => purpose === "vlan"));
}

function interfacesOf(text: string): { readonly purpose: string }[] {
  return JSON.parse(text);
}

/** The ids of the disks that a configuration profile attaches. */
export function disksOf({ devices }: Pick<NodeConfigRow, "devices">): number[] {
  return slotsOf(devices).flatMap(([, { disk_id }]) => disk_id ?? []);
}

function slotsOf(devices: string): [slot: string, device: Device][] {
  return Object.entries<Device>(JSON.parse(devices));
}

/** Gives a node copies of the disks and of the configuration profiles, which attach the new disks and no volumes. */
export async function placeContents(
  db: Database,
  node: NodeRow,
  contents: Contents,
  { status, now }: { readonly status: DiskRow["status"]; readonly now: Date },
): Promise<void> {
  const moment = timestamp(now);
  const common = { node_id: node.id, created: moment, updated: moment };
  const ids = new Map<number, number>();
  for (const { id, ...disk } of contents.disks) {
    const copy = await insertRow(db, "disks", { ...common, ...disk, status });
    ids.set(id, copy.id);
  }
  for (const config of contents.configs) {
    const devices = slotsOf(config.devices).flatMap(([slot, device]) => {
      const disk_id = ids.get(device.disk_id ?? 0);
      return disk_id === undefined ? [] : [[slot, { disk_id, volume_id: null }]];
    });
    await insertRow(db, "node_configs", { ...common, ...config, devices: JSON.stringify(Object.fromEntries(devices)) });
  }
}
