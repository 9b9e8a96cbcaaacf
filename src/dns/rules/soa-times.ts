import type { Rule } from "../lookup/rule.ts";
import { formatDuration } from "../name/duration.ts";
import type { RdataByType } from "../types/index.ts";
import type { ZoneSettings } from "../zone/zone-settings.ts";

export const soaTimes: Rule = {
  id: "soa-times",
  *check(zone) {
    const { settings, places } = zone.zone;
    if (settings.type === "slave") return;
    const [soa] = zone.sets("SOA")[0]?.records ?? [];
    const problem = findWrongOrder(settings) ?? (soa && findZero(soa.data));
    if (!problem) return;
    const [setting, summary, fix] = problem;
    yield { summary, at: places[setting] ?? soa, fix };
  },
};

/** In an SOA record 0 is a time, unlike in a setting of the service. */
function findZero(soa: RdataByType["SOA"]): [string, string, string] | undefined {
  for (const [field, advice] of zeroes)
    if (soa[field] === 0) return [`${field}_sec`, `the ${field} of the SOA record is 0`, advice];
  return undefined;
}

const zeroes = [
  ["refresh", "Set refresh to a few hours."],
  ["retry", "Set retry to an hour or less."],
  ["expire", "Set expire to one week or more."],
] as const;

/** 0 means the default of the service, which is unknown here. */
function findWrongOrder(settings: ZoneSettings): [string, string, string] | undefined {
  const { refresh_sec: refresh, retry_sec: retry, expire_sec: expire } = settings;
  const shown = (seconds: number) => formatDuration(seconds);
  if (refresh && retry && retry > refresh)
    return [
      "retry_sec",
      `retry (${shown(retry)}) is longer than refresh (${shown(refresh)})`,
      `Set retry to at most ${shown(refresh)}.`,
    ];
  if (expire && expire < (refresh || 0) + (retry || 0)) {
    const least = (refresh || 0) + (retry || 0);
    return [
      "expire_sec",
      `expire (${shown(expire)}) is shorter than refresh and retry together (${shown(least)})`,
      "Set expire to one week or more.",
    ];
  }
  return undefined;
}
