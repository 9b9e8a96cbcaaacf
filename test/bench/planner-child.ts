import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nameKey } from "../../src/dns/name/name.ts";
import { asId, type DesiredZone, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import type { Zone } from "../../src/dns/zone/zone.ts";
import { accept } from "../../src/targets/api/accept.ts";
import { apiTimes } from "../../src/targets/api/settings.ts";
import { readBind } from "../formats/api.ts";
import { domainName } from "../names.ts";
import { plan } from "../planner/plan-now.ts";

/**
 * From master files in memory to a plan, in a process of its own: prints how long reading and planning took, what of
 * that the processors worked, the number of writes, and the peak of its memory.
 */
const [folder = ""] = process.argv.slice(2);
const texts = (side: string) =>
  readdirSync(join(folder, side)).map((file) => ({ file, bytes: readFileSync(join(folder, side, file)) }));
const [current, desired] = [texts("current"), texts("desired")];

const cpu = process.cpuUsage();
const begin = performance.now();
const live = new Map(current.map(zoneOf).map((zone, index) => [nameKey(zone.name), stored(zone, index + 1)]));
const wanted: DesiredZone[] = desired.map((text) => accept(zoneOf(text)).desired);
const read = performance.now();
const { zones } = plan(wanted, live);
const end = performance.now();
const { user, system } = process.cpuUsage(cpu);
const writes = zones.reduce((sum, { steps }) => sum + steps.reduce((all, step) => all + step.writes.length, 0), 0);
console.log(
  JSON.stringify({
    readMs: read - begin,
    planMs: end - read,
    cpuMs: (user + system) / 1000,
    writes,
    peakBytes: process.resourceUsage().maxRSS * 1024,
  }),
);

function zoneOf({ file, bytes }: { file: string; bytes: Buffer }): Zone {
  return readBind({ file, bytes, origin: domainName(`${file.slice(0, -".zone".length)}.`) }).zone;
}

/** As a service that rounds to the nearest stores it. */
function stored(zone: Zone, id: number): LiveZone {
  const { name, settings, records } = accept(zone).desired;
  const times = { ttl_sec: 0, refresh_sec: 0, retry_sec: 0, expire_sec: 0 };
  const texts = { soa_email: "", description: "", group: "", status: "active" } as const;
  const lists = { tags: [], axfr_ips: [], master_ips: [] };
  return {
    name,
    id: asId(id),
    defaultTimes: apiTimes,
    settings: { ...times, ...texts, ...lists, ...settings },
    records: records.map(({ owner, type, ttl, data }, index) => ({ owner, type, ttl, data, id: asId(index + 1) })),
  };
}
