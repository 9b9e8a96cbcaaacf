import { formatDuration } from "../duration.ts";
import type { Rule } from "../rule.ts";
import type { ZoneSettings } from "../zone-settings.ts";

export const soaTimes: Rule = {
  id: "soa-times",
  *check({ zone }) {
    const { settings, places } = zone;
    const problem = settings.type === "slave" ? undefined : findWrongOrder(settings);
    if (!problem) return;
    const [setting, summary, fix] = problem;
    const soa = zone.records.find(({ type }) => type === "SOA");
    yield { summary, at: places[setting] ?? soa, fix };
  },
};

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
