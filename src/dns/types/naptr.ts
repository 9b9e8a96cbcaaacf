import type { Name } from "../name/name.ts";
import { domainName, type FieldKind, shortText, uint16 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";
import { checkSubstitution } from "../rdata/regexp.ts";

/** Checked where it is read, so that an error has its place. */
const substitution: FieldKind<string> = {
  ...shortText,
  read: (tokens, field) => checkSubstitution(shortText.read(tokens, field)),
  decode: (wire) => checkSubstitution(shortText.decode(wire)),
};

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
  fields: {
    order: { kind: uint16, about: "the order in which rules are tried, lowest first", example: "100" },
    preference: { kind: uint16, about: "the preference among rules of the same order, lowest first", example: "50" },
    flags: { kind: shortText, about: "the next step after the rewrite", example: '"s"' },
    services: { kind: shortText, about: "the services", example: '"SIP+D2U"' },
    regexp: { kind: substitution, about: "the substitution expression", example: '""' },
    replacement: { kind: domainName, about: 'the replacement name, or "."', example: "_sip._udp.example.com." },
  },
});
