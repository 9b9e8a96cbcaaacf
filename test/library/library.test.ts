// @suite long

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { bundle } from "../../packaging/program.ts";
import { isList } from "../../src/contract/endpoint.ts";
import { endpointsIn } from "../../src/contract/endpoints/index.ts";
import { nothing } from "../../src/contract/resources/nothing.ts";
import type { Rdata } from "../../src/dns/rdata/record-type.ts";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../src/server/http/node.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { fakeServer } from "../dns/transfer/fake-server.ts";
import { domainName } from "../names.ts";
import { isNightly } from "../properties.ts";
import { Consumer } from "./package.ts";
import { readSurfaces, type Surface } from "./surface.ts";

/**
 * Types that users hand from one function to another without looking inside; only `zonewright/testing` exports what
 * their insides show.
 */
const opaque = new Set([
  "About",
  "ApiReadingTarget",
  "ApiTarget",
  "PlanningTarget",
  "ReadSince",
  "Target",
  "TargetKind",
  "Weighed",
  "ZoneFinding",
  "ZoneFileRef",
]);

const entries = ["index", "client", "dns", "server", "testing"] as const;
let consumer: Consumer;

beforeAll(() => {
  consumer = new Consumer();
  for (const { file, code } of examples) consumer.write(`${file}.ts`, code);
}, 120_000);
afterAll(() => consumer.remove());

/** The examples of docs/library.md, by their headings. */
const page = readFileSync(resolve(import.meta.dirname, "../../docs/library.md"), "utf8");
const examples = page.split(/^## /m).flatMap((section) => {
  const [, title = "", code] = /^(.+)\n[\s\S]*?```ts\n([\s\S]*?)```/.exec(section) ?? [];
  return code === undefined ? [] : [{ title, code, file: `example-${title.toLowerCase().replaceAll(" ", "-")}` }];
});

describe("a strict project compiles against the package", () => {
  test("module resolution nodenext", () => {
    expect(consumer.compile("nodenext")).toBe("");
  });

  test.skipIf(!isNightly)("module resolution bundler", () => {
    expect(consumer.compile("bundler")).toBe("");
  });
});

test.each([
  [
    "client, with undici only for the first request",
    "client",
    ["client", "contract", "diagnostics", "library"],
    ["zod"],
  ],
  ["testing, without server and client", "testing", ["diagnostics", "dns", "library", "targets"], []],
])("zonewright/%s loads few rooms", async (_, door, rooms, packages) => {
  const files = consumer.modulesOf(`zonewright/${door}`);
  const { outputs } = (await bundle("dist/library")).metafile;
  const sources = files.flatMap((file) => Object.keys(outputs[`dist/${file}`]?.inputs ?? {}));
  const [own, others] = [/^src\/([^/]+)/, /^node_modules\/([^/]+)/].map((pattern) =>
    [...new Set(sources.flatMap((source) => pattern.exec(source)?.[1] ?? []))].sort(),
  );
  expect({ rooms: own, others, unbundled: files.filter((file) => !file.endsWith(".js")) }).toEqual({
    rooms,
    others: packages,
    unbundled: [],
  });
  expect(sources.filter((file) => file.includes("openapi"))).toEqual([]);
});

test("a program plans, applies and fails against every memory target", async () => {
  expect(consumer.compile("nodenext")).toBe("");
  const lines = (await consumer.runAsync(["out/testing.js"], {})).trimEnd().split("\n");
  expect(lines).toEqual(
    ["stored", "content"].flatMap((ids) =>
      ["none", "zone"].flatMap((changeSets) =>
        ["none", "record", "rrset"].map((lock) => {
          const losses = changeSets === "zone" ? 1 : 2;
          const stored = "a.example.com. A 192.0.2.2, www.example.com. A 192.0.2.1, x.example.com. A 192.0.2.9";
          return `${ids} ${changeSets} ${lock}: refused; ${losses} lost; ${stored}`;
        }),
      ),
    ),
  );
});

test.each([
  ["libsql", "serve", {}],
  ["libsql", "server backup copy.db --data saved", {}],
  ["pg", "serve", { DATABASE_URL: "postgres://127.0.0.1:1/none" }],
])("without the optional package %s, %s says so", (name, line, env) => {
  const cwd = mkdtempSync(join(tmpdir(), "zonewright-optional-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, "saved"));
  writeFileSync(join(cwd, "saved/zonewright.db"), "");
  const hook = `export const resolve = (name, context, next) => {
    if (name === ${JSON.stringify(name)}) throw Object.assign(new Error("Cannot find package '${name}' imported from x"), { code: "ERR_MODULE_NOT_FOUND" });
    return next(name, context);
  };`;
  const { status, stderr } = consumer.runProgram(line, hook, { cwd, env });
  expect([status, stderr]).toEqual([
    1,
    expect.stringContaining(`error[package-missing] the package "${name}" is not installed`),
  ]);
  expect(stderr).toContain("`npm install zonewright --include=optional`");
});

describe("the examples of docs/library.md run", () => {
  const expected: Record<string, string> = {
    "Validate zone files": "zones: 1, records: 3\nwarning underscore-host: ",
    "Plan and apply": "zones to write: 1, blocked by a guard: false\nzones applied: 1 of 1\n",
    "Call the API": "example.com [ '192.0.2.1', '192.0.2.2' ]\n404 not-found\n",
    "Wait for jobs": "[ 'node_create finished' ]\n",
    "Start a server in a test": "example.net active\n",
    "Test without a server": "refused\n[ '_host.example.com. A', 'example.com. MX', 'www.example.com. A' ]\n",
    "Start the whole service": "hostmaster.example.net.\n",
    "Read a zone file":
      'example.com.zone:4 bad A "192.0.2": not an IPv4 address\n' +
      '{"owner":"www.example.com.","type":"A","ttl":30,"data":{"address":"192.0.2.1"},' +
      '"source":"example.com.zone","start":29,"end":44}\n',
    "Transfer a zone and look names up": "192.168.0.1\n[ 'private-address' ]\n",
  };

  test("every example runs", () => expect(examples.map(({ title }) => title)).toEqual(Object.keys(expected)));

  test("runs in page order against one server", async () => {
    expect(consumer.compile("nodenext")).toBe("");
    const store = await openStore(":memory:");
    onTestFinished(() => store.close());
    const token = await createToken(store, { username: "test", now: new Date() });
    const api = await listen(createServer({ store, clock: () => new Date() }), { port: 0 });
    onTestFinished(() => api.close());
    const nameServer = await fakeServer(answerTransfer);
    consumer.write("zonewright.yaml", "zones: .\n");
    consumer.write(
      "example.com.zone",
      ";@ soa_email: hostmaster@example.com\n$TTL 1h\nwww A 192.0.2.1\n_host A 192.0.2.2\n@ MX 10 mail.example.net.\n",
    );
    const env = { ZONEWRIGHT_API_URL: api.url, ZONEWRIGHT_TOKEN: token, NAMESERVER_PORT: String(nameServer.port) };
    const printed: Record<string, string> = {};
    for (const { title, file } of examples) printed[title] = await consumer.runAsync([`out/${file}.js`], env);
    const cut = ([title, text = ""]: [string, string]) => [title, text.slice(0, expected[title]?.length)];
    expect(Object.fromEntries(Object.entries(printed).map(cut))).toEqual(expected);
  });
});

/** A zone of three records, whoever asks. */
function answerTransfer(query: Buffer): Buffer[] {
  const { id, questions } = readMessage(query);
  const owner = domainName("example.com.");
  const name = domainName("ns.example.net.");
  const soa = typedRecord("SOA", {
    mname: name,
    rname: name,
    serial: 1,
    refresh: 3600,
    retry: 900,
    expire: 86400,
    minimum: 300,
  });
  const records = [
    soa,
    typedRecord("NS", { nsdname: name }),
    { ...typedRecord("A", { address: "192.168.0.1" }), owner: domainName("www.example.com.") },
    soa,
  ];
  return [writeMessage({ id, qr: true, aa: true, questions, answers: records })];

  function typedRecord(type: string, data: Rdata) {
    return { owner, type, class: 1, ttl: 3600, data };
  }
}

describe("the public surface", () => {
  let surfaces: Record<string, Surface>;
  beforeAll(() => {
    const fileOf = (entry: string) => join(consumer.folder, `node_modules/zonewright/dist/library/${entry}.d.ts`);
    surfaces = readSurfaces(
      consumer.configFile("nodenext"),
      Object.fromEntries(entries.map((entry) => [entry, fileOf(entry)])),
    );
  });

  test.each(entries)("%s equals the reviewed surface (update with npx vitest -u)", async (entry) => {
    await expect(surfaces[entry]?.text).toMatchFileSnapshot(`surface/${entry}.d.ts`);
  });

  test.each(entries)("every type in the surface of %s is exported there or by zonewright/dns", (entry) => {
    const ofDns = new Set(surfaces.dns?.names);
    const isOpaque = (type: string) => entry !== "testing" && opaque.has(type);
    expect(surfaces[entry]?.hidden.filter(({ type, shownBy }) => !ofDns.has(type) && !isOpaque(shownBy))).toEqual([]);
  });

  test("every resource has a named type that zonewright/client exports", async () => {
    const folder = resolve(import.meta.dirname, "../../src/contract/resources");
    const names = new Map<unknown, string>();
    for (const file of readdirSync(folder)) {
      const text = readFileSync(join(folder, file), "utf8");
      const schemas: Record<string, unknown> = await import(join(folder, file));
      for (const [, name = "", schema = ""] of text.matchAll(/^export type (\w+) = z\.output<typeof (\w+)>;/gm))
        names.set(schemas[schema], name);
    }
    const resources = endpointsIn("live").map(([, { reply }]) =>
      isList({ reply }) && reply instanceof z.ZodObject && reply.shape.data instanceof z.ZodArray
        ? reply.shape.data.element
        : reply,
    );
    const named = [...new Set(resources)].filter((schema) => schema !== nothing).map((schema) => names.get(schema));
    expect(named.length).toBeGreaterThan(30);
    expect(named.filter((name) => name === undefined || !surfaces.client?.names.includes(name))).toEqual([]);
  });
});
