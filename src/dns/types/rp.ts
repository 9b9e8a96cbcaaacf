import type { Name } from "../name/name.ts";
import { domainName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 1183 §2.2 */
export const RP = recordType<{ mailbox: Name; text: Name }>({
  type: "RP",
  fields: {
    mailbox: {
      kind: domainName,
      isMailbox: true,
      about: "the mailbox of the responsible person",
      example: "admin.example.com.",
    },
    text: { kind: domainName, about: 'a name with a TXT record about the person, or "."', example: "." },
  },
});
