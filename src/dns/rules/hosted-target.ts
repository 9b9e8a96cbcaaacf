import { hostedServices } from "../hosted-services.ts";
import { isInside, type Name } from "../name.ts";
import type { Rule } from "../rule.ts";
import { targets } from "../zone.ts";

export const hostedTarget: Rule = {
  id: "hosted-target",
  *check(zone) {
    for (const { owner, records } of zone.sets("CNAME")) {
      for (const record of records) {
        for (const target of targets(record)) {
          const service = serviceOf(target);
          if (service === undefined || zone.isInside(target)) continue;
          yield {
            summary: `${zone.show(owner)} CNAME points to "${target}" at ${service}`,
            at: record,
            fix: "Remove this record before you release the name at the service.",
          };
        }
      }
    }
  },
};

function serviceOf(target: Name): string | undefined {
  const isWebsite = /(?:^|\.)s3(?:[.-]website)?[.-][a-z0-9-]+\.amazonaws\.com\.$/i.test(target);
  return hostedServices.find(([suffix]) => isInside(target, suffix))?.[1] ?? (isWebsite ? "Amazon S3" : undefined);
}
