import { typesWithAddress } from "../../dns/lookup/find-address.ts";
import { toLookupZone } from "../../dns/lookup/lookup.ts";
import type { NameKey } from "../../dns/name/name.ts";
import { answeringOwners } from "../order/answers.ts";
import { addressTypes, isService } from "../risk/addresses.ts";
import { effectsAt, type Finding, type Guard, listNames } from "../risk/guard.ts";
import type { ZoneAnswers } from "../risk/lookup.ts";

/** Types whose targets need an address. */
const reaching: ReadonlySet<string> = new Set(["ALIAS", "CNAME", "HTTPS", "MX", "NS", "PTR", "SRV", "SVCB"]);

/** A name that stays, but leads to no address any more. One that is deleted: G08. */
export const targetWithoutAddressGuard: Guard = {
  guard: "G28",
  title: "target without address",
  about: "deletes the last address of a name to which records still point",
  of: { kinds: ["change", "delete"], types: typesWithAddress },
  counts: `Looks up the addresses of each changed name to which records of zones with files point, also through aliases. At least one has to remain if there was one.`,
  examples: {
    valid: ["- mail A 192.0.2.25", "+ mail AAAA 2001:db8::25", "  @ MX 10 mail"],
    invalid: {
      lines: ["- mail A 192.0.2.25", "  mail TXT text", "  @ MX 10 mail"],
      finding: "mail.example.com A: deletes the last address; example.com points here",
    },
  },
  *check(zone, context) {
    const after = toLookupZone(zone.zone, zone.after);
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, ...typesWithAddress).filter(({ before }) => before !== null);
      if (effects.length === 0 || (answeringOwners(after, name).length === 0 && !context.hasRecords(name))) continue;
      if (!hasAddress(context.answersBefore, name) || hasAddress(context.answersAfter, name)) continue;
      const pointers = context
        .pointersTo(name)
        .filter(({ owner, type }) => reaching.has(type) && !(type === "CNAME" && isService(owner)));
      const owners = [...new Set(pointers.map(({ owner }) => owner))];
      if (owners.length === 0) continue;
      const text = `deletes the last address; ${listNames(owners)} ${owners.length === 1 ? "points" : "point"} here`;
      yield { text, effects, facts: pointers.map(({ owner, type }) => `${owner} ${type} ${name}`) } satisfies Finding;
    }
  },
};

function hasAddress(answers: ZoneAnswers, name: NameKey): boolean {
  return addressTypes.some((type) => {
    const { records, isKnown } = answers.find(name, type);
    return records.length > 0 || !isKnown;
  });
}
