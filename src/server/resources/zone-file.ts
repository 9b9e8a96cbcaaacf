import type { Handler } from "../kit/context.ts";
import { renderedZone } from "../kit/rendering.ts";

export const getZoneFile: Handler<"getZoneFile"> = async ({ domainId }, context) => ({
  zone_file: await renderedZone(domainId, context),
});
