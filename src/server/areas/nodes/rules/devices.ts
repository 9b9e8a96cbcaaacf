import type { ApiErrorEntry } from "../../../../contract/errors.ts";
import {
  type Device,
  type DeviceSlot,
  deviceSlots,
  type NewDevices,
  type VirtualizationMode,
} from "../../../../contract/resources/node-config.ts";
import { errorEntry } from "../../../kit/api-error.ts";

/** The devices of a node by slot; a slot that is absent is empty. */
export type Devices = Partial<Readonly<Record<DeviceSlot, Device>>>;

/** Slots that a node has only in virtualization mode paravirt. */
const paravirtualSlots = ["sde", "sdf", "sdg", "sdh"] as const;

/**
 * The devices of a request, and their errors: each is one of these disks or volumes
 * (decisions/nodes#configuration-profiles).
 */
export function readDevices(
  sent: NewDevices,
  {
    disks,
    volumes,
    obstacles,
  }: {
    readonly disks: readonly { readonly id: number }[];
    readonly volumes: readonly { readonly id: number }[];
    /** Why other volumes cannot be devices, by their ids. */
    readonly obstacles: ReadonlyMap<number, string>;
  },
): { devices: Devices; errors: ApiErrorEntry[] } {
  const used = deviceSlots.flatMap((slot) => {
    const { disk_id = null, volume_id = null } = sent[slot] ?? {};
    return disk_id === null && volume_id === null ? [] : [[slot, { disk_id, volume_id }] as const];
  });
  const errors = used.flatMap(([slot, { disk_id, volume_id }]) => {
    const field = `devices.${slot}`;
    if (disk_id !== null && volume_id !== null)
      return [errorEntry(field, "Only one of disk_id and volume_id can be set")];
    if (volume_id !== null) {
      const obstacle = obstacles.get(volume_id);
      if (obstacle !== undefined) return [errorEntry(`${field}.volume_id`, obstacle)];
      return volumes.some(({ id }) => id === volume_id) ? [] : [notValid(`${field}.volume_id`)];
    }
    return disks.some(({ id }) => id === disk_id) ? [] : [notValid(`${field}.disk_id`)];
  });
  return { devices: Object.fromEntries(used), errors };
}

function notValid(field: string): ApiErrorEntry {
  return errorEntry(field, `${field} is not valid`);
}

/** Errors for the slots that a fully virtualized node lacks. */
export function fullvirtErrors(devices: Devices): ApiErrorEntry[] {
  return paravirtualSlots.flatMap((slot) =>
    devices[slot] ? [errorEntry(`devices.${slot}`, "Not available with virt_mode fullvirt")] : [],
  );
}

export function hasDisk(devices: Devices, id: number): boolean {
  return Object.values(devices).some(({ disk_id }) => disk_id === id);
}

export function withoutDisk(devices: Devices, id: number): Devices {
  return Object.fromEntries(Object.entries(devices).filter(([, { disk_id }]) => disk_id !== id));
}

export function hasVolume(devices: Devices, id: number): boolean {
  return Object.values(devices).some(({ volume_id }) => volume_id === id);
}

export function withoutVolume(devices: Devices, id: number): Devices {
  return Object.fromEntries(Object.entries(devices).filter(([, { volume_id }]) => volume_id !== id));
}

/** The first empty slot; undefined if there is none. */
export function freeSlot(devices: Devices, mode: VirtualizationMode): DeviceSlot | undefined {
  const lacking: readonly DeviceSlot[] = mode === "fullvirt" ? paravirtualSlots : [];
  return deviceSlots.find((slot) => devices[slot] === undefined && !lacking.includes(slot));
}
