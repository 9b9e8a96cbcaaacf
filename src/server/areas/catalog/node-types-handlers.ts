import type { NodeType } from "../../../contract/resources/node-type.ts";
import type { Catalog } from "../../catalog/schema.ts";
import type { Handler } from "../../entities/context.ts";
import { notFound } from "../../kit/api-error.ts";
import { pageList } from "../../kit/list-of.ts";
import { dollarsOf } from "../billing/amounts.ts";
import { amountsIn } from "../billing/charges.ts";

export const listNodeTypes: Handler<"listNodeTypes"> = ({ query, filter }, { catalog }) =>
  pageList(
    catalog.types.map((type) => nodeTypeReply(type, catalog)),
    { filter, ...query },
  );

export const getNodeType: Handler<"getNodeType"> = async ({ typeId }, { catalog }) => {
  const type = catalog.types.find(({ id }) => id === typeId);
  if (type === undefined) throw notFound();
  return nodeTypeReply(type, catalog);
};

/** A type as a reply shows it. */
function nodeTypeReply({ price, backups, ...type }: Catalog["types"][number], { regions }: Catalog): NodeType {
  return {
    id: type.id,
    label: type.label,
    price,
    region_prices: regionPrices(price, regions),
    addons: { backups: { price: backups, region_prices: regionPrices(backups, regions) } },
    memory: type.memory,
    disk: type.disk,
    transfer: type.transfer,
    vcpus: type.vcpus,
    gpus: type.gpus,
    network_out: type.network_out,
    accelerated_devices: 0,
    class: type.class,
    successor: type.successor,
  };
}

/** The regions with a price of their own. */
function regionPrices(price: NodeType["price"], regions: Catalog["regions"]): NodeType["region_prices"] {
  return regions
    .filter(({ price_percent }) => price_percent !== 100)
    .map((region) => {
      const { hourly, monthly } = amountsIn(region, price);
      return { id: region.id, hourly: dollarsOf(hourly), monthly: dollarsOf(monthly) };
    });
}
