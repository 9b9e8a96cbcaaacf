import type { Name } from "../name.ts";
import { sharedName, uint16 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1035 §3.3.9; target `.` is the null MX of RFC 7505 */
export const MX = recordType<{ priority: number; target: Name }>({
  type: "MX",
  code: 15,
  fields: {
    priority: {
      rfcName: "preference",
      kind: uint16,
      about: "how much this mail server is preferred, lowest first",
      example: "10",
      default: 0,
    },
    target: {
      rfcName: "exchange",
      kind: sharedName,
      isTarget: true,
      about: "a mail server",
      example: "mail.example.net.",
    },
  },
});
