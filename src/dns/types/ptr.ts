import type { Name } from "../name/name.ts";
import { sharedName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1035 §3.3.12 */
export const PTR = recordType<{ ptrdname: Name }>({
  type: "PTR",
  fields: {
    ptrdname: {
      apiName: "target",
      kind: sharedName,
      isTarget: true,
      about: "the host with this address",
      example: "host.example.net.",
    },
  },
});
