import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { digestEffects, effectsOf } from "../../src/planner/changes/effects.ts";
import { domainName } from "../names.ts";
import { plan } from "./plan-now.ts";
import { desiredOf, liveOf } from "./world.ts";

const live = (text: string) => new Map([[domainName("example.com."), liveOf(text)]]);
const lines = (made: ReturnType<typeof plan>) =>
  effectsOf(made).map(({ zone, kind, name, type, before, after }) =>
    [zone, kind, name, type, before, after].join(" | "),
  );

test("effects of records and settings: absolute lower-case names, TTLs before and after", () => {
  const made = plan(
    [desiredOf("$TTL 7200\nWWW 300 A 192.0.2.2\nnew A 192.0.2.3\nShop A 192.0.2.4\nkeeps 3600 A 192.0.2.5")],
    live("www 300 A 192.0.2.1\nold 600 A 192.0.2.9\nshop CNAME Shops.Example.NET.\nkeeps A 192.0.2.5"),
  );
  expect(lines(made)).toEqual([
    "example.com. | setting | example.com. | ttl_sec | 3600 | 7200",
    "example.com. | change | keeps.example.com. | A | default(3600) 192.0.2.5 | 3600 192.0.2.5",
    "example.com. | create | new.example.com. | A |  | default(7200) 192.0.2.3",
    "example.com. | delete | old.example.com. | A | 300 192.0.2.9 | ",
    "example.com. | create | shop.example.com. | A |  | default(7200) 192.0.2.4",
    "example.com. | delete | shop.example.com. | CNAME | default(3600) shops.example.net. | ",
    "example.com. | change | www.example.com. | A | 300 192.0.2.1 | 300 192.0.2.2",
  ]);
});

test("effects of a new zone", () => {
  const zone = desiredOf("@ A 192.0.2.1", "new.example.");
  const made = plan([{ ...zone, settings: { ...zone.settings, tags: ["B", "a"], ttl_sec: 0 } }], new Map());
  expect(lines(made)).toEqual([
    "new.example. | create | new.example. | A |  | default(86400) 192.0.2.1",
    "new.example. | domain | new.example. | master |  | active",
    'new.example. | setting | new.example. | soa_email |  | "ops@example.com"',
    'new.example. | setting | new.example. | tags |  | ["a","b"]',
    "new.example. | setting | new.example. | ttl_sec |  | 86400",
  ]);
});

test("deletes both copies of a value that is stored twice", () => {
  expect(lines(plan([desiredOf("")], live("www A 192.0.2.1\nwww A 192.0.2.1")))).toEqual([
    "example.com. | delete | www.example.com. | A | default(3600) 192.0.2.1 | ",
    "example.com. | delete | www.example.com. | A | default(3600) 192.0.2.1 | ",
  ]);
});

test("the digest of effects: SHA-256 of their sorted lines", () => {
  const effects = effectsOf(plan([desiredOf("www A 192.0.2.1")], live("")));
  const line = '["example.com.","www.example.com.","A","create",null,"default(3600) 192.0.2.1"]';
  expect(digestEffects(effects)).toBe(createHash("sha256").update(line).digest("hex"));
  expect(digestEffects([])).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});
