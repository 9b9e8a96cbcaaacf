import type { Rule } from "../lookup/rule.ts";

export const srvPort: Rule = {
  id: "srv-port",
  types: ["SRV"],
  *check(zone) {
    for (const { owner, records } of zone.sets("SRV")) {
      for (const record of records) {
        if (record.data.port !== 0 || record.data.target === ".") continue;
        yield {
          summary: `${zone.show(owner)} SRV has port 0`,
          at: record,
          fix: 'Write the port of the service, or the target "." if the service is not available.',
        };
      }
    }
  },
};
