import type { NodeType } from "../../contract/resources/node-type.ts";
import type { Catalog } from "../catalog/schema.ts";
import { notFound } from "../kit/api-error.ts";
import type { Handler } from "../kit/context.ts";
import { listOf } from "../kit/list-of.ts";

export const listNodeTypes: Handler<"listNodeTypes"> = ({ query, filter }, { catalog }) =>
  listOf(catalog.types.map(nodeTypeReply), { filter, ...query });

export const getNodeType: Handler<"getNodeType"> = async ({ typeId }, { catalog }) => {
  const type = catalog.types.find(({ id }) => id === typeId);
  if (type === undefined) throw notFound();
  return nodeTypeReply(type);
};

/** A type as a reply shows it: prices are the same in every region. */
function nodeTypeReply({ price, backups, ...type }: Catalog["types"][number]): NodeType {
  return {
    id: type.id,
    label: type.label,
    price,
    region_prices: [],
    addons: { backups: { price: backups, region_prices: [] } },
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
