import { expect, test } from "vitest";
import { nameCase, readCases } from "../findings/cases.ts";
import { validate } from "../findings/zonewright.ts";

/** Faulty cases of test/cases/findings/faulty.txt that no rule finds yet. */
const notYet = new Set([
  "alias: CNAME loop through another zone of the project",
  "alias: wildcard CNAME to a missing name below the same wildcard",
  "alias: DNAME to a name below itself, which never ends (RFC 6672 §2.2)",
  "target: MX to a name with only a text",
  "target: MX to an empty non-terminal",
  "target: MX to an empty non-terminal, which hides the wildcard (RFC 4592 §2.2.2)",
  "target: MX to a name that a wildcard gives only a text",
  "target: MX to a missing name in a delegated zone of the project",
  "target: SRV to a name with only a text",
  "target: SRV to an empty non-terminal",
  "target: name server with only a text",
  "target: name server of the zone below a delegation, without glue and missing in that zone (RFC 1034 §4.2.1)",
  "target: CNAME to an empty non-terminal",
  "delegation: two zones whose name servers are in each other, without glue",
  "delegation: DS without NS (RFC 4035 §2.4)",
  "unread: SPF version and first term without a space (RFC 7208 §4.5)",
  'unread: SPF without "v="',
  "unread: SPF version 2",
  "unread: SPF in the type SPF alone (RFC 7208 §3.1)",
  "unread: DMARC name without its underscore",
  "unread: DMARC at the apex",
  "unread: DMARC below the name of a host in the wrong order",
  "unread: DKIM name without its underscore",
  "unread: DKIM name in the plural",
  "unread: DKIM key without a selector",
  "unread: TLS reporting with its labels swapped (RFC 8460 §3)",
  "unread: MTA-STS at the name of the policy host (RFC 8461 §3.1)",
  "unread: MTA-STS at the apex",
  "unread: BIMI without a selector",
  "spf-tree: policy includes itself",
  "spf-tree: two policies include each other",
  "spf-tree: redirect loop",
  "spf-tree: include of a name without a policy (RFC 7208 §5.2)",
  "spf-tree: include of a missing name (RFC 7208 §5.2)",
  "spf-tree: redirect to a name without a policy (RFC 7208 §6.1)",
  "spf-tree: URL in an include",
  "spf-tree: more than two lookups without an answer (RFC 7208 §4.6.4)",
  "spf-tree: every IPv4 address",
  "spf-tree: every IPv4 address in two halves",
  "spf-tree: a quarter of all IPv4 addresses",
  "spf-tree: every IPv6 address",
  "spf-tree: prefix length 0 at a mechanism",
  "spf-tree: include of a name without a policy in another zone of the project",
  "dkim: two keys at one selector (RFC 6376 §3.6.2.2)",
  "dkim: only SHA-1 (RFC 8301 §3.1)",
  "dmarc: reports to a zone of the project that does not accept them (RFC 7489 §7.1)",
  "dmarc: reports to a zone of the project that accepts those of another domain (RFC 7489 §7.1)",
  "mail: null MX with a preference (RFC 7505 §3)",
  "mail: MTA-STS without the host of its policy (RFC 8461 §3.3)",
  "mail: BIMI logo that is no SVG file",
  "mail: BIMI while DMARC asks for nothing",
  "caa: name of the authority instead of its domain (RFC 8659 §4.2)",
  "caa: misspelled tag",
  "caa: critical record with an unknown tag, which forbids every certificate (RFC 8659 §4.5)",
  'caa: flags 1 for "critical" (RFC 8659 §4.1)',
  "caa: certificates forbidden and allowed (RFC 8659 §4.2)",
  "caa: account without a value (RFC 8657 §3)",
  "caa: account that is no URI (RFC 8657 §3)",
  "caa: parameter with an underscore (RFC 8659 §4.2)",
  "caa: unknown validation method (RFC 8657 §4)",
  "service: SRV that says there is no service, beside one (RFC 2782)",
  "service: SRV labels swapped (RFC 2782)",
  "service: SRV labels without underscores (RFC 2782)",
  "service: HTTPS alias with parameters (RFC 9460 §2.4.2)",
  "service: HTTPS alias to itself (RFC 9460 §2.4.2)",
  "service: HTTPS alias to a missing name",
  "service: HTTPS aliases in a loop",
  "service: HTTPS service at a missing name",
  "service: HTTPS alias beside services (RFC 9460 §2.4.1)",
  "service: URI without a target (RFC 7553 §4.4)",
  "service: URI whose target has no scheme (RFC 7553 §4.4)",
  "service: NAPTR with an expression and a replacement (RFC 3403 §4.1)",
  "digest: DS with digest type and algorithm swapped",
  "digest: SSHFP with the reserved algorithm 0 (RFC 4255 §3.1.1)",
  "digest: TLSA with SHA-256 and the length of SHA-1 (RFC 6698 §2.1.3)",
  "digest: TLSA with SHA-512 and the length of SHA-256 (RFC 6698 §2.1.3)",
  "digest: TLSA with a digest where the certificate itself is expected (RFC 6698 §2.1.3)",
  "digest: TLSA with selector 2 (RFC 6698 §2.1.2)",
  "digest: TLSA without port and protocol (RFC 6698 §3)",
  "digest: TLSA port without its underscore (RFC 6698 §3)",
  "digest: SMIMEA with SHA-256 and the length of SHA-1 (RFC 8162 §2)",
  "digest: ZONEMD below the apex (RFC 8976 §2)",
  "zone: address below a DNAME (RFC 6672 §2.4)",
  "zone: two DNAME records at one name (RFC 6672 §2.4)",
  "zone: SOA refresh 0",
  "zone: SOA retry 0",
  "zone: SOA expire 0",
  "zone: asterisk in the middle of a label, which is no wildcard (RFC 4592 §2.1.1)",
  "zone: asterisk as a later label, which is no wildcard (RFC 4592 §2.1.1)",
  "zone: whole address as a name of the reverse zone",
  "zone: host number above 255 in the reverse zone",
]);

/** Correct cases of test/cases/findings/odd.txt that a rule reports. */
const notYetSilent = new Set([
  "caa: no certificates, said without a semicolon (RFC 8659 §4.2)",
  "address: localhost (RFC 1912 §4.1)",
  "address: answers of a block list (RFC 5782)",
  "zone: partly managed, target in the part that is not",
  "zone: ignored names, and a target among them",
  "zone: partly managed, glue in the part that is not",
  "zone: target in another zone of the project that is partly managed",
]);

const faulty = readCases("faulty.txt").map((each) => [nameCase(each), each] as const);
const odd = readCases("odd.txt").map((each) => [nameCase(each), each] as const);

test("every case has its own name, and the exceptions name cases", () => {
  const names = [...faulty, ...odd].map(([name]) => name);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  expect([...notYet].filter((name) => !faulty.some(([known]) => known === name))).toEqual([]);
  expect([...notYetSilent].filter((name) => !odd.some(([known]) => known === name))).toEqual([]);
});

test.each(faulty)("reports %s", async (name, each) => {
  const findings = await validate(each);
  const isFound = findings.some(({ isExpected }) => isExpected);
  expect(isFound, JSON.stringify(findings)).toBe(!notYet.has(name));
});

test.each(odd)("accepts %s", async (name, each) => {
  const findings = await validate(each);
  expect(findings.length === 0, JSON.stringify(findings)).toBe(!notYetSilent.has(name));
});
