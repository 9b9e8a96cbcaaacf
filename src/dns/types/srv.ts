import type { Name } from "../name/name.ts";
import { domainName, preference, uint16 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 2782; target `.` means that the service is not available */
export const SRV = recordType<{ priority: number; weight: number; port: number; target: Name }>({
  type: "SRV",
  fields: {
    priority: { kind: preference, about: "the priority of the server, lowest first", example: "10" },
    weight: { kind: uint16, about: "the share of the server among those of the same priority", example: "60" },
    port: { kind: uint16, about: "the port of the service", example: "5060" },
    target: { kind: domainName, isTarget: true, about: "the server of the service", example: "sip.example.net." },
  },
  ownerFields: ["service", "protocol"],
});
