import { expect, test } from "vitest";
import type { RdataByType } from "../../src/dns/types/index.ts";
import { asId, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import { apiKind } from "../../src/targets/api/kind.ts";
import { apiSettings, apiTimes } from "../../src/targets/api/settings.ts";
import { zoneIntoFile } from "../../src/workflow/zones/merge-zone.ts";
import { zoneFromLive } from "../../src/workflow/zones/zone-from-live.ts";
import { formats } from "../formats/api.ts";
import { domainName } from "../names.ts";

test("keeps records that the service does not support and service-owned records in the file", () => {
  const text = [
    "$TTL 1h",
    "@ SOA ns1.example.net. a.example.org. 1 4h 4h 2w 1h",
    "@ NS ns1.example.net.",
    `@ DS 1 13 2 ${"AB".repeat(32)}`,
    "www 999 A 192.0.2.1",
    "www 999 A 192.0.2.1",
    "gone A 192.0.2.2",
  ].join("\n");
  const file = { file: "example.zone", bytes: Buffer.from(text), origin: domainName("example.") };
  const { zone } = formats.bind.read(file);
  const live: LiveZone = {
    name: domainName("example."),
    id: asId(1),
    defaultTimes: apiTimes,
    settings: {
      type: "master",
      status: "active",
      description: "",
      group: "",
      soa_email: "a@example.org",
      ttl_sec: 3600,
      refresh_sec: 14400,
      retry_sec: 14400,
      expire_sec: 1209600,
      master_ips: [],
      axfr_ips: [],
      tags: [],
    },
    records: [
      {
        id: asId(1),
        owner: domainName("www.example."),
        type: "A",
        ttl: 3600,
        data: { address: "192.0.2.1" } satisfies RdataByType["A"],
      },
      {
        id: asId(2),
        owner: domainName("new.example."),
        type: "A",
        ttl: undefined,
        data: { address: "192.0.2.3" } satisfies RdataByType["A"],
      },
    ],
  };
  const lines = text.replace("\ngone A 192.0.2.2", "\nnew A 192.0.2.3");
  expect(
    Buffer.from(
      formats.bind.rewrite(
        zoneIntoFile(zone, live, zoneFromLive(live, apiSettings), { kind: apiKind, defaults: {} }),
        file,
      ),
    ).toString(),
  ).toBe(lines);
});
