import { onTestFinished } from "vitest";
import { createClient } from "../../../src/client/client.ts";
import { createSend, type Send } from "../../../src/client/send.ts";
import type { RecordsSetting } from "../../../src/contract/resources/open-record.ts";
import { createToken } from "../../../src/server/areas/account/tokens-operator.ts";
import { listen } from "../../../src/server/http/node.ts";
import { createServer } from "../../../src/server/server.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { apiTarget, openApiTarget } from "../../../src/targets/api/target.ts";
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

type Connect = (server: ReturnType<typeof createServer>) => Promise<{ baseUrl: string; send: Send }>;

/** The API at our server; `connect` gives the way to it. */
async function open(connect: Connect, records: RecordsSetting = "documented") {
  const store = await openStore(":memory:");
  onTestFinished(() => store.close());
  const server = createServer({ store, records, clock: () => new Date("2026-03-04T12:00:00Z") });
  const token = await createToken(store, { username: "admin", now: new Date("2026-03-04T12:00:00Z") });
  const { baseUrl, send } = await connect(server);
  const options = {
    baseUrl,
    token,
    sleep: async () => undefined,
    send: async (request: Request) => {
      if (request.method === "GET") return send(request);
      const word = words[`${request.method} ${/\/records/.test(request.url) ? "record" : "domain"}`] ?? "";
      const fault = service.fault(word, `${request.method} ${request.url} ${await request.clone().text()}`);
      if (fault === undefined || fault.endsWith("after")) {
        const reply = await send(request);
        if (reply.ok) await service.afterWrite();
        if (fault === undefined) return reply;
      }
      if (fault === "unavailable") return new Response("", { status: 503, headers: { "X-Maintenance-Mode": "true" } });
      if (fault === "refused")
        return Response.json(
          { errors: [{ reason: "Unauthorized" }] },
          { status: 403, headers: { "Content-Type": "application/json" } },
        );
      if (fault.startsWith("lost")) throw Object.assign(new Error("socket hang up"), { code: "ECONNRESET" });
      return service.silence.wait();
    },
  };
  const connected = () =>
    records === "open" ? openApiTarget(createClient({ ...options, records })) : apiTarget(createClient(options));
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

const inProcess: Connect = async (server) => ({ baseUrl: "http://api", send: async (request) => server(request) });

testTarget("the API in process", () => open(inProcess));

testTarget("the API with open records", () => open(inProcess, "open"), { killEvery: isNightly ? 1 : 12 });

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
