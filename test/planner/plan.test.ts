import { describe, expect, test } from "vitest";
import { nameKey } from "../../src/dns/name/name.ts";
import { asId, type DesiredZone, type LiveZone } from "../../src/dns/zone/desired-live.ts";
import type { ZoneSettings } from "../../src/dns/zone/zone-settings.ts";
import { isInSync, planZone } from "../../src/planner/plan.ts";
import { apiTimes } from "../../src/targets/api/settings.ts";
import { domainName } from "../names.ts";
import { plan } from "./plan-now.ts";
import { stepsText } from "./steps-text.ts";
import { desiredOf, desiredOpenOf, liveOf, origin, storedSettings } from "./world.ts";

const wanting = (
  settings: Partial<DesiredZone["settings"]>,
  otherTimes: DesiredZone["otherTimes"] = {},
): DesiredZone => ({
  name: domainName("example.com."),
  settings: { type: "master", soa_email: "ops@example.com", ...settings },
  otherTimes,
  defaultTimes: apiTimes,
  records: [],
});
const holding = (settings: ZoneSettings): LiveZone => ({
  name: domainName("example.com."),
  id: asId(7),
  defaultTimes: apiTimes,
  settings: { ...storedSettings({ soa_email: "ops@example.com" }), ...settings },
  records: [],
});

describe("settings", () => {
  test.each<[string, DesiredZone, LiveZone, string]>([
    ["omitted settings are kept", wanting({}), holding({ tags: ["keep"], description: "mine", ttl_sec: 300 }), ""],
    ["texts", wanting({ description: "shop" }), holding({ description: "" }), "= description  -> shop"],
    ["an empty text", wanting({ group: "" }), holding({ group: "a" }), "= group a -> "],
    ["an omitted status is kept", wanting({}), holding({ status: "disabled" }), ""],
    [
      "enabled explicitly",
      wanting({ status: "active" }),
      holding({ status: "disabled" }),
      "= status disabled -> active",
    ],
    ["disabled explicitly", wanting({ status: "disabled" }), holding({ status: "disabled" }), ""],
    ["a time that already equals the default", wanting({ ttl_sec: 86400 }), holding({ ttl_sec: 0 }), ""],
    ["the default instead of its value", wanting({ expire_sec: 0 }), holding({ expire_sec: 1209600 }), ""],
    ["another time", wanting({ ttl_sec: 300 }), holding({ ttl_sec: 3600 }), "= ttl_sec 3600 -> 300"],
    [
      "a time that was rounded up",
      wanting({ refresh_sec: 300 }, { refresh_sec: 3600 }),
      holding({ refresh_sec: 3600 }),
      "",
    ],
    ["lists are sets, without regard to letter case", wanting({ tags: ["b", "A"] }), holding({ tags: ["a", "b"] }), ""],
    [
      "a list without one of its values",
      wanting({ axfr_ips: [] }),
      holding({ axfr_ips: ["192.0.2.1"] }),
      "= axfr_ips 192.0.2.1 -> ",
    ],
    [
      "several, by name",
      wanting({ type: "slave", master_ips: ["192.0.2.53"], status: "disabled" }),
      holding({}),
      "= master_ips  -> 192.0.2.53\n= status active -> disabled\n= type master -> slave",
    ],
  ])("%s", (_, desired, live, expected) => {
    expect(stepsText(planZone(desired, live, {}))).toBe(expected);
  });
});

describe("applies the zone's TTL to records without their own", () => {
  test.each<[string, DesiredZone, LiveZone | undefined, { before: number; after: number }]>([
    ["a new zone without any", wanting({}), undefined, { before: 86400, after: 86400 }],
    ["a new zone", wanting({ ttl_sec: 300 }), undefined, { before: 86400, after: 300 }],
    ["left alone", wanting({}), holding({ ttl_sec: 3600 }), { before: 3600, after: 3600 }],
    ["changed", wanting({ ttl_sec: 300 }), holding({ ttl_sec: 3600 }), { before: 3600, after: 300 }],
    ["back to the default", wanting({ ttl_sec: 0 }), holding({ ttl_sec: 3600 }), { before: 3600, after: 86400 }],
    [
      "rounded up there",
      wanting({ ttl_sec: 300 }, { ttl_sec: 3600 }),
      holding({ ttl_sec: 3600 }),
      { before: 3600, after: 3600 },
    ],
  ])("%s", (_, desired, live, expected) => {
    expect(planZone(desired, live, {}).defaultTtl).toEqual(expected);
  });

  test("a swap's gap lasts as long as the current negative-cache TTL", () => {
    const current = liveOf("$TTL 7200\nwww A 192.0.2.1");
    const { zones } = plan(
      [desiredOf("$TTL 300\nwww CNAME host.example.net.")],
      new Map([[nameKey(current.name), current]]),
    );
    const steps = zones.flatMap((zone) => zone.steps);
    const gap = { owner: domainName("www.example.com."), types: ["A"], seconds: 7200 };
    expect(steps.map(({ kind, gaps }) => ({ kind, gaps }))).toEqual([{ kind: "swap", gaps: [gap] }]);
  });
});

describe("ALIAS records are ordered by what their targets answer", () => {
  test.each<[string, before: string, after: string, steps: string[]]>([
    ["a new one after its target", "", "a ALIAS b\nb A 192.0.2.1", ["+ b A 192.0.2.1", "+ a ALIAS b"]],
    [
      "a mail server after the target of its ALIAS",
      "",
      "@ MX 10 a\na ALIAS b\nb A 192.0.2.1",
      ["+ b A 192.0.2.1", "+ a ALIAS b", "+ @ MX 10 a"],
    ],
    [
      "the target after the ALIAS is gone",
      "a ALIAS b\nb A 192.0.2.1",
      "c A 192.0.2.1",
      ["+ c A 192.0.2.1", "- a ALIAS b", "- b A 192.0.2.1"],
    ],
    [
      "the old target after the ALIAS has another",
      "a ALIAS b\nb A 192.0.2.1",
      "a ALIAS c\nc A 192.0.2.1",
      ["+ c A 192.0.2.1", "~ a ALIAS b -> a ALIAS c", "- b A 192.0.2.1"],
    ],
    [
      "an alias of another ALIAS",
      "",
      "a CNAME b\nb ALIAS c\nc AAAA 2001:db8::1",
      ["+ c AAAA 2001:db8::1", "+ b ALIAS c", "+ a CNAME b"],
    ],
    [
      "a gap of a target is one of the ALIAS that leads there",
      "a ALIAS b\nb A 192.0.2.1",
      "a ALIAS b\nb CNAME c\nc A 192.0.2.1",
      ["+ c A 192.0.2.1", "swap", "  - b A 192.0.2.1", "  + b CNAME c", "gap: a A, b A"],
    ],
  ])("%s", (_, before, after, expected) => {
    const live = liveOf(before);
    const { zones } = plan([desiredOpenOf(after)], new Map([[nameKey(live.name), live]]));
    const gaps = zones.flatMap(({ steps }) => steps.flatMap((step) => step.gaps ?? []));
    const texts = gaps.map(({ owner, types }) => `${owner.replace(/\.example\.com\.$/, "")} ${types}`).sort();
    expect([
      ...zones.flatMap((zone) => stepsText(zone).split("\n")),
      ...(texts.length > 0 ? [`gap: ${texts.join(", ")}`] : []),
    ]).toEqual(expected);
  });
});

test("a zone that becomes a slave keeps stored records: its names would be dark until the first transfer", () => {
  const slave = wanting({ type: "slave", master_ips: ["192.0.2.53"] });
  expect(stepsText(planZone(slave, liveOf("www A 192.0.2.1"), {}))).toBe(
    "= master_ips  -> 192.0.2.53\n= type master -> slave",
  );
});

test("fills a slave that becomes a master like any zone", () => {
  const live = { ...liveOf(""), settings: { ...liveOf("").settings, type: "slave" as const } };
  expect(stepsText(planZone(desiredOf("www A 192.0.2.1\n;@ type: master"), live, {}))).toBe(
    "+ www A 192.0.2.1\n= type slave -> master",
  );
});

test("a plan of several zones: changed ones by name, the others counted, unmanaged ones kept", () => {
  const [same, other, fresh] = ["same", "other", "fresh"].map((name) => nameKey(domainName(`${name}.example.`)));
  const desired = [fresh, same, other].map((name) => desiredOf("www A 192.0.2.1", name));
  const live = new Map(
    [same, other].map((name = origin) => [name, liveOf("www A 192.0.2.1", "documented", name)] as const),
  );
  live.set(domainName("other.example."), liveOf("www A 192.0.2.2", "documented", "OTHER.example."));

  const { zones, inSync, unmanaged } = plan(desired, live, {
    unmanaged: ["b.example.", "a.b.example.", "a.example."].map(domainName),
  });
  expect(zones.map(({ zone, domainId }) => [zone.name, domainId])).toEqual([
    ["fresh.example.", undefined],
    ["other.example.", 1],
  ]);
  expect({ inSync, unmanaged }).toEqual({
    inSync: 1,
    unmanaged: ["a.example.", "b.example.", "a.b.example."],
  });
});

test("a zone without changes is in sync only if it exists", () => {
  expect(isInSync(planZone(wanting({}), undefined, {}))).toBe(false);
  expect(isInSync(planZone(wanting({}), holding({}), {}))).toBe(true);
});

test("a pointer waits until the parent zone answers for its target, also if that zone is not planned", () => {
  const above = liveOf("* A 192.0.2.8");
  const sub = liveOf("a A 192.0.2.1", "documented", "sub.example.com.");
  const org = liveOf("", "documented", "example.org.");
  const desired = [
    desiredOf("www CNAME a.sub.example.com.", "example.org."),
    desiredOf("a A 192.0.2.1\n;@ status: disabled", "sub.example.com."),
  ];
  const live = new Map([org, sub].map((zone) => [nameKey(zone.name), zone]));
  const planned = (around: Parameters<typeof plan>[2]) => {
    const { zones, inSync, unmanaged } = plan(desired, live, around);
    const steps = zones.flatMap(({ steps }) => steps.map(({ needsZones }) => needsZones));
    return { steps, zones: zones.map(({ zone }) => zone.name), inSync, unmanaged };
  };
  const same = { zones: ["sub.example.com.", "example.org."], inSync: 0, unmanaged: [] };
  expect(planned({ neighbors: [above], others: [above.name] })).toEqual({ ...same, steps: [["sub.example.com."]] });
  expect(planned({})).toEqual({ ...same, steps: [undefined] });
});
