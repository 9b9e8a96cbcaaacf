import type { Rule } from "../lookup/rule.ts";
import { labels } from "../name/name.ts";
import { isKeyOwner, meantText } from "../policies/kind.ts";
import { parseTags, valuesOf } from "../policies/tags.ts";
import { distinct, type ZoneRecord } from "../zone/zone.ts";

/** Policies that must be unique at a name. */
const policies: readonly [start: string, label: string | undefined][] = [
  ["v=spf1", undefined],
  ["v=dmarc1", "_dmarc"],
  ["v=stsv1", "_mta-sts"],
  ["v=tlsrptv1", "_tls"],
  ["v=bimi1", "_bimi"],
];

export const singlePolicy: Rule = {
  id: "single-policy",
  types: ["TXT"],
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      if (records.length < 2) continue;
      for (const [start, label] of policies) {
        if (label !== undefined && !owner.split(".").includes(label)) continue;
        const found = distinct(records.filter((record) => startsWith(record, start)));
        if (found[1]) {
          yield {
            summary: `${zone.show(owner)} has ${found.length} TXT records that start with "${start}"`,
            at: found[1],
            fix: "Merge them into one.",
          };
        }
      }
      const keys = isKeyOwner(labels(owner)) ? distinct(records.filter(isKey)) : [];
      if (keys[1])
        yield {
          summary: `${zone.show(owner)} has ${keys.length} DKIM keys`,
          at: keys[1],
          fix: "Give each key a selector of its own.",
        };
    }
  },
};

function isKey(record: ZoneRecord<"TXT">): boolean {
  return valuesOf(parseTags(meantText(record)), "p").length > 0;
}

function startsWith(record: ZoneRecord<"TXT">, start: string): boolean {
  const text = meantText(record).toLowerCase();
  return text.startsWith(start) && /^(?:[ ;]|$)/.test(text.slice(start.length));
}
