import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freePort } from "../dns/transfer/nameservers.ts";
import { certificateAuthority } from "./acme.ts";
import { type Server, withServer } from "./judge/server.ts";
import { clientProgram, runProgram } from "./judge/suite.ts";

// `npm run judge:clients`: not part of `npm test`.
const lego = clientProgram("lego");

test.each([
  [["example.com", "*.example.com"], "example.com.crt"],
  [["a.b.example.com"], "a.b.example.com.crt"],
])("issues a certificate for %j from an authority that looks the challenge up", async (domains, certificate) => {
  const dns = `127.0.0.1:${await freePort()}`;
  const issue = async ({ url, token, folder }: Server) => {
    const call = async (method: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${token}` };
      const reply = await fetch(`${url}/v4${path}`, { method, headers, body: JSON.stringify(body) });
      // biome-ignore lint/suspicious/noExplicitAny: what is read of it is compared.
      return (await reply.json()) as any;
    };
    await call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "hostmaster@example.com" });
    const zoneFile = async () => (await call("GET", "/domains/1/zone-file")).zone_file;
    const { directory } = await certificateAuthority(folder, "example.com", zoneFile);
    const words = [
      "--server",
      directory,
      "--accept-tos",
      "--email",
      "me@example.com",
      "--dns",
      "linode",
      "--path",
      "store",
    ];
    const quick = ["--dns.resolvers", dns, "--dns.propagation.disable-ans"];
    const env = {
      LEGO_CA_CERTIFICATES: join(folder, "pebble.pem"),
      LINODE_URL: url,
      LINODE_API_VERSION: "v4",
      LINODE_TOKEN: token,
      LINODE_POLLING_INTERVAL: "1",
    };
    const names = domains.flatMap((domain) => ["--domains", domain]);
    const { code, text } = await runProgram([lego, "run", ...words, ...quick, ...names], { cwd: folder, env });
    expect(code, text).toBe(0);
    expect(readdirSync(join(folder, "store/certificates"))).toContain(certificate);
    expect((await call("GET", "/domains/1/records")).data).toEqual([]);
  };
  await withServer(issue, ["--dns", dns]);
});
