// @suite nightly-postgres

import { expect, test } from "vitest";
import { beginSlaves } from "./nameserver/masters.ts";
import { refused, start } from "./start.ts";

/** Addresses of the node that gets the names. */
const four = "198.18.0.2";
const six = "2001:db8::f03c:91ff:fe00:1";

const record = (name: string, type: string, target: string) => ({ name, type, target });

/** Our zones. */
const zones: Record<string, object[]> = {
  "example.com": [
    record("", "A", four),
    record("www", "A", "198.18.0.99"),
    record("www", "A", four),
    record("other", "A", "198.18.0.99"),
    record("Upper", "A", four),
    record("text", "TXT", "198.18.0.2"),
    record("six", "AAAA", "2001:DB8:0:0:F03C:91FF:FE00:1"),
    record("alias", "CNAME", "chain.example.com"),
    record("chain", "CNAME", "www.example.com"),
    record("to-other", "CNAME", "other.example.com"),
    record("across", "CNAME", "www.example.net"),
    record("outside", "CNAME", "www.example.edu"),
    record("loop", "CNAME", "loop2.example.com"),
    record("loop2", "CNAME", "loop.example.com"),
    record("*.wild", "A", four),
    record("there.wild", "TXT", "no address"),
    record("a.empty.wild", "A", four),
    record("child", "NS", "ns.example.edu"),
    record("glue.child", "A", "198.18.0.99"),
    record("off", "A", "198.18.0.99"),
  ],
  "sub.example.com": [record("www", "A", four)],
  "example.net": [record("www", "A", four), record("*", "A", four)],
};

/** The zone of a slave domain, as its master has it. */
const transferred = `$ORIGIN example.org.
@ 300 SOA ns.example.edu. h 7 3600 600 86400 60
@ 300 NS ns.example.edu.
@ 300 A 198.18.0.99
WWW 300 A ${four}
six 300 AAAA ${six}
*.wild 300 A ${four}
there.wild 300 TXT x
child 300 NS ns.example.edu.
alias 300 CNAME www.example.com.
tree 300 DNAME example.com.
`;

/** Each name for an address, and whether it is accepted. */
const rows = `
  ${four} example.com                accepted
  ${four} www.example.com            accepted
  ${four} WWW.Example.COM            accepted
  ${four} www.example.com.           accepted
  ${four} upper.example.com          accepted
  ${four} other.example.com          refused
  ${four} missing.example.com        refused
  ${four} text.example.com           refused
  ${four} six.example.com            refused
  ${six}  six.example.com            accepted
  ${six}  www.example.com            refused
  ${four} alias.example.com          accepted
  ${four} to-other.example.com       refused
  ${four} across.example.com         accepted
  ${four} outside.example.com        accepted
  ${four} loop.example.com           refused
  ${four} any.wild.example.com       accepted
  ${four} a.b.wild.example.com       accepted
  ${four} wild.example.com           refused
  ${four} there.wild.example.com     refused
  ${four} below.there.wild.example.com refused
  ${four} empty.wild.example.com     refused
  ${four} b.empty.wild.example.com   refused
  ${four} a.empty.wild.example.com   accepted
  ${four} child.example.com          accepted
  ${four} glue.child.example.com     accepted
  ${four} www.sub.example.com        accepted
  ${four} sub.example.com            refused
  ${four} any.sub.example.com        refused
  ${four} off.example.com            refused
  ${four} www.off.example.com        refused
  ${four} any.example.net            accepted
  ${four} example.net                refused
  ${four} www.example.edu            accepted
  ${four} www.disabled.example       accepted
  ${four} www.example.org            accepted
  ${four} example.org                refused
  ${four} six.example.org            refused
  ${six}  six.example.org            accepted
  ${four} any.wild.example.org       accepted
  ${four} there.wild.example.org     refused
  ${four} x.child.example.org        accepted
  ${four} alias.example.org          accepted
  ${four} www.tree.example.org       accepted
  ${four} other.tree.example.org     refused
  ${four} www.unknown.example        refused
`;

test("a name in reverse DNS is looked up in all zones of the server", async () => {
  const { call, masters, lookAfter, domain } = await beginSlaves();
  await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
  for (const [name, records] of Object.entries(zones)) await domain(name, records);
  for (const name of ["off.example.com", "disabled.example"])
    await call("PUT", `/domains/${await domain(name, [record("www", "A", four)])}`, { status: "disabled" });
  masters.answers.set("192.0.2.1", transferred);
  await call("POST", "/domains", { domain: "example.org", type: "slave", master_ips: ["192.0.2.1"] });
  await lookAfter(0);
  await call("POST", "/domains", { domain: "unknown.example", type: "slave", master_ips: ["192.0.2.9"] });
  const verdicts: string[] = [];
  for (const [, address, name] of rows.matchAll(/^ {2}(\S+) +(\S+)/gm)) {
    const { status, body } = await call("PUT", `/node/instances/1/ips/${address}`, { rdns: name });
    if (status === 200) expect(body.rdns).toBe(name?.replace(/\.$/, ""));
    else
      expect({ status, body }).toEqual(
        refused([`We were unable to perform a lookup for '${name}' at this time.`, "rdns"]),
      );
    verdicts.push(`${address} ${name} ${status === 200 ? "accepted" : "refused"}`);
  }
  expect(verdicts).toEqual(
    rows
      .trim()
      .split("\n")
      .map((row) => row.trim().replace(/ +/g, " ")),
  );
});

const label63 = "a".repeat(63);
/** 253 characters, the longest name without its final dot. */
const longest = `${[label63, label63, label63, "a".repeat(56)].join(".")}.test`;

test.each<[name: string, why: string]>([
  ["", "no name"],
  [".", "the root"],
  ["host", "a single label (RFC 1123 §2.1 has domain names)"],
  ["host.", "a single label with its dot"],
  ["1.2.3.4", "an IPv4 address"],
  ["198.18.0.2", "its own address"],
  ["198.18.0.2.", "its own address with a dot"],
  ["2001:db8::1", "an IPv6 address"],
  ["x.123", "a top-level domain of digits (RFC 3696 §2)"],
  ["x.0", "the same, of one digit"],
  ["-a.example.net", "a label that starts with a hyphen (RFC 952)"],
  ["a-.example.net", "a label that ends with one"],
  ["a.-.example.net", "a label that is one"],
  ["a.example.-net", "a top-level domain that starts with one"],
  ["a_b.example.net", "an underscore (RFC 952)"],
  ["_sip.example.net", "the name of a service"],
  ["*.example.net", "a wildcard"],
  ["2/25.example.net", "a slash, which only names of delegations have (RFC 2317)"],
  ["a..example.net", "an empty label"],
  [".example.net", "an empty first label"],
  ["www.example.net..", "an empty last label"],
  ["a b.example.net", "a space"],
  ["a@example.net", "a mailbox"],
  ["bücher.example", "letters outside of ASCII"],
  ["a\n.example.net", "a line break"],
  [`${label63}a.example.net`, "a label of 64 octets (RFC 1035 §2.3.4)"],
  [`a${longest}`, "a name of 254 characters"],
])("a name that is no host name is refused: %j, %s", async (name) => {
  const { call } = await start();
  await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
  for (const path of [`/node/instances/1/ips/${four}`, `/networking/ips/${six}`])
    expect(await call("PUT", path, { rdns: name })).toMatchObject(refused(["Domain is not valid.", "rdns"]));
});

test.each([
  "a.bc",
  "3com.example",
  "1.2.3.4.example",
  "x.1a",
  "a--b.example",
  "xn--bcher-kva.example",
  "WWW.Example.EDU.",
  `${label63}.example`,
  longest,
  `${longest}.`,
])("a host name is accepted: %j", async (name) => {
  const { call } = await start();
  await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
  const { status, body } = await call("PUT", `/node/instances/1/ips/${four}`, { rdns: name });
  expect([status, body.rdns]).toEqual([200, name.replace(/\.$/, "")]);
});

test("an address keeps its name when the record, or the domain, that has it is deleted", async () => {
  const { call } = await start();
  await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
  await call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "a@example.com" });
  await call("POST", "/domains/1/records", record("www", "A", four));
  const path = `/node/instances/1/ips/${four}`;
  const name = async () => (await call("GET", path)).body.rdns;
  await call("PUT", path, { rdns: "www.example.com" });
  await call("DELETE", "/domains/1/records/1");
  expect(await name()).toBe("www.example.com");
  expect(await call("PUT", path, { rdns: "www.example.com" })).toEqual(
    refused(["We were unable to perform a lookup for 'www.example.com' at this time.", "rdns"]),
  );
  await call("DELETE", "/domains/1");
  expect(await name()).toBe("www.example.com");
});

test("default names, and names in the reverse zones, are looked up as they are served", async () => {
  const { call, domain } = await start();
  for (let count = 0; count < 2; count++)
    await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
  await domain("example.com", [record("alias", "CNAME", "198-18-0-2.ip.nodes.invalid")]);
  const verdict = async (address: string, rdns: string) =>
    (await call("PUT", `/node/instances/1/ips/${address}`, { rdns })).status === 200 ? "accepted" : "refused";
  for (const [address, name, expected] of [
    [four, "198-18-0-2.ip.nodes.invalid", "accepted"],
    [four, "198-18-0-2.IP.Nodes.Invalid.", "accepted"],
    [four, "alias.example.com", "accepted"],
    [four, "198-18-0-3.ip.nodes.invalid", "refused"],
    [four, "198-18-0-9.ip.nodes.invalid", "refused"],
    [four, "www.ip.nodes.invalid", "refused"],
    [four, "ip.nodes.invalid", "refused"],
    [four, "nodes.invalid", "accepted"],
    [four, "2.0.18.198.in-addr.arpa", "refused"],
    [four, "2.0.20.198.in-addr.arpa", "accepted"],
    [six, "198-18-0-2.ip.nodes.invalid", "refused"],
  ] as const)
    expect([name, await verdict(address, name)]).toEqual([name, expected]);
  await domain("ip.nodes.invalid", [record("www", "A", four)]);
  expect(await verdict(four, "www.ip.nodes.invalid")).toBe("accepted");
  expect(await verdict(four, "198-18-0-2.ip.nodes.invalid")).toBe("refused");
});
