import type { Name } from "../name/name.ts";
import { sharedName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1035 §3.3.11 */
export const NS = recordType<{ nsdname: Name }>({
  type: "NS",
  fields: {
    nsdname: {
      apiName: "target",
      kind: sharedName,
      isTarget: true,
      about: "the name server",
      example: "ns1.example.net.",
    },
  },
});
