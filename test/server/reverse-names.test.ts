import { expect, test } from "vitest";
import { beginSlaves } from "./nameserver/masters.ts";
import { refused } from "./start.ts";

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
