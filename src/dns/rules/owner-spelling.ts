import { spellName } from "../name.ts";
import type { Rule } from "../rule.ts";
import { fromOctets } from "../text.ts";

export const ownerSpelling: Rule = {
  id: "owner-spelling",
  set: "dns",
  severity: "note",
  why: "Letter case makes no other name (RFC 4343), and where the records of a name stand together, as in YAML, one spelling is left.",
  example: {
    format: "bind",
    ok: "$TTL 1h\n;@ soa_email: a@example.com\nwww A 192.0.2.1\nwww AAAA 2001:db8::1",
    ko: "$TTL 1h\n;@ soa_email: a@example.com\nWWW A 192.0.2.1\nwww AAAA 2001:db8::1",
  },
  *check(zone) {
    for (const types of zone.owners.values()) {
      let first: string | undefined;
      for (const { records } of types.values()) {
        first ??= records[0]?.owner;
        const other = records.find(({ owner }) => owner !== first);
        if (first === undefined || other === undefined) continue;
        const [one, two] = [first, other.owner].map((name) => fromOctets(spellName(name, zone.zone.name)));
        const fix = `Write ${one} everywhere, or ${two}.`;
        yield { summary: `${two} is the same name as ${one}`, at: other, about: "owner", fix }; // biome-ignore format: one thought
        break;
      }
    }
  },
};
