import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { listen } from "../../src/server/http/node.ts";
import { createToken } from "../../src/server/operator/tokens.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";

const child = fileURLToPath(new URL("apply-child.ts", import.meta.url));

interface Measured {
  reads: number;
  writes: number;
  seconds: number;
  megabytes: number;
  journal?: number;
}

/**
 * Measures apply and plan: 12,000 records are created in one zone, then each is changed, and 1,000 zones of 20 records
 * are read for a plan. The server runs in this process with its database in memory, the client in another.
 */
export async function run(): Promise<void> {
  const rows: [string, number, Measured][] = [];
  await withServer(async (url, token) => {
    rows.push(["apply, 12,000 creates", 12_002, await measure("apply", url, token, "create")]);
    rows.push(["apply, 12,000 changes", 12_000, await measure("apply", url, token, "change")]);
  });
  await withServer(async (url, token) => {
    await fill(url, token);
    rows.push(["plan, 1,000 zones of 20", 0, await measure("plan", url, token, "")]);
  });
  for (const [name, writes, { reads, writes: sent, seconds, megabytes, journal = 0 }] of rows) {
    const rate = writes > 0 ? `${Math.round(writes / seconds)} writes/s` : `${Math.round(reads / seconds)} reads/s`;
    console.log(
      `  ${name.padEnd(24)} ${seconds.toFixed(1).padStart(6)} s  ${String(reads).padStart(6)} reads  ${String(sent).padStart(6)} writes  ${rate.padStart(12)}  peak ${megabytes.toFixed(0)} MB  journal ${(journal / 1e6).toFixed(1)} MB`,
    );
  }
  const [, , plan] = rows;
  const least = Math.ceil(1_000 / 500) + 1_000 * Math.ceil(20 / 500);
  console.log(`  plan: ${plan?.[2].reads} reads; ceil(zones/page) + sum of ceil(records/page) = ${least}`);
}

async function withServer(action: (url: string, token: string) => Promise<void>): Promise<void> {
  const store = await openStore(":memory:");
  const clock = () => new Date();
  const token = await createToken(store, { username: "bench", now: clock() });
  const { url, close } = await listen(createServer({ store, clock }), { port: 0 });
  try {
    await action(url, token);
  } finally {
    await close();
    await store.close();
  }
}

/** A thousand zones: one made through the API, the others as its clones. */
async function fill(url: string, token: string): Promise<void> {
  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
    const reply = await fetch(`${url}/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(await reply.text());
    return (await reply.json()) as { id: number };
  };
  const { id } = await post("/domains", { domain: "z0.example", type: "master", soa_email: "ops@example.com" });
  for (let index = 0; index < 20; index++)
    await post(`/domains/${id}/records`, { type: "A", name: `n${index}`, target: "192.0.2.1" });
  for (let index = 1; index < 1_000; index++) await post(`/domains/${id}/clone`, { domain: `z${index}.example` });
}

async function measure(...args: string[]): Promise<Measured> {
  const { PATH, HOME } = process.env;
  const words = ["--import", import.meta.resolve("tsx"), child, ...args];
  const program = spawn(process.execPath, words, { env: { PATH, HOME }, stdio: ["ignore", "pipe", "inherit"] });
  let out = "";
  program.stdout.on("data", (chunk) => {
    out += chunk;
  });
  const [code] = await once(program, "close");
  if (code !== 0) throw new Error(`the client exited with ${code}`);
  return JSON.parse(out);
}
