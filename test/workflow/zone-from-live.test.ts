import { expect, test } from "vitest";
import type { RdataByType } from "../../src/dns/types/index.ts";
import { asId, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import type { ZoneSettings } from "../../src/dns/zone/zone-settings.ts";
import { apiSettings, apiTimes } from "../../src/targets/api/settings.ts";
import { zoneFromLive } from "../../src/workflow/zones/zone-from-live.ts";
import { domainName } from "../names.ts";

/** A zone with only the required settings. */
const bare: LiveZone["settings"] = {
  type: "master",
  status: "active",
  soa_email: "hostmaster@example.com",
  description: "",
  group: "",
  tags: [],
  axfr_ips: [],
  master_ips: [],
  ttl_sec: 0,
  refresh_sec: 0,
  retry_sec: 0,
  expire_sec: 0,
};

const email = { soa_email: "hostmaster@example.com" };
const slave = { type: "slave", soa_email: "", master_ips: ["192.0.2.53"] } as const;

const rows: [what: string, live: ZoneSettings, defaults: ZoneSettings, written: ZoneSettings][] = [
  ["omits the service's defaults", {}, {}, email],
  [
    "writes values that differ from them",
    { ttl_sec: 300, tags: ["shop"] },
    {},
    { ...email, ttl_sec: 300, tags: ["shop"] },
  ],
  ["writes the status of a disabled zone", { status: "disabled" }, {}, { ...email, status: "disabled" }],
  ["omits the config's defaults", { ttl_sec: 300 }, { ...email, ttl_sec: 300 }, {}],
  [
    "writes values that differ from the config's defaults",
    { ttl_sec: 300 },
    { ttl_sec: 3600 },
    { ...email, ttl_sec: 300 },
  ],
  [
    "writes no empty value in place of a default",
    {},
    { ttl_sec: 3600, tags: ["shop"], group: "shops" },
    { ...email, ttl_sec: 0, tags: [], group: "" },
  ],
  ["applies no defaults to a slave", slave, { ...email, ttl_sec: 3600 }, { type: "slave", master_ips: ["192.0.2.53"] }],
];

test.each(rows)("%s", (_, settings, defaults, written) => {
  const zone = zoneFromLive(
    {
      name: domainName("example.com."),
      id: asId(7),
      defaultTimes: apiTimes,
      settings: { ...bare, ...settings },
      records: [],
    },
    apiSettings,
    defaults,
  );
  expect(zone).toEqual({ name: "example.com.", settings: written, records: [], places: {}, dotlessTargets: [] });
});

test("omits record ids", () => {
  const record = {
    owner: domainName("www.example.com."),
    type: "A",
    ttl: undefined,
    data: { address: "192.0.2.1" } satisfies RdataByType["A"],
  };
  const live = { name: domainName("example.com."), id: asId(7), defaultTimes: apiTimes, settings: bare };
  const { records } = zoneFromLive({ ...live, records: [{ id: asId(9), ...record }] }, apiSettings);
  expect(records).toEqual([record]);
});
