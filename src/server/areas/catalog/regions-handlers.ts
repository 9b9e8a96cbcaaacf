import type { Region } from "../../../contract/resources/region.ts";
import type { Catalog } from "../../catalog/schema.ts";
import type { Handler, Profile } from "../../entities/context.ts";
import { notFound } from "../../kit/api-error.ts";
import { pageList } from "../../kit/list-of.ts";

export const listRegions: Handler<"listRegions"> = ({ query, filter }, { catalog, profile }) =>
  pageList(
    catalog.regions.map((region) => regionReply(region, profile)),
    { filter, ...query },
  );

export const getRegion: Handler<"getRegion"> = async ({ regionId }, { catalog, profile }) => {
  const region = catalog.regions.find(({ id }) => id === regionId);
  if (region === undefined) throw notFound();
  return regionReply(region, profile);
};

/** A region as a reply shows it. The other keys are of the live service (decisions/account#regions). */
function regionReply(region: Catalog["regions"][number], profile: Profile): Region {
  const { id, country, capabilities, status, resolvers, label } = region;
  return { id, country, capabilities, status, resolvers, ...(profile === "live" && { label, ...liveKeys }) };
}

const liveKeys = {
  site_type: "core",
  monitors: { alerts: ["Nodes"] },
  placement_group_limits: {
    maximum_pgs_per_customer: null,
    maximum_nodes_per_pg: 5,
    maximum_nodes_per_flexible_pg: 5,
  },
};
