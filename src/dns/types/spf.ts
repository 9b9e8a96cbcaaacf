import { texts } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 4408 §3.1.1, obsoleted by RFC 7208 §3.1: policies are TXT records */
export const SPF = recordType<{ strings: readonly string[] }>({
  type: "SPF",
  fields: { strings: { apiName: "target", kind: texts, about: "a policy", example: '"v=spf1 -all"' } },
});
