import { expect, test } from "vitest";
import type { Zone } from "../../src/dns/zone/zone.ts";
import { settingChanges } from "../../src/planner/plan.ts";
import { apiKindWith } from "../../src/targets/api/kind.ts";
import { filesKind } from "../../src/targets/files/kind.ts";
import { powerDnsKind } from "../../src/targets/powerdns/kind.ts";
import { rfc2136Kind } from "../../src/targets/rfc2136/kind.ts";
import type { TargetKind } from "../../src/targets/target.ts";
import { domainName } from "../names.ts";

/** A file of a project with targets of all kinds, with each setting of each of them. */
const zone: Zone = {
  name: domainName("two.example."),
  settings: {
    type: "master",
    status: "active",
    description: "the shop",
    group: "shops",
    soa_email: "hostmaster@two.example",
    ttl_sec: 3600,
    refresh_sec: 7200, // other than the default, which a plan does not write
    retry_sec: 3600,
    expire_sec: 604_800,
    axfr_ips: ["192.0.2.53"],
    tags: ["production"],
    kind: "Native",
    api_rectify: "true",
    soa_edit_api: "OFF",
  },
  records: [],
  places: {},
  dotlessTargets: [],
};

const ofApi = [
  "axfr_ips",
  "description",
  "expire_sec",
  "group",
  "refresh_sec",
  "retry_sec",
  "soa_email",
  "status",
  "tags",
  "ttl_sec",
  "type",
];

const kinds: [kind: string, target: TargetKind, settings: string[]][] = [
  ["api", apiKindWith("documented"), ofApi],
  ["api with open records", apiKindWith("open"), ofApi],
  ["powerdns", powerDnsKind, ["api_rectify", "kind", "soa_edit_api"]],
  ["rfc2136", rfc2136Kind, []],
  ["files", filesKind, []],
];

// A setting that a service cannot store would differ from the file after each apply.
test.each(kinds)("a target of the kind %s sees only its own settings", (_, { accept }, settings) => {
  const { desired } = accept(zone);

  expect(Object.keys(desired.settings).toSorted()).toEqual(settings);
  expect(settingChanges(desired, {}).map(({ name }) => name)).toEqual(settings);
});
