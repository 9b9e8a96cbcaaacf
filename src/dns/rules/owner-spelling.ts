import type { Rule } from "../lookup/rule.ts";
import { type Name, spellName } from "../name/name.ts";
import { fromOctets } from "../name/text.ts";

export const ownerSpelling: Rule = {
  id: "owner-spelling",
  *check(zone) {
    for (const types of zone.owners.values()) {
      let first: Name | undefined;
      for (const { records } of types.values()) {
        first ??= records[0]?.owner;
        const other = records.find(({ owner }) => owner !== first);
        if (first === undefined || other === undefined) continue;
        const [one, two] = [first, other.owner].map((name) => fromOctets(spellName(name, zone.zone.name)));
        const fix = `Use one spelling everywhere: "${one}" or "${two}".`;
        yield { summary: `"${two}" is the same name as "${one}"`, at: other, about: "owner", fix };
        break;
      }
    }
  },
};
