import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { createSend } from "../../src/client/send.ts";
import { executePlan } from "../../src/executor/apply.ts";
import { beginRun, runId } from "../../src/executor/journal/runs.ts";
import { apiTarget } from "../../src/targets/api/target.ts";
import { readLive } from "../../src/targets/read-live.ts";
import { plan } from "../planner/plan-now.ts";
import { desiredOf } from "../planner/world.ts";

/**
 * The client's side of the bench, in a process of its own: `apply <url> <token> <text of a zone>`, or `plan <url>
 * <token>`.
 */
const [what, baseUrl = "", token = "", kind = ""] = process.argv.slice(2);
const counts = { reads: 0, writes: 0 };
const network = createSend();
const send = (request: Request) => {
  counts[request.method === "GET" ? "reads" : "writes"]++;
  return network(request);
};
const client = createClient({ baseUrl, token, send });
const started = performance.now();
if (what === "plan") {
  const { zones } = await readLive(apiTarget(client).read, () => true);
  plan([], zones);
} else {
  const folder = mkdtempSync(join(tmpdir(), "zonewright-bench-"));
  const address = kind === "create" ? "192.0.2.1" : "192.0.2.2";
  const text = Array.from({ length: 12_000 }, (_, index) => `n${index} A ${address}`).join("\n");
  const live = await readLive(apiTarget(client).read, () => true);
  const planned = plan([desiredOf(text)], live.zones);
  const now = () => new Date();
  const run = await beginRun(folder, planned, { id: runId(now(), "bench"), now });
  for await (const event of executePlan(planned, apiTarget(client), { journal: run.journal })) {
    if (event.kind === "zone-failed") throw event.error;
    if (event.kind === "zone-done" && event.left) throw new Error("live differs from desired");
  }
  await run.end("done");
  const journal = statSync(join(folder, "runs", run.id, "journal.jsonl")).size;
  Object.assign(counts, { journal });
  rmSync(folder, { recursive: true });
}
await network.close();
const seconds = (performance.now() - started) / 1000;
console.log(JSON.stringify({ ...counts, seconds, megabytes: process.resourceUsage().maxRSS / 1024 }));
