import { execFile } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createServer, createToken, listen, openStore } from "../../src/library/server.ts";
import { startCoverage } from "./coverage.ts";

/** The files in which a function runs when one record is applied, and when the server creates one. */
export async function filesThatRun(): Promise<{ readonly apply: string[]; readonly create: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-house-"));
  const store = await openStore(":memory:");
  const clock = () => new Date();
  const token = await createToken(store, { username: "house", now: clock() });
  const api = await listen(createServer({ store, clock }), { port: 0 });
  try {
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const reply = await fetch(`${api.url}/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      if (!reply.ok) throw new Error(`${reply.status} ${await reply.text()}`);
      return (await reply.json()) as { id: number };
    };
    const { id } = await post("/domains", {
      domain: "example.com",
      type: "master",
      soa_email: "hostmaster@example.com",
    });
    const record = (name: string) => post(`/domains/${id}/records`, { type: "A", name, target: "192.0.2.1" });
    await record("warm");
    const end = await startCoverage();
    await record("www");
    const create = await end();
    const words = ["--import", import.meta.resolve("tsx"), join(import.meta.dirname, "apply-coverage.ts"), api.url];
    const env = { ...process.env, ZONEWRIGHT_TOKEN: token };
    const { stdout } = await promisify(execFile)(process.execPath, words, { cwd: folder, env });
    return { apply: JSON.parse(stdout) as string[], create };
  } finally {
    await api.close();
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
