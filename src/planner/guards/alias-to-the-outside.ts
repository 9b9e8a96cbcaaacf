import { typesWithAddress } from "../../dns/lookup/find-address.ts";
import { type NameKey, nameKey, withLabel, withoutDot } from "../../dns/name/name.ts";
import { addressTypes } from "../risk/addresses.ts";
import { effectsAt, type Finding, type Guard, type GuardContext, noLimit } from "../risk/guard.ts";
import { aliasesOf } from "../risk/policies.ts";

/** The names that users know, and that someone else controls from then on. */
export const aliasToTheOutside: Guard = {
  guard: "G32",
  title: "alias to the outside",
  about: "makes the apex, www or mail an alias of a name in no managed zone",
  of: { types: typesWithAddress },
  counts: `Follows the aliases of the apex, www and mail before and after the plan. A change from one unmanaged name to another is fine. ${noLimit}`,
  examples: {
    valid: ["- www A 192.0.2.1", "+ www CNAME shop", "  shop A 192.0.2.1"],
    invalid: {
      lines: ["- www A 192.0.2.1", "+ www CNAME shop.example.net."],
      finding: "www.example.com A, CNAME: points www.example.com to shop.example.net, which is in no managed zone",
    },
  },
  *check(zone, context) {
    for (const name of zone.changedNames) {
      const effects = effectsAt(zone, name, ...typesWithAddress);
      if (effects.length === 0 || leftTo(name, context) === undefined) continue;
      for (const one of [name, ...aliasesOf(context, name, ["ALIAS", "CNAME"])]) {
        const around = context.answersAfter.zoneOf(one);
        const target = around !== undefined && isKnownName(one, around) ? leftTo(one, context) : undefined;
        if (target === undefined) continue;
        const text = `points ${withoutDot(one)} to ${withoutDot(target)}, which is in no managed zone`;
        yield { text, effects, facts: [`${one} ${target}`] } satisfies Finding;
      }
    }
  },
};

function isKnownName(name: NameKey, zone: NameKey): boolean {
  return name === zone || ["www", "mail"].some((label) => name === nameKey(withLabel(label, zone)));
}

/** The unmanaged name to which the aliases of a name lead, unless they led to one before or the name had no address. */
function leftTo(name: NameKey, { answersBefore, answersAfter }: GuardContext): NameKey | undefined {
  const { isKnown, decidedBy } = answersAfter.find(name, "A");
  if (isKnown || decidedBy === undefined || decidedBy === name || answersAfter.isManaged(decidedBy)) return undefined;
  const wasManaged = addressTypes.some((type) => {
    const { records, decidedBy: before } = answersBefore.find(name, type);
    return records.length > 0 || (before !== undefined && answersBefore.isManaged(before));
  });
  return wasManaged ? decidedBy : undefined;
}
