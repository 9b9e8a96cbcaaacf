import { type NameKey, nameKey } from "../../dns/name/name.ts";
import { writesOf } from "../changes/change.ts";
import { recordEffect } from "../changes/effects.ts";
import { type Finding, type Guard, recordsAt, type ZoneChange } from "../risk/guard.ts";

/** A day, in seconds: a mistake in a record with a longer TTL cannot be reverted in time. */
const longestTtl = 86_400;

export const highTtl: Guard = {
  guard: "G21",
  title: "high TTL",
  about: "raises the TTL of records at the apex, or of NS or MX records, above a day",
  ofNew: true,
  counts: "Compares the TTL with the longest one that the set had. The limit is 86,400 seconds, a day.",
  examples: {
    valid: ["- @ 3600 A 192.0.2.1", "+ @ 86400 A 192.0.2.1"],
    invalid: {
      lines: ["- @ 3600 A 192.0.2.1", "+ @ 172800 A 192.0.2.1"],
      finding: "example.com A: the TTL is 172800 seconds (2 days); the limit is 86400",
    },
  },
  *check(zone) {
    const { plan } = zone;
    const { before: ttlBefore, after: defaultTtl } = plan.defaultTtl;
    const isRaised = defaultTtl > longestTtl && (plan.domainId === undefined || defaultTtl > ttlBefore);
    const setting = zone.effects.filter(({ kind, type }) => kind === "setting" && type === "ttl_sec");
    if (isRaised && setting.length > 0)
      yield { text: `ttl_sec: ${ttlText(defaultTtl)}`, effects: setting } satisfies Finding;
    const longest = longestTtls(zone, ttlBefore);
    for (const write of writesOf(plan)) {
      if (write.kind === "delete") continue;
      const { owner, type, ttl = defaultTtl } = write.after;
      const name = nameKey(owner);
      if (ttl <= longestTtl || !(name === zone.zone || type === "NS" || type === "MX")) continue;
      const old = longest(name, type);
      // The zone's TTL is checked where it is set; a record may fall back to it from a shorter one.
      const isDefault = write.after.ttl === undefined && (isRaised || old === undefined);
      if (isDefault || ttl <= (old ?? 0)) continue;
      yield { text: ttlText(ttl), effects: [recordEffect(write, plan)] } satisfies Finding;
    }
  },
};

/** The longest TTL of a set before its change, undefined for a new set. */
function longestTtls({ before }: ZoneChange, defaultTtl: number): (name: NameKey, type: string) => number | undefined {
  const known = new Map<string, number | undefined>();
  return (name, type) => {
    const key = `${type} ${name}`;
    if (!known.has(key)) {
      const ttls = recordsAt(before, name, type).map(({ ttl = defaultTtl }) => ttl);
      known.set(key, ttls.length === 0 ? undefined : ttls.reduce((most, ttl) => Math.max(most, ttl)));
    }
    return known.get(key);
  };
}

function ttlText(ttl: number): string {
  const days = Math.round(ttl / 8_640) / 10;
  return `the TTL is ${ttl} seconds (${days} days); the limit is ${longestTtl}`;
}
