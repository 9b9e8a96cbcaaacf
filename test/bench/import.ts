import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../src/server/http/node.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { programWords } from "../cli/process.ts";
import { type Running, startNameServer } from "../dns/transfer/nameservers.ts";
import { type Relay, startRelay } from "../dns/transfer/relay.ts";
import { findMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { mostRealZones } from "../real-zones.ts";
import { type Case, type Numbers, perSecond, count as quantity, seconds } from "./case.ts";
import { importBrokenZones } from "./import-broken.ts";
import { importWithPeers } from "./import-peers.ts";

const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared by two") };

/** `import axfr` and the `apply` after it, in processes of their own. Name server and API run on the same machine. */
export async function* run(): AsyncGenerator<Case> {
  const missing = findMissing(["named"]);
  if (missing.length > 0) {
    yield { name: "import axfr", note: "not measured: named is not installed (npm run judges)" };
    return;
  }
  yield* await importRealZones();
  yield* importBrokenZones();
  yield* importWithPeers();
}

/** The real zones, from BIND with TSIG, and then to the API. */
async function importRealZones(): Promise<Case[]> {
  const { bind, bindFiles, name } = mostRealZones;
  const zones = Object.fromEntries(
    bindFiles.map((file) => [file.replace(/zone$/, ""), readFileSync(join(bind, file), "utf8")]),
  );
  const count = bindFiles.length;
  const cases: Case[] = [];
  const add = (title: string, time: number, numbers: Numbers) =>
    cases.push({ name: title, numbers: { time: seconds(time), zones: perSecond(count / time), ...numbers } });
  await withServers(zones, async ({ relay, folder, env }) => {
    writeFileSync(join(folder, "zones.txt"), Object.keys(zones).join("\n"));
    const command = `import axfr --zones-file zones.txt --from ${relay.host}:${relay.port} --report json`;
    const imported = await runProgram(folder, command, env);
    const { counts } = JSON.parse(imported.out);
    const read = Object.values<number>(counts.records).reduce((sum, number) => sum + number);
    add(`import, ${name}`, imported.seconds, {
      requests: quantity(relay.requests.length, "DNS requests"),
      records: quantity(read, "records"),
    });
    const again = await runProgram(folder, command, env);
    add("import again", again.seconds, { requests: quantity(relay.requests.length - count, "DNS requests") });
    await withApi(async (url, token, sent) => {
      const api = { ...env, ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token };
      const applied = await runProgram(folder, "apply --yes --allow G09,G12,G19,G21", api);
      add("apply", applied.seconds, {
        reads: quantity(sent.reads, "HTTP requests"),
        writes: quantity(sent.writes, "HTTP requests"),
      });
    });
  });
  return cases;
}

interface Servers {
  readonly server: Running;
  /** In front of the server. */
  readonly relay: Relay;
  /** The working folder of the program. */
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A BIND with these zones, which gives them to holders of the key. */
async function withServers(
  zones: Readonly<Record<string, string>>,
  use: (servers: Servers) => Promise<void>,
): Promise<void> {
  const server = await startNameServer("bind", { zones, keys: [key] });
  const relay = await startRelay(server);
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const env = { ZONEWRIGHT_TSIG_KEY: `transfer:${key.algorithm}:${Buffer.from(key.secret).toString("base64")}` };
  try {
    await use({ server, relay, folder, env });
  } finally {
    relay.stop();
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** An API in this process that counts requests. */
async function withApi(
  use: (url: string, token: string, requests: { reads: number; writes: number }) => Promise<void>,
): Promise<void> {
  const store = await openStore(":memory:");
  const clock = () => new Date();
  const token = await createToken(store, { username: "bench", now: clock() });
  const requests = { reads: 0, writes: 0 };
  const api = createServer({ store, clock });
  const { url, close } = await listen(
    (request, connection) => {
      requests[request.method === "GET" ? "reads" : "writes"]++;
      return api(request, connection);
    },
    { port: 0 },
  );
  try {
    await use(url, token, requests);
  } finally {
    await close();
    await store.close();
  }
}

/** Runs the built program to its end. @throws {Error} if it fails */
async function runProgram(folder: string, command: string, env: Readonly<Record<string, string>>) {
  const { PATH, HOME } = process.env;
  const begin = performance.now();
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const [program, ...before] = programWords;
  const child = spawn(program, [...before, ...command.split(" ")], {
    cwd: folder,
    env: { PATH, HOME, ...env },
    stdio: [...stdio],
  });
  const texts = { out: "", talk: "" };
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    texts.out += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    texts.talk += text;
  });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${command} exited with ${code}\n${texts.talk}`);
  return { ...texts, seconds: (performance.now() - begin) / 1000 };
}
