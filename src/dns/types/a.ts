import { address4 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1035 §3.4.1 */
export const A = recordType<{ address: string }>({
  type: "A",
  fields: { address: { apiName: "target", kind: address4, about: "an IPv4 address", example: "192.0.2.1" } },
});
