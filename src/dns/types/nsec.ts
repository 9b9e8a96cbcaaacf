import { Fault } from "../name/fault.ts";
import type { Name } from "../name/name.ts";
import { domainName } from "../rdata/field.ts";
import { typeBitmap } from "../rdata/mnemonic.ts";
import { recordType } from "../rdata/record-type.ts";

/** RFC 4034 §4.1 */
export const NSEC = recordType<{ next: Name; types: readonly string[] }>({
  type: "NSEC",
  fields: {
    next: { kind: domainName, about: "the next name of the zone", example: "host.example.com." },
    types: { kind: typeBitmap, about: "the types at this name", example: "A RRSIG NSEC" },
  },
  check({ types }) {
    if (types.length === 0)
      throw new Fault("field-missing", "NSEC record has no types", 'Add the types, such as "A RRSIG NSEC".');
  },
});
