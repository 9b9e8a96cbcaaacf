import type { Name } from "../name/name.ts";
import { domainName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/**
 * A type of some providers, not of DNS: they answer with the addresses of its target. octoDNS and PowerDNS write it
 * with this mnemonic; the code is PowerDNS's, from the range for private use (RFC 6895 §3.1).
 */
export const ALIAS = recordType<{ target: Name }>({
  type: "ALIAS",
  code: 65401,
  fields: {
    target: {
      kind: domainName,
      isTarget: true,
      about: "the name whose addresses are returned",
      example: "www.example.net.",
    },
  },
});
