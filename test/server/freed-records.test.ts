import { beforeEach, expect, test } from "vitest";
import { addUser, setGrant } from "../../src/server/areas/account/users-operator.ts";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { start } from "./start.ts";

let api: Awaited<ReturnType<typeof start>>;

/** A server with the node 1, which has the addresses below. Its jobs end at once. */
beforeEach(async () => {
  api = await start({ jobDriver: simulatedDriver(0), catalog: { ...embeddedCatalog, extra_public_ipv4: 1 } });
  await api.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
});

const first = "198.18.0.2";
const slaac = "2001:db8::f03c:91ff:fe00:1";

async function messageOf(action: string, headers = {}): Promise<string> {
  const { data } = (await api.call("GET", "/account/events", undefined, headers)).body;
  return data.find((event: { action: string }) => event.action === action)?.message;
}

const deletion = async (headers = {}) => {
  await api.call("DELETE", "/node/instances/1");
  return messageOf("node_delete", headers);
};

test("a deletion names the addresses alone if no record has them", async () => {
  await api.domain("example.com", [{ type: "A", name: "www", target: "198.18.0.3" }]);
  expect(await deletion()).toBe(`${first}, ${slaac}`);
});

test.each([
  ["A", "www", first, "www.example.com A"],
  ["A", "", first, "example.com A"],
  ["A", "*.dev", first, "*.dev.example.com A"],
  ["AAAA", "www", slaac, "www.example.com AAAA"],
  ["AAAA", "www", "2001:0DB8:0:0:F03C:91FF:FE00:0001", "www.example.com AAAA"],
])("a deletion names the record %s %j %s", async (type, name, target, named) => {
  await api.domain("example.com", [{ type, name, target }]);
  expect(await deletion()).toBe(`${first}, ${slaac}; still in use by ${named}`);
});

test("a deletion names three records in the order of their domains, and counts the others", async () => {
  const hosts = ["d", "c", "b", "a"].map((name) => ({ type: "A", name, target: first }));
  await api.domain("example.net", [{ type: "A", name: "x", target: first }]);
  await api.domain("example.com", hosts);
  expect(await deletion()).toBe(
    `${first}, ${slaac}; still in use by a.example.com A, b.example.com A, c.example.com A and 2 more`,
  );
});

test("records of other accounts, of other types and with similar addresses are not named", async () => {
  const as = await api.mint({ username: "stranger" });
  const master = { domain: "example.org", type: "master", soa_email: "hostmaster@example.org" };
  const { id } = (await api.call("POST", "/domains", master, { as })).body;
  await api.call("POST", `/domains/${id}/records`, { type: "A", name: "www", target: first }, { as });
  await api.domain("example.com", [
    { type: "TXT", name: "www", target: first },
    { type: "A", name: "www", target: "198.18.0.20" },
    { type: "AAAA", name: "www", target: "2001:db8:1::f03c:91ff:fe00:1" },
  ]);
  expect(await deletion()).toBe(`${first}, ${slaac}`);
});

test("a deleted address, and those that a node leaves in its old region", async () => {
  await api.call("POST", "/node/instances/1/ips", { type: "ipv4", public: true });
  await api.domain("example.com", [
    { type: "A", name: "www", target: first },
    { type: "A", name: "mail", target: "198.18.0.3" },
  ]);
  await api.call("DELETE", "/node/instances/1/ips/198.18.0.3");
  expect(await messageOf("node_deleteip")).toBe("198.18.0.3; still in use by mail.example.com A");
  await api.call("POST", "/node/instances/1/migrate", { region: "us-west" });
  expect(await messageOf("node_migrate_datacenter")).toBe(`${first}; still in use by www.example.com A`);
});

test("restricted users do not learn of records, which may be of domains that they have no grant on", async () => {
  await api.domain("example.com", [{ type: "A", name: "www", target: first }]);
  await addUser(api.store, { username: "ci", account: "admin", restricted: true, now: api.clock.now });
  await setGrant(api.store, "ci", "web-1", "read_write", api.clock.now, "node");
  const as = await api.mint({ username: "ci" });
  await api.call("DELETE", `/node/instances/1`, undefined, { as });
  expect(await messageOf("node_delete", { as })).toBe(`${first}, ${slaac}`);
  expect(await messageOf("node_delete")).toBe(`${first}, ${slaac}; still in use by www.example.com A`);
});
