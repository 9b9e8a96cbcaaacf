import type { Name } from "../name.ts";
import { sharedName } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

/** An obsolete type whose RDATA is one name (RFC 1035 §3.3). */
function ofName(type: string, about: string) {
  return recordType<{ target: Name }>({
    type,
    fields: { target: { kind: sharedName, about, example: "host.example.com." } },
  });
}

/** RFC 1035 §3.3.3 */
export const MB = ofName("MB", "the host of the mailbox");
/** RFC 1035 §3.3.6 */
export const MG = ofName("MG", "a mailbox of the group");
/** RFC 1035 §3.3.8 */
export const MR = ofName("MR", "the new name of the mailbox");

/** RFC 1035 §3.3.7 */
export const MINFO = recordType<{ responsible: Name; errors: Name }>({
  type: "MINFO",
  fields: {
    responsible: { kind: sharedName, about: "the mailbox of the responsible person", example: "owner.example.com." },
    errors: { kind: sharedName, about: "the mailbox for errors", example: "errors.example.com." },
  },
});
