import { renderedZone } from "../dns/rendering.ts";
import type { Handler } from "../handlers.ts";

export const getZoneFile: Handler<"getZoneFile"> = async ({ domainId }, context) => ({
  zone_file: await renderedZone(domainId, context),
});
