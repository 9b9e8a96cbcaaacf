import { onTestFinished } from "vitest";
import { createClient } from "../../../src/client/client.ts";
import { createSend, type Send } from "../../../src/client/send.ts";
import { createToken } from "../../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../../src/server/http/node.ts";
import { createServer } from "../../../src/server/server.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { apiTarget } from "../../../src/targets/api/target.ts";
import { domainName } from "../../names.ts";
import { isNightly } from "../../properties.ts";
import { type Service, Silence, testTarget } from "../conformance.ts";

const words: Readonly<Record<string, string>> = {
  "POST domain": "create zone",
  "PUT domain": "change settings",
  "DELETE domain": "delete zone",
  "POST record": "create record",
  "PUT record": "update record",
  "DELETE record": "delete record",
};

/** The API at our server; `connect` gives the way to it. */
async function open(connect: (server: ReturnType<typeof createServer>) => Promise<{ baseUrl: string; send: Send }>) {
  const store = await openStore(":memory:");
  onTestFinished(() => store.close());
  const server = createServer({ store, clock: () => new Date("2026-03-04T12:00:00Z") });
  const token = await createToken(store, { username: "admin", now: new Date("2026-03-04T12:00:00Z") });
  const { baseUrl, send } = await connect(server);
  const connected = () =>
    apiTarget(
      createClient({
        baseUrl,
        token,
        sleep: async () => undefined,
        send: async (request) => {
          if (request.method === "GET") return send(request);
          const word = words[`${request.method} ${/\/records/.test(request.url) ? "record" : "domain"}`] ?? "";
          const fault = service.fault(word, `${request.method} ${request.url} ${await request.clone().text()}`);
          if (fault === undefined || fault.endsWith("after")) {
            const reply = await send(request);
            if (reply.ok) await service.afterWrite();
            if (fault === undefined) return reply;
          }
          if (fault === "unavailable")
            return new Response("", { status: 503, headers: { "X-Maintenance-Mode": "true" } });
          if (fault === "refused")
            return Response.json(
              { errors: [{ reason: "Unauthorized" }] },
              { status: 403, headers: { "Content-Type": "application/json" } },
            );
          if (fault.startsWith("lost")) throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
          return service.silence.wait();
        },
      }),
    );
  const service: Service = {
    target: connected(),
    zone: domainName("example.com."),
    connect: connected,
    silence: new Silence(),
    fault: () => undefined,
    afterWrite: async () => {},
  };
  return service;
}

testTarget("the API in process", () =>
  open(async (server) => ({ baseUrl: "http://api", send: async (request) => server(request) })),
);

testTarget(
  "the API over HTTP",
  () =>
    open(async (server) => {
      const { url, close } = await listen(server, { port: 0 });
      const send = createSend();
      onTestFinished(async () => {
        await send.close();
        await close();
      });
      return { baseUrl: url, send };
    }),
  { killEvery: isNightly ? 4 : 12 },
);
