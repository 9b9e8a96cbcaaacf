import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { isType } from "../../../src/dns/zone/zone.ts";
import { askParentNs } from "../../../src/workflow/name-servers/ask.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { startFileServer } from "../../targets/files/file-servers.ts";

/** The servers of names, on ports of this machine: resolved addresses have the port 53. */
const ports = new Map<string, number>();

vi.mock("node:dns/promises", async (original) => ({
  ...(await original<object>()),
  lookup: async (name: string) => [{ address: name }],
}));

vi.mock("../../../src/dns-client/ask.ts", async (original) => {
  const real = await original<typeof import("../../../src/dns-client/ask.ts")>();
  const ask: typeof real.ask = ({ host, port }, ...rest) =>
    real.ask({ host: "127.0.0.1", port: ports.get(host) ?? port }, ...rest);
  return { ...real, ask };
});

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
  const root = `${head}@ NS lame.\nexample NS right.\n`;
  await Promise.all([
    start("right", { "example.": parentText("right", "ns1 ns2") }),
    start("later", { "example.": parentText("later", "ns1") }),
    start("none", { "example.": parentText("none", "") }),
    start("refusing", {}),
    start("failing", { "example.": undefined }),
    start("lame", { ".": root }),
  ]);
  const found: Record<string, unknown> = {};
  for (const servers of [
    "right",
    "none",
    "refusing",
    "failing",
    "lame",
    "dead",
    "refusing failing right",
    "later right",
  ]) {
    ports.set("dead", 1);
    await resolver(servers, servers);
    found[servers] = await delegationBy(servers);
  }
  for (const name of ["refusing", "failing", "lame"]) found[`${name} resolver`] = await delegationBy(name);
  expect(found).toMatchInlineSnapshot(`
    {
      "dead": [
        "ns1.example.net.",
      ],
      "failing": [
        "ns1.example.net.",
      ],
      "failing resolver": [
        "ns1.example.net.",
      ],
      "lame": [
        "ns1.example.net.",
      ],
      "lame resolver": [
        "ns1.example.net.",
      ],
      "later right": [
        "ns1.example.net.",
        "ns1.example.net.",
      ],
      "none": [
        "ns1.example.net.",
      ],
      "refusing": [
        "ns1.example.net.",
      ],
      "refusing failing right": [
        "ns1.example.net.",
        "ns1.example.net.",
        "ns1.example.net.",
      ],
      "refusing resolver": [
        "ns1.example.net.",
      ],
      "right": [
        "ns1.example.net.",
      ],
    }
  `);
});

async function delegationBy(resolver: string) {
  const context = { resolvers: () => [`127.0.0.1:${ports.get(resolver)}`], signal: new AbortController().signal };
  const reply = await askParentNs(context, domainName("z01.example."));
  return "failure" in reply ? reply.failure : reply.flatMap((one) => (isType(one, "NS") ? [one.data.nsdname] : []));
}
