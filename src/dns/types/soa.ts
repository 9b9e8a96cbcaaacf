import { asName, labels, type Name, octets, parent, readName, spellLabel } from "../name/name.ts";
import { fromOctets, toOctets } from "../name/text.ts";
import { duration, sharedName, uint32 } from "../rdata/field.ts";
import { recordType } from "../rdata/record-type.ts";

export interface Soa {
  readonly mname: Name;
  readonly rname: Name;
  readonly serial: number;
  readonly refresh: number;
  readonly retry: number;
  readonly expire: number;
  readonly minimum: number;
}

/** RFC 1035 §3.3.13 */
export const SOA = recordType<Soa>({
  type: "SOA",
  fields: {
    mname: { kind: sharedName, about: "the primary name server", example: "ns1.example.net." },
    rname: { kind: sharedName, isMailbox: true, about: "the contact's mailbox", example: "hostmaster.example.com." },
    serial: { kind: uint32, about: "the version of the zone", example: "1" },
    refresh: { kind: duration, about: "the interval between checks of a secondary", example: "14400" },
    retry: { kind: duration, about: "the interval between checks after a failure", example: "3600" },
    expire: {
      kind: duration,
      about: "the time after which a secondary without its primary stops answering",
      example: "1209600",
    },
    minimum: { kind: duration, about: "the TTL of negative responses", example: "3600" },
  },
});

/** `hostmaster@example.com` → `hostmaster.example.com.`; a dot before the @ is escaped (RFC 1035 §8). */
export function emailToName(email: string): Name {
  const at = email.lastIndexOf("@");
  return asName(`${spellLabel(toOctets(email.slice(0, at)))}.${toOctets(email.slice(at + 1)).replace(/\.$/, "")}.`);
}

/** Whether an e-mail address can be in an SOA record: the part before the `@` becomes one label. */
export function isMailbox(email: string): boolean {
  if (!/^[!-?A-~]+@[\w/-]+(?:\.[\w/-]+)*$/.test(email)) return false;
  try {
    return readName(emailToName(email)) !== ".";
  } catch {
    return false;
  }
}

/**
 * The e-mail address that the contact of an SOA record means: also with an `@` where its first dot should be, a common
 * mistake. Undefined if it means none, such as `.`.
 */
export function contactOf(rname: Name): string | undefined {
  const asWritten = fromOctets(labels(rname).map(octets).join("."));
  return [nameToEmail(rname), asWritten].find(isMailbox);
}

/** `john\.doe.example.com.` → `john.doe@example.com`. */
export function nameToEmail(name: Name): string {
  return `${fromOctets(octets(labels(name)[0] ?? ""))}@${parent(name).slice(0, -1)}`;
}
