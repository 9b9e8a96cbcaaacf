import { listFirst } from "../../diagnostics/quantities.ts";
import { toLookupZone } from "../../dns/lookup/lookup.ts";
import { type NameKey, nameKey, withoutDot } from "../../dns/name/name.ts";
import { deletionEffect } from "../changes/effects.ts";
import { answeringOwners } from "../order/answers.ts";
import { effectsAt, type Guard, noLimit, type PointerTo } from "../risk/guard.ts";

export const stillReferenced: Guard = {
  guard: "G08",
  title: "still referenced",
  about: "deletes a name that records still point to",
  counts: `Looks for records in the zones with files whose target is a deleted name. ${noLimit}`,
  examples: {
    valid: ["- vpn A 192.0.2.1", "- shop CNAME vpn", "  mail A 192.0.2.2"],
    invalid: {
      lines: ["- vpn A 192.0.2.1", "  www CNAME vpn"],
      finding: "vpn.example.com A: www.example.com points here",
    },
  },
  *check(zone, { pointersTo, hasRecords }) {
    const after = toLookupZone(zone.zone, zone.after);
    for (const name of zone.before.keys()) {
      if (answeringOwners(after, name).length > 0 || hasRecords(name)) continue;
      const pointers = pointersTo(name);
      const from = pointingOwners(pointers);
      if (from.length === 0) continue;
      const text = `${listFirst(from.map(withoutDot))} ${from.length === 1 ? "points" : "point"} here`;
      yield { text, effects: effectsAt(zone, name), facts: pointers.map((pointer) => pointerText(pointer, name)) };
    }
  },
  *checkDeletion(zone, { pointersTo, hasRecords }) {
    for (const name of new Set([zone.name, ...zone.records.map(({ owner }) => owner)].map(nameKey))) {
      const pointers = hasRecords(name) ? [] : pointersTo(name);
      const [first, ...more] = pointingOwners(pointers);
      if (first === undefined) continue;
      const from =
        more.length === 0 ? `${withoutDot(first)} points` : `${withoutDot(first)} and ${more.length} more point`;
      const facts = pointers.map((pointer) => pointerText(pointer, name));
      yield { text: `${from} to ${withoutDot(name)}`, effects: [deletionEffect(zone)], facts };
    }
  },
};

function pointingOwners(pointers: readonly PointerTo[]): NameKey[] {
  return [...new Set(pointers.map(({ owner }) => owner))];
}

function pointerText({ owner, type }: PointerTo, target: NameKey): string {
  return `${owner} ${type} ${target}`;
}
