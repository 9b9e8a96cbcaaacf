import { address6 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 3596 §2 */
export const AAAA = recordType<{ address: string }>({
  type: "AAAA",
  fields: { address: { apiName: "target", kind: address6, about: "an IPv6 address", example: "2001:db8::1" } },
});
