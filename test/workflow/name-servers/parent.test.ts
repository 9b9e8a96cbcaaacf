import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Name } from "../../../src/dns/name/name.ts";
import { isType } from "../../../src/dns/zone/zone.ts";
import { askParentNs } from "../../../src/workflow/name-servers/ask.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { startFileServer } from "../../targets/files/file-servers.ts";

/** The servers of names, on ports of this machine. */
const ports = new Map<string, number>();

const find = async (name: Name) => [{ host: "127.0.0.1", port: ports.get(name.slice(0, -1)) ?? 0 }];

const head = "$TTL 300\n@ SOA ns.test. hostmaster.test. 1 3600 600 86400 60\n";
/** The parent zone with these servers, and with a delegation to these. */
const parentText = (servers: string, delegated: string) =>
  head + words(servers, (name) => `@ NS ${name}.\n`) + words(delegated, (name) => `z01 3600 NS ${name}.example.net.\n`);
const words = (text: string, line: (word: string) => string) => text.split(" ").filter(Boolean).map(line).join("");

test.skipIf(isMissing("named"))("the delegation is what servers of the parent zone answer with authority", async () => {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-parent-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  /** Starts a server of zones with these texts; without a text, it cannot load the zone. */
  const start = async (name: string, zones: Readonly<Record<string, string | undefined>>) => {
    const files = Object.entries(zones).map(([zone, text]) => {
      const file = join(folder, `${name}-${zone}zone`);
      if (text !== undefined) writeFileSync(file, text);
      return [zone, file] as const;
    });
    const server = await startFileServer("bind", Object.fromEntries(files));
    onTestFinished(() => server.stop());
    ports.set(name, server.port);
  };
  const own = `${head}@ NS ns1.example.net.\n`;
  /** A resolver finds these servers of the parent zone. */
  const resolver = (name: string, servers: string) =>
    start(name, { "example.": parentText(servers, ""), "z01.example.": own });
  const root = `${head}@ NS lame.\nlame A 127.0.0.1\nexample NS right.\nright A 127.0.0.1\n`;
  await Promise.all([
    start("right", { "example.": parentText("right", "ns1 ns2") }),
    start("later", { "example.": parentText("later", "ns1") }),
    start("none", { "example.": parentText("none", "") }),
    start("refusing", {}),
    start("failing", { "example.": undefined }),
    start("lame", { ".": root }),
  ]);
  ports.set("dead", 1);
  const found: Record<string, unknown> = {};
  const all = ["right", "none", "refusing", "failing", "lame", "dead", "refusing failing right", "later right"];
  for (const [index, servers] of all.entries()) {
    await resolver(`resolver${index}`, servers);
    found[servers] = await delegationBy(`resolver${index}`);
  }
  for (const name of ["refusing", "failing", "lame"]) found[`${name} resolver`] = await delegationBy(name);
  expect(found).toMatchInlineSnapshot(`
    {
      "dead": "the server is unreachable (ECONNREFUSED)",
      "failing": "the server failed (SERVFAIL), often because it has not loaded the zone",
      "failing resolver": "the resolver did not find it: the server failed (SERVFAIL), often because it has not loaded the zone",
      "lame": "its server is not authoritative for it",
      "lame resolver": "the resolver did not find it: it does not resolve names",
      "later right": [
        "ns1.example.net.",
        "ns1.example.net.",
        "ns2.example.net.",
      ],
      "none": [],
      "refusing": "the server refused the request (REFUSED)",
      "refusing failing right": [
        "ns1.example.net.",
        "ns2.example.net.",
      ],
      "refusing resolver": "the resolver did not find it: the server refused the request (REFUSED)",
      "right": [
        "ns1.example.net.",
        "ns2.example.net.",
      ],
    }
  `);
});

async function delegationBy(resolver: string) {
  const context = { resolvers: () => [`127.0.0.1:${ports.get(resolver)}`], signal: new AbortController().signal };
  const reply = await askParentNs(context, domainName("z01.example."), find);
  if ("failure" in reply) return reply.failure;
  return reply.flatMap((one) => (isType(one, "NS") ? [one.data.nsdname] : [])).sort(); // servers rotate them
}
