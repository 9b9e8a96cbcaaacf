import type { Catalog } from "../catalog/schema.ts";
import { makeWorkDue } from "../kit/due-work.ts";
import { moment, timestamp } from "../kit/timestamp.ts";
import * as addresses from "../store/addresses.ts";
import * as charges from "../store/charges.ts";
import type { AddressRow, ChargeRow, Database, NewChargeRow, NodeRow, VolumeRow } from "../store/tables.ts";
import { amountOf } from "./amounts.ts";
import { monthOf } from "./traffic.ts";
import { readTrafficByMonth } from "./usage.ts";

/** Prices, and the moment of the change that opens or closes charges. */
export interface Pricing {
  readonly catalog: Catalog;
  readonly now: Date;
}

/** A charge that an entity should have. */
type Wanted = Pick<NewChargeRow, "kind" | "product" | "label" | "hourly" | "monthly" | "transfer">;

/**
 * Opens and closes the charges of a node to match its type, backups, further public addresses and account. Call it in
 * the transaction of every change to them.
 */
export async function chargeNode(db: Database, node: NodeRow, pricing: Pricing): Promise<void> {
  const isGone = node.status === "deleting";
  if (isGone) await keepTraffic(db, node, pricing);
  const own = (await addresses.listByNode(db, [node.id])).get(node.id) ?? [];
  await adjust(db, { ...entityOf("node", node), wanted: chargesOfNode(node, own, pricing.catalog), isGone }, pricing);
}

/** Opens and closes the charge of a volume to match its size and account. */
export async function chargeVolume(db: Database, volume: VolumeRow, pricing: Pricing): Promise<void> {
  await adjust(
    db,
    { ...entityOf("volume", volume), wanted: chargesOfVolume(volume, pricing.catalog), isGone: false },
    pricing,
  );
}

/** Closes the charge of a volume that is deleted. */
export async function endVolume(db: Database, volume: VolumeRow, pricing: Pricing): Promise<void> {
  await adjust(db, { ...entityOf("volume", volume), wanted: [], isGone: true }, pricing);
}

function entityOf(entity_type: "node" | "volume", { id, account_id }: Pick<NodeRow, "id" | "account_id">) {
  return { account_id, entity_type, entity_id: id };
}

interface ChargedEntity extends charges.ChargedEntity {
  readonly account_id: number;
  readonly wanted: readonly Wanted[];
  /** Whether the entity is deleted. */
  readonly isGone: boolean;
}

async function adjust(db: Database, { wanted, isGone, ...entity }: ChargedEntity, pricing: Pricing): Promise<void> {
  const all = await charges.listOf(db, entity);
  const open = all.filter(({ closed }) => closed === null);
  const isKept = (charge: ChargeRow, { kind, product, hourly, monthly, transfer }: Wanted) =>
    charge.account_id === entity.account_id &&
    charge.kind === kind &&
    charge.product === product &&
    charge.hourly === hourly &&
    charge.monthly === monthly &&
    charge.transfer === transfer;
  const ends = all.map(({ kind, closed }) => ({ kind, closed }));
  for (const charge of open) {
    if (wanted.some((one) => isKept(charge, one))) continue;
    ends.push({ kind: charge.kind, closed: await closeCharge(db, charge, pricing) });
  }
  for (const one of wanted) {
    if (open.some((charge) => isKept(charge, one))) continue;
    // If the clock was turned back, the last charge of this kind ends later than now.
    const last = ends.filter(({ kind }) => kind === one.kind).map(({ closed }) => closed ?? "");
    const opened = latest([timestamp(pricing.now), ...last]);
    const due = new Date(monthOf(moment(opened)).until);
    await charges.insert(db, { ...entity, ...one, opened, due: timestamp(due) });
    await makeWorkDue(db, entity.account_id, due);
  }
  for (const charge of await charges.listOf(db, entity))
    if (charge.due === charges.never && (isGone || wanted.some(({ kind }) => kind === charge.kind)))
      await charges.remove(db, charge.id);
}

/** Closes a charge now, or if the clock was turned back, at its beginning or last invoice; returns the moment. */
async function closeCharge(db: Database, { id, opened, invoiced }: ChargeRow, { now }: Pricing): Promise<string> {
  const moment = timestamp(now);
  const closed = latest([opened, invoiced ?? opened, moment]);
  await charges.update(db, id, { closed, ...(moment === invoiced && { due: charges.never }) });
  return closed;
}

function latest(moments: readonly string[]): string {
  return moments.toSorted().at(-1) ?? "";
}

/** Keeps the traffic of a node that is deleted, because its samples are deleted with it. */
async function keepTraffic(db: Database, { id }: NodeRow, { catalog, now }: Pricing): Promise<void> {
  if (catalog.prices.transfer_gb === 0) return;
  for (const charge of await charges.listOf(db, { entity_type: "node", entity_id: id })) {
    if (charge.kind !== "node" || charge.traffic !== null) continue;
    const traffic = JSON.stringify(await readTrafficByMonth(db, charge, timestamp(now)));
    await charges.update(db, charge.id, { traffic });
  }
}

/** The charges that a node should have: none during its deletion, and none that are free. */
function chargesOfNode(node: NodeRow, own: readonly AddressRow[], { types, prices }: Catalog): Wanted[] {
  const type = types.find(({ id }) => id === node.type);
  if (node.status === "deleting" || type === undefined) return [];
  const name = `${node.label} (${node.id})`;
  const [, ...further] = own.filter((row) => row.type === "ipv4" && row.public === 1);
  const ofNode = {
    kind: "node",
    product: type.id,
    label: `${type.label} - ${name}`,
    ...amountsOf(type.price),
    transfer: node.transfer,
  } as const;
  const ofBackups = { kind: "backups", product: type.id, label: `Backups - ${name}` } as const;
  return [
    ...(prices.transfer_gb > 0 || isPriced(ofNode) ? [ofNode] : []),
    ...[
      ...(node.backups_enabled === 1 ? [{ ...ofBackups, ...amountsOf(type.backups), transfer: 0 }] : []),
      ...further.map(({ address }) => ({
        kind: "address" as const,
        product: address,
        label: `Public IPv4 address ${address} - ${name}`,
        ...amountsOf(prices.public_ipv4),
        transfer: 0,
      })),
    ].filter(isPriced),
  ];
}

function chargesOfVolume({ id, label, size }: VolumeRow, { prices }: Catalog): Wanted[] {
  const ofVolume = {
    kind: "volume",
    product: String(size),
    label: `Volume of ${size} GB - ${label} (${id})`,
    ...amountsOf(prices.volume_gb, size),
    transfer: 0,
  } as const;
  return [ofVolume].filter(isPriced);
}

function amountsOf({ hourly, monthly }: Catalog["types"][number]["price"], count = 1) {
  return { hourly: amountOf(hourly) * count, monthly: amountOf(monthly) * count };
}

/** Whether the catalogue has a price. */
export function hasPrices({ types, prices }: Catalog): boolean {
  const all = [prices.public_ipv4, prices.volume_gb, ...types.flatMap(({ price, backups }) => [price, backups])];
  return prices.transfer_gb > 0 || all.some(isPriced);
}

function isPriced({ hourly, monthly }: Pick<Wanted, "hourly" | "monthly">): boolean {
  return hourly > 0 || monthly > 0;
}
