import { expect, test } from "vitest";
import { serversOf } from "../../src/executor/verify/verify-servers.ts";
import { zoneOf } from "../planner/world.ts";

/** The addresses of name servers; lookups of other names fail. */
const addresses: Readonly<Record<string, readonly string[]>> = {
  "ns1.example.net": ["192.0.2.1", "2001:db8::1"],
  "NS2.example.net": ["192.0.2.2", "192.0.2.1"],
  "none.example.net": [],
};

const resolve = async (name: string) => {
  const found = addresses[name];
  if (!found) throw Object.assign(new Error(`queryA ENOTFOUND ${name}`), { code: "ENOTFOUND" });
  return found;
};

const soa = "@ SOA ns1.example.net. ops.example.com. 1 2 3 4 5";

test.each<[string, string, string[]]>([
  [
    "each address of each server, once",
    "@ NS ns1.example.net.\n@ NS NS2.example.net.",
    ["192.0.2.1", "2001:db8::1", "192.0.2.2"],
  ],
  [
    "servers of delegations are not queried",
    "@ NS NS2.example.net.\nlab NS ns1.example.net.",
    ["192.0.2.2", "192.0.2.1"],
  ],
  [
    "names without an address, and unknown ones",
    "@ NS none.example.net.\n@ NS gone.example.net.\n@ NS ns1.example.net.",
    ["192.0.2.1", "2001:db8::1"],
  ],
  ["nobody", "@ NS gone.example.net.", []],
])("servers to query: %s", async (_, text, hosts) => {
  const { records } = zoneOf(`${soa}\n${text}`);
  expect(await serversOf([...records], resolve)).toEqual(hosts.map((host) => ({ host, port: 53 })));
});
