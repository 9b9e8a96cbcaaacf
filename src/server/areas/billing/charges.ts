import type { Catalog } from "../../catalog/schema.ts";
import { makeWorkDue } from "../../entities/due-work.ts";
import { parseTimestamp, timestamp } from "../../kit/timestamp.ts";
import type { AddressRow, ChargeRow, Database, NewChargeRow, NodeRow, VolumeRow } from "../../store/tables.ts";
import { listAddressesByNode } from "../nodes/addresses/addresses-rows.ts";
import { amountOf } from "./amounts.ts";
import * as charges from "./charges-rows.ts";
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
  await chargeNodes(db, [node], pricing);
}

/** Charges several nodes in few statements. */
export async function chargeNodes(db: Database, all: readonly NodeRow[], pricing: Pricing): Promise<void> {
  const isGone = ({ status }: NodeRow) => status === "deleting";
  for (const node of all) if (isGone(node)) await keepTraffic(db, node, pricing);
  const own = await listAddressesByNode(
    db,
    all.map(({ id }) => id),
  );
  const entities = all.map((node) => ({
    ...entityOf("node", node),
    wanted: chargesOfNode(node, own.get(node.id) ?? [], pricing.catalog),
    isGone: isGone(node),
  }));
  await adjust(db, entities, pricing);
}

/** Opens and closes the charge of a volume to match its size and account. */
export async function chargeVolume(db: Database, volume: VolumeRow, pricing: Pricing): Promise<void> {
  const wanted = chargesOfVolume(volume, pricing.catalog);
  await adjust(db, [{ ...entityOf("volume", volume), wanted, isGone: false }], pricing);
}

/** Closes the charge of a volume that is deleted. */
export async function endVolume(db: Database, volume: VolumeRow, pricing: Pricing): Promise<void> {
  await adjust(db, [{ ...entityOf("volume", volume), wanted: [], isGone: true }], pricing);
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

/** Adjusts the charges of entities of one type and one account. */
async function adjust(db: Database, entities: readonly ChargedEntity[], pricing: Pricing): Promise<void> {
  const known = await charges.listChargesOf(db, entities);
  const plans = entities.map((entity) => planCharges(entity, known.get(entity.entity_id) ?? [], pricing));
  const opened = plans.flatMap((plan) => plan.opened);
  const removed = plans.flatMap((plan) => plan.removed);
  await charges.closeCharges(
    db,
    plans.flatMap(({ closed }) => closed),
  );
  await charges.insertChargeRows(db, opened);
  await charges.removeChargeRows(db, removed);
  const [first] = opened.toSorted((a, b) => (a.due < b.due ? -1 : 1));
  if (first) await makeWorkDue(db, first.account_id, parseTimestamp(first.due));
}

/** Changes to the charges of an entity. */
interface ChargePlan {
  readonly closed: readonly charges.ChargeEnd[];
  readonly opened: readonly NewChargeRow[];
  /** Charges that are invoiced to their end, and that nothing needs any more. */
  readonly removed: readonly number[];
}

function planCharges(
  { wanted, isGone, ...entity }: ChargedEntity,
  all: readonly ChargeRow[],
  pricing: Pricing,
): ChargePlan {
  const open = all.filter(({ closed }) => closed === null);
  const isKept = (charge: ChargeRow, { kind, product, hourly, monthly, transfer }: Wanted) =>
    charge.account_id === entity.account_id &&
    charge.kind === kind &&
    charge.product === product &&
    charge.hourly === hourly &&
    charge.monthly === monthly &&
    charge.transfer === transfer;
  const closed = open
    .filter((charge) => !wanted.some((one) => isKept(charge, one)))
    .map((charge) => endOf(charge, pricing));
  const after = all.map((charge) => ({ ...charge, ...closed.find(({ id }) => id === charge.id) }));
  const opened = wanted
    .filter((one) => !open.some((charge) => isKept(charge, one)))
    .map((one) => {
      // If the clock was turned back, the last charge of this kind ends later than now.
      const last = after.filter(({ kind }) => kind === one.kind).map((charge) => charge.closed ?? "");
      const from = latest([timestamp(pricing.now), ...last]);
      const due = timestamp(new Date(monthOf(parseTimestamp(from)).until));
      return { ...entity, ...one, opened: from, due };
    });
  const removed = after
    .filter(({ due, kind }) => due === charges.neverInvoiced && (isGone || wanted.some((one) => one.kind === kind)))
    .map(({ id }) => id);
  return { closed, opened, removed };
}

/** Closes a charge now, or if the clock was turned back, at its beginning or last invoice. */
function endOf({ id, opened, invoiced }: ChargeRow, { now }: Pricing): charges.ChargeEnd {
  const moment = timestamp(now);
  const closed = latest([opened, invoiced ?? opened, moment]);
  return { id, closed, ...(moment === invoiced && { due: charges.neverInvoiced }) };
}

function latest(moments: readonly string[]): string {
  return moments.toSorted().at(-1) ?? "";
}

/** Keeps the traffic of a node that is deleted, because its samples are deleted with it. */
async function keepTraffic(db: Database, { id }: NodeRow, { catalog, now }: Pricing): Promise<void> {
  if (catalog.prices.transfer_gb === 0) return;
  const own = await charges.listChargesOf(db, [{ entity_type: "node", entity_id: id }]);
  for (const charge of own.get(id) ?? []) {
    if (charge.kind !== "node" || charge.traffic !== null) continue;
    const traffic = JSON.stringify(await readTrafficByMonth(db, charge, timestamp(now)));
    await charges.updateChargeRow(db, charge.id, { traffic });
  }
}

/** The charges that a node should have: none during its deletion, and none that are free. */
function chargesOfNode(node: NodeRow, own: readonly AddressRow[], catalog: Catalog): Wanted[] {
  const { types, prices } = catalog;
  const type = types.find(({ id }) => id === node.type);
  if (node.status === "deleting" || type === undefined) return [];
  const name = `${node.label} (${node.id})`;
  const region = regionOf(node, catalog);
  const [, ...further] = own.filter((row) => row.type === "ipv4" && row.public === 1);
  const ofNode = {
    kind: "node",
    product: type.id,
    label: `${type.label} - ${name}`,
    ...amountsIn(region, type.price),
    transfer: node.transfer,
  } as const;
  const ofBackups = { kind: "backups", product: type.id, label: `Backups - ${name}` } as const;
  return [
    ...(prices.transfer_gb > 0 || isPriced(ofNode) ? [ofNode] : []),
    ...[
      ...(node.backups_enabled === 1 ? [{ ...ofBackups, ...amountsIn(region, type.backups), transfer: 0 }] : []),
      ...further.map(({ address }) => ({
        kind: "address" as const,
        product: address,
        label: `Public IPv4 address ${address} - ${name}`,
        ...amountsIn(region, prices.public_ipv4),
        transfer: 0,
      })),
    ].filter(isPriced),
  ];
}

function chargesOfVolume({ id, label, size, region }: VolumeRow, catalog: Catalog): Wanted[] {
  const ofVolume = {
    kind: "volume",
    product: String(size),
    label: `Volume of ${size} GB - ${label} (${id})`,
    ...amountsIn(regionOf({ region }, catalog), catalog.prices.volume_gb, size),
    transfer: 0,
  } as const;
  return [ofVolume].filter(isPriced);
}

function regionOf({ region }: Pick<NodeRow, "region">, { regions }: Catalog): Region | undefined {
  return regions.find(({ id }) => id === region);
}

type Region = Pick<Catalog["regions"][number], "price_percent">;

/** A price in a region, as amounts. */
export function amountsIn(
  region: Region | undefined,
  { hourly, monthly }: Catalog["types"][number]["price"],
  count = 1,
): { hourly: number; monthly: number } {
  const inRegion = (dollars: number) => Math.round((amountOf(dollars) * (region?.price_percent ?? 100)) / 100) * count;
  return { hourly: inRegion(hourly), monthly: inRegion(monthly) };
}

/** Whether the catalogue has a price. */
export function hasPrices({ types, prices }: Catalog): boolean {
  const all = [prices.public_ipv4, prices.volume_gb, ...types.flatMap(({ price, backups }) => [price, backups])];
  return prices.transfer_gb > 0 || all.some(isPriced);
}

function isPriced({ hourly, monthly }: Pick<Wanted, "hourly" | "monthly">): boolean {
  return hourly > 0 || monthly > 0;
}
