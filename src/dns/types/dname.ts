import type { Name } from "../name/name.ts";
import { domainName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 6672 §2.1 */
export const DNAME = recordType<{ target: Name }>({
  type: "DNAME",
  fields: {
    target: {
      kind: domainName,
      about: "the name that replaces the owner name in lookups below it",
      example: "example.net.",
    },
  },
});
