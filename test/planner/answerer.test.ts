import { expect, test } from "vitest";
import { toLookupZone } from "../../src/dns/lookup/lookup.ts";
import { nameKey } from "../../src/dns/name/name.ts";
import { byOwner } from "../../src/dns/zone/owners.ts";
import { answeringOwners, partBelowWildcard } from "../../src/planner/order/answers.ts";
import { domainName } from "../names.ts";
import { zoneOf } from "./world.ts";

const apex = domainName("example.com.");
const zone = zoneOf(`
a A 192.0.2.1
deep.empty A 192.0.2.1
* A 192.0.2.1
*.w A 192.0.2.1
sub NS ns.sub
ns.sub A 192.0.2.53
*.sub A 192.0.2.1
sub.sub NS ns1.example.net.
d DNAME example.net.
old.d A 192.0.2.1
`);
const lookup = toLookupZone(apex, byOwner(zone.records));

/** Absent: no name's records answer, or no wildcard covers the name. */
test.each([
  ["the name itself", "a", ["a"]],
  ["another letter case", "A", ["a"]],
  ["an empty non-terminal", "empty", []],
  ["a wildcard", "x", ["*"], "x"],
  ["a wildcard, several labels deep", "z.y.x", ["*"], "x"],
  ["the closest wildcard", "z.y.w", ["*.w"], "y.w"],
  ["below a name without a wildcard", "x.a", []],
  ["a zone cut", "sub", ["sub"]],
  ["glue, and its zone cut", "ns.sub", ["ns.sub", "sub"]],
  ["below a zone cut, where no wildcard answers (RFC 1034 §4.3.2)", "x.sub", ["sub"]],
  ["the topmost zone cut", "sub.sub", ["sub.sub", "sub"]],
  ["the owner of a DNAME record", "d", ["d"]],
  ["below a DNAME record (RFC 6672 §3.2)", "old.d", ["old.d", "d"]],
  ["a name that does not exist below a DNAME record", "x.d", ["d"]],
])("%s: %s", (_, name, owners, part?: string) => {
  const inside = (text: string) => nameKey(domainName(`${text}.example.com.`));
  expect(answeringOwners(lookup, inside(name))).toEqual(owners.map(inside));
  expect(partBelowWildcard(lookup, inside(name))).toBe(part === undefined ? undefined : inside(part));
});
