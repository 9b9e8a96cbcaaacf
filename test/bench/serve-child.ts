import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { Session } from "node:inspector/promises";
import type { AddressInfo } from "node:net";
import { basename, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";

/**
 * A server that is measured, in a process of its own: `node:http` and those of Hono are handlers without a store that
 * read the body and answer with a record, one with the headers and the fields of the API's replies; anything else is
 * where zonewright keeps its data. zonewright is the built one of a checkout. Reports its URL, and on demand
 * memory, CPU and a profile, by messages.
 */
const [place = ":memory:", token = "", checkout = ""] = process.argv.slice(2);
const record = { id: 1, type: "A", name: "www", target: "192.0.2.1", priority: 0, weight: 0, port: 0, ttl_sec: 0 };
const moment = "2026-01-01T00:00:00";
const wholeRecord = { ...record, service: null, protocol: null, tag: null, created: moment, updated: moment };
const baselines: Record<string, () => Promise<string>> = {
  "node:http": () =>
    serve(async (request, reply) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      if (request.method === "POST") JSON.parse(Buffer.concat(chunks).toString());
      reply.setHeader("Content-Type", "application/json").end(JSON.stringify(record));
    }),
  // Undici's `Request` and `Response` are replaced, as the adapter does by default, or kept.
  Hono: () => serve(getRequestListener(hono(record).fetch, { overrideGlobalObjects: true })),
  "Hono, whole reply": async () =>
    serve(getRequestListener(hono(wholeRecord, await wholeHeaders()).fetch, { overrideGlobalObjects: true })),
  "Hono on undici": () => serve(getRequestListener(hono(record).fetch, { overrideGlobalObjects: false })),
};
const url = await (baselines[place] ?? zonewright)();
process.send?.({ url });

const profiler = new Session();
process.on("message", async (wanted) => {
  if (wanted === "memory") {
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    process.send?.({ rss, heapUsed });
  } else if (wanted === "cpu") {
    const { user, system } = process.cpuUsage();
    process.send?.({ cpu: user + system });
  } else if (wanted === "profile") {
    profiler.connect();
    await profiler.post("Profiler.enable");
    await profiler.post("Profiler.start");
    process.send?.({});
  } else if (wanted === "top") {
    const { profile } = await profiler.post("Profiler.stop");
    profiler.disconnect();
    process.send?.({ top: topOf(profile) });
  }
});

async function zonewright(): Promise<string> {
  const { createServer, createToken, listen, openStore } = (await import(
    pathToFileURL(join(checkout, "dist/library/server.js")).href
  )) as typeof import("../../src/library/server.ts");
  const store = await openStore(place);
  await createToken(store, { username: "admin", token, now: new Date() });
  return (await listen(createServer({ store, clock: () => new Date() }), { port: 0 })).url;
}

/** The headers of the API's replies. */
async function wholeHeaders(): Promise<Record<string, string>> {
  const { respond } = await import("../../src/server/http/reply.ts");
  const outcome = { caller: undefined, rateLimitState: undefined, methods: undefined, ignored: [] };
  const { headers } = await respond(
    200,
    {},
    { profile: "live", records: "documented", accepted: "domains:read_only", ...outcome },
  );
  return headers as Record<string, string>;
}

function hono(record: object, headers: Record<string, string> = {}): Hono {
  const app = new Hono();
  app.all("*", async (c) => {
    if (c.req.method === "POST") await c.req.json();
    return c.json(record, 200, headers);
  });
  return app;
}

async function serve(listener: RequestListener): Promise<string> {
  const http = createHttpServer(listener);
  http.listen(0, "127.0.0.1");
  await once(http, "listening");
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

/** The ten functions with the most CPU of their own, as parts of all CPU. */
function topOf({ nodes, samples = [], timeDeltas = [] }: import("node:inspector").Profiler.Profile): string[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const times = new Map<string, number>();
  let all = 0;
  for (const [index, id] of samples.entries()) {
    const { functionName = "", url = "", lineNumber = 0 } = frames.get(id) ?? {};
    // The function that ends the profile is part of it.
    if (functionName === "(idle)" || (functionName === "dispatch" && url === "")) continue;
    const file = url.startsWith("file:") ? basename(fileURLToPath(url)) : url;
    const name = `${functionName || "(anonymous)"}${file === "" ? "" : ` ${file}:${lineNumber + 1}`}`;
    const time = timeDeltas[index] ?? 0;
    all += time;
    times.set(name, (times.get(name) ?? 0) + time);
  }
  const sorted = [...times].sort(([, a], [, b]) => b - a).slice(0, 10);
  return sorted.map(([name, time]) => `${((time / all) * 100).toFixed(1).padStart(5)} %  ${name}`);
}
