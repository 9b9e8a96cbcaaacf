// @suite long

import { expect, onTestFinished, test, vi } from "vitest";
import { Desk, lines } from "./cli/run.ts";

test("the demo runs the whole workflow and leaves the folder empty", async () => {
  const desk = new Desk();
  const { code, out, talk } = await desk.run("demo");
  expect({ code, out: constant(out) }).toEqual({
    code: 0,
    out: `\n${lines`
      # An empty DNS API runs on this machine. The folder zones/ contains three zones.
      $ zonewright plan
      2.0.192.in-addr.arpa                      +6 create
        1 + create  (zone)  master; ttl_sec 86400; soa_email hostmaster@example.com; refresh_sec 14400; retry_sec 3600; expire_sec 1209600  disabled until its records are written
        2 + create  10      PTR  86400  example.com.                                                zones/2.0.192.in-addr.arpa.zone:4
        3 + create  11      PTR  86400  example.com.                                                zones/2.0.192.in-addr.arpa.zone:5
        4 + create  25      PTR  86400  mail.example.com.                                           zones/2.0.192.in-addr.arpa.zone:6
        5 + create  53      PTR  86400  ns1.lab.example.com.                                        zones/2.0.192.in-addr.arpa.zone:7
        6 + create  60      PTR  86400  sip.example.com.                                            zones/2.0.192.in-addr.arpa.zone:8
      example.com                               +23 create
         7 + create  (zone)     master; soa_email hostmaster@example.com; ttl_sec 3600; refresh_sec 14400; retry_sec 3600; expire_sec 1209600; tags production  disabled until its records are written
         8 + create  @          A      3600  192.0.2.10                                                 zones/example.com.yaml:12
         9 + create  @          A      3600  192.0.2.11                                                 zones/example.com.yaml:12
        (35 more lines)
      apply sends 45 writes and 16 reads (no rate limit)
      $ zonewright apply --yes
      2.0.192.in-addr.arpa: 7 writes
      2.0.192.in-addr.arpa: done
      example.com: 24 writes
      example.com: done
      example.net: 14 writes
      example.net: done
      applied and verified: 3 zones are as planned

      # The service renders the zones. This is one of them.
      $ zonewright export example.net --rendered --to bind
      ; example.net [ID]
      $TTL 3600
      @  IN  SOA  ns1.zonewright.invalid. hostmaster.example.net. 2026000001 14400 3600 1209600 3600
      @ NS ns1.zonewright.invalid.
      @ NS ns2.zonewright.invalid.
      @ A 198.51.100.1
      @ AAAA 2001:db8:2::1
      @ MX 10 mail.example.net.
      @ TXT "v=spf1 mx ip4:198.51.100.0/24 -all"
      a1.racks A 198.51.100.101
      a2.racks A 198.51.100.102
      host-7 A 198.51.100.107
      mail 300 A 198.51.100.25
      ns2 A 198.51.100.53
      racks TXT "racks are named in the plan of the hall; ask before you move one"
      shops CNAME host-7.example.net.
      www CNAME example.net.

      # A second plan has no changes.
      $ zonewright plan --detailed-exitcode
      in sync: 3 zones, nothing to do

      # In zones/example.com.yaml, shop changes from an alias to an address: two types that cannot coexist at one name.
      $ zonewright plan
      example.com                               ⇄1 swap
        1 ⇄ swap    shop  CNAME 3600 shops.example.net. → A 3600 198.51.100.20  brief gap: A of shop: a resolver that asks during the change may cache "no such record" for up to 1 hour  zones/example.com.yaml:25
      2 zones in sync
      plan: 1 change in 1 of 3 zones · effects bf248681 · 4 reads
      apply sends 2 writes and 6 reads (no rate limit)
      $ zonewright apply --yes --verbose
        example.com: created shop A 198.51.100.20
        example.com: deleted shop CNAME shops.example.net.
      example.com: 2 writes
      example.com: done
      applied and verified: 1 zone is as planned

      # The API's data is exported as zone files. Reading them back gives the same records.
      $ zonewright export --live --to bind --out exported
      3 files in exported

      # 39 live records, and the same records in the exported files.
    `}`,
  });
  // Messages stand where they happened: after the plan, before the result.
  expect(talk).toBe("");
  expect(desk.files()).toEqual({});
});

test("the demo of a pull request goes from its plan to drift and back to equal zones", async () => {
  const desk = new Desk();
  const { code, out } = await desk.run("demo --pull-request");
  expect(code).toBe(0);
  await expect(constant(withoutCommits(out))).toMatchFileSnapshot("cases/demo-pull-request.txt");
  expect(desk.files()).toEqual({});
});

test("the full demo follows a node from its creation to the names of its next address", async () => {
  const desk = new Desk();
  const { code, out } = await desk.run("demo --full");
  expect(code).toBe(0);
  await expect(constant(out).replace(/(?<=@127\.0\.0\.1 -p )\d+/g, "PORT")).toMatchFileSnapshot("cases/demo-full.txt");
  expect(desk.files()).toEqual({});
});

test("without git, the demo of a pull request says what it needs", async () => {
  const desk = new Desk();
  vi.stubEnv("PATH", desk.folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect((await desk.run("demo --pull-request")).talk).toBe(
    "error[git-missing] git cannot be run: spawnSync git ENOENT\n  Install git.\n",
  );
});

/** Commits differ, because git takes their times from the machine. */
function withoutCommits(out: string): string {
  return out
    .replace(/commit `[0-9a-f]{7}`/g, "commit `COMMIT`")
    .replace(/(?<=refs\/zonewright\/snapshot \(|committed as )[0-9a-f]{12}/g, "COMMIT")
    .replace(/^index .*$/gm, "index FILES");
}

/**
 * Without what is up to the runtime: the ids of zones and records that were created side by side, and so their order.
 */
function constant(out: string): string {
  const records = /(?<=^@ NS ns2\.zonewright\.invalid\.\n)(?:.+\n)+/m;
  const writes = /(?<=^\$ zonewright apply .*\n)(?:(?: {2})?[\w.-]+: .+\n)+(?=applied and)/gm;
  return out
    .replace(writes, (block) => `${block.trimEnd().split("\n").sort().join("\n")}\n`)
    .replace(/^; example\.net \[\d\]$/m, "; example.net [ID]")
    .replace(records, (block) => `${block.trimEnd().split("\n").sort().join("\n")}\n`);
}
