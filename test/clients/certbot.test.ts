// @suite nightly

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as always, expect } from "vitest";
import { isMissing } from "../judges.ts";
import { certificateAuthority } from "./acme.ts";
import { fixedHost } from "./fixed-host.ts";
import { folder, run, serve } from "./run.ts";

const test = always.skipIf(isMissing("certbot", "certbot-dns-linode", "pebble", "openssl"));

/** Certbot with its plugin for DNS challenges, and an authority that looks for them in the zone example.com. */
async function certbot() {
  const api = await serve();
  const cwd = folder();
  const zoneFile = async () => (await api.call("GET", "/domains/1/zone-file")).body.zone_file;
  const authority = await certificateAuthority(cwd, "example.com", zoneFile);
  const env = await fixedHost(api.url, cwd);
  writeFileSync(env.REQUESTS_CA_BUNDLE ?? "", authority.cert, { flag: "a" });
  const say = (domains: string[], token = api.token) => {
    writeFileSync(join(cwd, "linode.ini"), `dns_linode_key = ${token}\ndns_linode_version = 4\n`, { mode: 0o600 });
    const words = [
      `certbot certonly --non-interactive --agree-tos --register-unsafely-without-email --server ${authority.directory}`,
      "--dns-linode --dns-linode-credentials linode.ini --dns-linode-propagation-seconds 0",
      "--config-dir config --work-dir work --logs-dir logs",
    ].join(" ");
    return run([...words.split(" "), ...domains.flatMap((domain) => ["-d", domain])], { cwd, env });
  };
  return { ...api, cwd, say };
}

const theirs = { id: 1, type: "TXT", name: "_acme-challenge", target: "somebody else's" };

test.each<[what: string, domains: string[], writes: string[]]>([
  [
    "the zone and all names in it",
    ["example.com", "*.example.com"],
    [
      "POST /v4/domains/1/records 200",
      "POST /v4/domains/1/records 200",
      "DELETE /v4/domains/1/records/2 200",
      "DELETE /v4/domains/1/records/3 200",
    ],
  ],
  [
    "a name further down",
    ["a.b.example.com"],
    ["POST /v4/domains/1/records 200", "DELETE /v4/domains/1/records/2 200"],
  ],
])("issues a certificate for %s", async (_, domains, expected) => {
  const { say, cwd, writes, domain, records } = await certbot();
  await domain("example.com", [theirs]);
  expect((await say(domains)).code).toBe(0);
  const certificate = `config/live/${domains[0]}/fullchain.pem`;
  const { out } = await run(["openssl", "x509", "-noout", "-ext", "subjectAltName", "-in", certificate], { cwd });
  expect(out.match(/DNS:[^,\s]+/g)).toEqual(domains.map((name) => `DNS:${name}`));
  expect(writes).toEqual(expected);
  expect(await records(1)).toEqual([theirs]);
});

interface Refused {
  readonly what: string;
  readonly name: string;
  readonly token?: string;
  readonly status?: string;
  readonly said: string;
  readonly expected: string[];
}

test.each<Refused>([
  {
    what: "a missing zone",
    name: "www.example.org",
    said:
      "Unable to determine zone identifier for www.example.org " +
      "using zone names: ['www.example.org', 'example.org', 'org']",
    expected: [],
  },
  {
    what: "a wrong token",
    name: "www.example.com",
    token: "wrong",
    said:
      "Error determining zone identifier for www.example.com: " +
      "401 Client Error: Unauthorized for url: https://api.linode.com/v4/domains.",
    expected: [],
  },
  {
    what: "a zone that is not served",
    name: "www.example.com",
    status: "disabled",
    said: "Some challenges have failed.",
    expected: ["POST /v4/domains/1/records 200", "DELETE /v4/domains/1/records/2 200"],
  },
])("issues no certificate for $what", async ({ name, token, status = "active", said, expected }) => {
  const { say, writes, domain, records, call } = await certbot();
  await domain("example.com", [theirs]);
  await call("PUT", "/domains/1", { status });
  const { code, talk } = await say([name], token);
  expect({ code, said: talk[1] }).toEqual({ code: 1, said });
  expect(writes).toEqual(expected);
  expect(await records(1)).toEqual([theirs]);
});
