import type { Name } from "../name.ts";
import { domainName, shortText, uint16 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";
import { checkSubstitution } from "../rdata/regexp.ts";

/** RFC 3403 §4.1 */
export const NAPTR = recordType<{
  order: number;
  preference: number;
  flags: string;
  services: string;
  regexp: string;
  replacement: Name;
}>({
  type: "NAPTR",
  code: 35,
  fields: {
    order: { kind: uint16, about: "when it is tried", example: "100" },
    preference: { kind: uint16, about: "when it is tried among those of one order", example: "50" },
    flags: { kind: shortText, about: "how to go on", example: '"s"' },
    services: { kind: shortText, about: "the services", example: '"SIP+D2U"' },
    regexp: { kind: shortText, about: "how the name is rewritten", example: '""' },
    replacement: { kind: domainName, about: "the next name, or .", example: "_sip._udp.example.com." },
  },
  check: ({ regexp }) => checkSubstitution(regexp),
});
