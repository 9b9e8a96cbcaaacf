import type { Name } from "../name/name.ts";
import { sharedName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1035 §3.3.1 */
export const CNAME = recordType<{ cname: Name }>({
  type: "CNAME",
  fields: {
    cname: {
      apiName: "target",
      kind: sharedName,
      isTarget: true,
      about: "the canonical name",
      example: "www.example.net.",
    },
  },
});
