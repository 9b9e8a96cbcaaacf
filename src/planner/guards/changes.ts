import { durationInWords } from "../../diagnostics/time.ts";
import { isWildcard, type NameKey, nameKey } from "../../dns/name/name.ts";
import { canonical } from "../../dns/zone/zone.ts";
import { findSetting, type SettingValue } from "../../dns/zone/zone-settings.ts";
import { writesOf } from "../changes/change.ts";
import { recordEffect } from "../changes/effects.ts";
import { effectsAt, type Finding, type Guard, recordsAt, type ZoneChange } from "./guard.ts";

/** A day, in seconds: a mistake in a record with a longer TTL cannot be reverted in time. */
const longestTtl = 86_400;

export const longTtls: Guard = {
  guard: "G21",
  title: "high TTL",
  about: "the TTL of records at the apex, or of NS or MX records, is raised above a day",
  ofNew: true,
  *check(zone) {
    const { plan } = zone;
    const { before: usualBefore, after: usual } = plan.defaultTtl;
    const isRaised = usual > longestTtl && (plan.domainId === undefined || usual > usualBefore);
    const setting = zone.effects.filter(({ kind, type }) => kind === "setting" && type === "ttl_sec");
    if (isRaised && setting.length > 0)
      yield { text: `ttl_sec: ${ttlText(usual)}`, effects: setting } satisfies Finding;
    const longest = longestTtls(zone, usualBefore);
    for (const write of writesOf(plan)) {
      if (write.kind === "delete") continue;
      const { owner, type, ttl = usual } = write.after;
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

/** A zone of a secondary expires there; a secondary zone of the account has the time of its primary. */
export const shortExpire: Guard = {
  guard: "G29",
  title: "SOA expire",
  about: "the time after which secondaries stop answering (expire_sec) is lowered below a day",
  ofNew: true,
  *check({ effects, plan }, { thresholds: { expire_sec_least: least } }) {
    if (plan.zone.settings.type === "slave") return;
    for (const effect of effects) {
      if (effect.kind !== "setting" || effect.type !== "expire_sec") continue;
      const [was, is] = [effect.before, effect.after].map((text) =>
        Number(text === null ? Infinity : JSON.parse(text)),
      );
      if (was === undefined || is === undefined || is >= least || is >= was) continue;
      const text = `secondaries stop answering after ${durationInWords(is)} without a refresh (expire_sec); the limit is ${durationInWords(least)}`;
      yield { text, effects: [effect] } satisfies Finding;
    }
  },
};

/** The longest TTL of a set before its change, undefined for a new set. */
function longestTtls({ before }: ZoneChange, usual: number): (name: NameKey, type: string) => number | undefined {
  const known = new Map<string, number | undefined>();
  return (name, type) => {
    const key = `${type} ${name}`;
    if (!known.has(key)) {
      const ttls = recordsAt(before, name, type).map(({ ttl = usual }) => ttl);
      known.set(key, ttls.length === 0 ? undefined : ttls.reduce((most, ttl) => Math.max(most, ttl)));
    }
    return known.get(key);
  };
}

function ttlText(ttl: number): string {
  const days = Math.round(ttl / 8_640) / 10;
  return `the TTL is ${ttl} seconds (${days} days); the limit is ${longestTtl}`;
}

/** The addresses of a setting, in lower case. */
export function addressesIn(value: SettingValue | undefined): string[] {
  return Array.isArray(value) ? value.map((address: string) => address.toLowerCase()) : [];
}

/** Changes of the addresses that may transfer the zone, and of its masters. */
export const transfers: Guard = {
  guard: "G22",
  title: "zone transfers",
  about: "zone transfers are opened (axfr_ips), or the masters change (master_ips)",
  ofNew: true,
  *check({ effects, plan }, { secondaries, settings }) {
    for (const effect of effects.filter(({ kind }) => kind === "setting")) {
      const { transfers } = findSetting(settings, effect.type) ?? {};
      if (transfers === undefined) continue;
      const [were, are] = [effect.before, effect.after].map((text) =>
        text === null ? [] : addressesIn(JSON.parse(text) as SettingValue),
      );
      const isNew = plan.domainId === undefined;
      const added = (are ?? []).filter((address) => !were?.includes(address) && !(isNew && secondaries().has(address)));
      const text =
        transfers === "to"
          ? added.length > 0 && `lets ${list(added)} transfer the zone`
          : !isNew &&
            (were?.length ?? 0) > 0 &&
            `transfers the zone from ${list(are ?? [])} instead of ${list(were ?? [])}`;
      if (text) yield { text, effects: [effect] } satisfies Finding;
    }
  },
};

function list(addresses: readonly string[]): string {
  if (addresses.length === 0) return "no server";
  const more = addresses.length > 3 ? ` and ${addresses.length - 3} more` : "";
  return `${addresses.slice(0, 3).join(", ")}${more}`;
}

export const wildcardValues: Guard = {
  guard: "G23",
  title: "wildcard changed",
  about: "the records of a wildcard change",
  *check(zone) {
    for (const name of zone.changedNames) {
      if (!isWildcard(name)) continue;
      for (const type of new Set(effectsAt(zone, name).map((effect) => effect.type))) {
        const [were, are] = [zone.before, zone.after].map((owners) =>
          recordsAt(owners, name, type)
            .map((record) => canonical(record))
            .sort(),
        );
        if (!were?.length || !are?.length || were.join("\n") === are.join("\n")) continue;
        const text = `${type} of every name that does not exist changes`;
        yield { text, effects: effectsAt(zone, name, type) } satisfies Finding;
      }
    }
  },
};

/** An apex that loses its addresses of one family and keeps or gets those of the other. */
export const apexFamily: Guard = {
  guard: "G15",
  title: "apex address family",
  about: "the apex loses its addresses of one family",
  *check(zone) {
    for (const [lost, kept, family] of [
      ["A", "AAAA", "IPv4"],
      ["AAAA", "A", "IPv6"],
    ] as const) {
      const count = recordsAt(zone.before, zone.zone, lost).length;
      if (count === 0 || recordsAt(zone.after, zone.zone, lost).length > 0) continue;
      const keptRecords = recordsAt(zone.after, zone.zone, kept);
      const stays = keptRecords.length;
      if (stays === 0) continue; // the last address: G03
      const records = `${count} ${lost} record${count === 1 ? "" : "s"}`;
      const text = `deletes the last ${family} address (${records}); ${stays} ${kept} record${stays === 1 ? "" : "s"} remain${stays === 1 ? "s" : ""}`;
      const facts = keptRecords.map((record) => `${zone.zone} ${kept} ${canonical(record)}`);
      yield { text, effects: effectsAt(zone, zone.zone, lost), facts } satisfies Finding;
    }
  },
};
