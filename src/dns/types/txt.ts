import { texts } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1035 §3.3.14; each string consists of octets, one character for each */
export const TXT = recordType<{ strings: readonly string[] }>({
  type: "TXT",
  fields: { strings: { apiName: "target", kind: texts, about: "a text", example: '"v=spf1 -all"' } },
});
