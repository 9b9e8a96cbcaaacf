import { textOf } from "../policies/kind.ts";
import { parseSpf } from "../policies/spf.ts";
import { countLookups, mostLookups } from "../policies/spf-lookups.ts";
import type { Rule } from "../rule.ts";

const includes = Array.from({ length: 11 }, (_, index) => `include:spf${index}.example.net`).join(" ");

export const spfLookups: Rule = {
  id: "spf-lookups",
  set: "practice",
  severity: "warning",
  why: "Receivers treat an SPF record that causes more than 10 lookups as an error (RFC 7208 §4.6.4): each include, a, mx, ptr, exists and redirect is one, and those of included records count too.",
  example: {
    ok: 'records:\n  "@": { TXT: v=spf1 a mx include:_spf.example.net -all }',
    ko: `records:\n  "@": { TXT: v=spf1 ${includes} -all }`,
  },
  *check(zone) {
    for (const { owner, records } of zone.sets("TXT")) {
      for (const record of records) {
        const policy = parseSpf(textOf(record));
        const count = policy ? countLookups(policy, (name) => (zone.isInside(name) ? zone : undefined), new Set([owner])) : 0; // biome-ignore format: one thought
        if (count <= mostLookups) continue;
        yield {
          summary: `${zone.show(owner)} TXT: the SPF record causes at least ${count} lookups, more than ${mostLookups}`,
          at: record,
          fix: "Write addresses (ip4, ip6) instead of names, or remove services that no longer send.",
        };
      }
    }
  },
};
