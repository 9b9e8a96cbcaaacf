import type { Name } from "../name/name.ts";
import { preference, sharedName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1035 §3.3.9; exchange `.` is the null MX of RFC 7505 */
export const MX = recordType<{ preference: number; exchange: Name }>({
  type: "MX",
  fields: {
    preference: {
      apiName: "priority",
      kind: preference,
      about: "the preference of the mail server, lowest first",
      example: "10",
    },
    exchange: {
      apiName: "target",
      kind: sharedName,
      isTarget: true,
      about: "a mail server",
      example: "mail.example.net.",
    },
  },
});
