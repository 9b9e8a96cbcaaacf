import type { Name } from "../name/name.ts";
import { domainName, uint8, uint16 } from "../rdata/field.ts";
import { mnemonic, typeMnemonic } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 9859 §2.1: where to send notifications about changes of CDS or CSYNC records */
export const DSYNC = recordType<{ rrtype: string; scheme: number; port: number; target: Name }>({
  type: "DSYNC",
  fields: {
    rrtype: { kind: typeMnemonic, about: "the record type to send notifications for", example: "CDS" },
    scheme: {
      kind: mnemonic({ NOTIFY: 1 }, { kind: uint8, isSpelled: true }),
      about: "the notification scheme",
      example: "NOTIFY",
    },
    port: { kind: uint16, about: "the port of the notification endpoint", example: "5359" },
    target: { kind: domainName, about: "the host of the notification endpoint", example: "scanner.example.net." },
  },
});
