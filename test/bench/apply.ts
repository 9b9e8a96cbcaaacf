import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../src/server/http/node.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { type Case, count, mebibytes, perSecond, ratio, seconds } from "./case.ts";

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
export async function* run(): AsyncGenerator<Case> {
  const first = await startServer();
  try {
    for (const kind of ["create", "change"]) {
      const measured = await measure("apply", first.url, first.token, kind);
      yield {
        name: `apply, 12,000 ${kind}s`,
        numbers: {
          ...numbersOf(measured),
          rate: perSecond(measured.writes / measured.seconds),
          journal: mebibytes(measured.journal ?? 0),
        },
        ratios: {
          writes: ratio(measured.writes, kind === "create" ? 12_002 : 12_000, { to: "least", better: "lower" }),
        },
      };
    }
  } finally {
    await first.close();
  }
  const second = await startServer();
  try {
    await fill(second.url, second.token);
    const measured = await measure("plan", second.url, second.token, "");
    // Pages of zones, and pages of records of each zone.
    const least = Math.ceil(1_000 / 500) + 1_000 * Math.ceil(20 / 500);
    yield {
      name: "plan, 1,000 zones of 20",
      numbers: { ...numbersOf(measured), rate: perSecond(measured.reads / measured.seconds) },
      ratios: { reads: ratio(measured.reads, least, { to: "least", better: "lower" }) },
    };
  } finally {
    await second.close();
  }
}

const numbersOf = (measured: Measured) => ({
  time: seconds(measured.seconds),
  reads: count(measured.reads, "reads"),
  writes: count(measured.writes, "writes"),
  "peak memory": mebibytes(measured.megabytes * 2 ** 20),
});

async function startServer(): Promise<{ url: string; token: string; close(): Promise<void> }> {
  const store = await openStore(":memory:");
  const clock = () => new Date();
  const token = await createToken(store, { username: "bench", now: clock() });
  const listening = await listen(createServer({ store, clock }), { port: 0 });
  const close = async () => {
    await listening.close();
    await store.close();
  };
  return { url: listening.url, token, close };
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
