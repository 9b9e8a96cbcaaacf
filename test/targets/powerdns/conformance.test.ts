// @suite long
import { afterAll, afterEach, beforeAll, describe, onTestFinished } from "vitest";
import { createSend } from "../../../src/client/send.ts";
import { powerDnsTarget } from "../../../src/targets/powerdns/target.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { type Service, Silence, testTarget } from "../conformance.ts";
import { type PassingRequest, startApiRelay } from "./api-relay.ts";
import { apiKey, type Configuration, configurations, type PowerDnsServer, signZone, startPowerDns } from "./servers.ts";

const zone = domainName("example.com.");
const text = (words: string) => Buffer.from(words);

/** A service of a server without zones; in the signed form, its zones are signed as soon as they exist. */
async function openService(server: PowerDnsServer, configuration: Configuration): Promise<Service> {
  const relay = await startApiRelay(server.apiPort);
  const send = createSend();
  onTestFinished(async () => {
    await relay.stop();
    await send.close();
  });
  const connect = () => powerDnsTarget({ url: relay.url, serverId: "localhost", key: apiKey, send }).target;
  const service: Service = {
    target: connect(),
    zone,
    connect,
    silence: new Silence(),
    fault: () => undefined,
    afterWrite: async () => {},
  };
  const carryOut = async (request: PassingRequest) => {
    const done = await request.forward();
    if (done.status > 299) return done;
    const created = request.method === "POST" ? JSON.parse(String(request.body)).name : undefined;
    if (created !== undefined && configuration === "signed") await signZone(server, created);
    await service.afterWrite();
    return done;
  };
  relay.onRequest = async (request) => {
    const { method, reply, cut, body, path } = request;
    const isOwn = method === "GET" || /\/(?:rectify|notify)$/.test(path);
    if (isOwn) return reply(await request.forward());
    const fault = service.fault("change records", String(body));
    if (fault === "refused") return reply({ status: 403, body: text("Forbidden") });
    if (fault === "unavailable") return reply({ status: 503, body: text("Service Unavailable") });
    if (fault === undefined || fault.endsWith("after")) {
      const done = await carryOut(request);
      if (fault === undefined) return reply(done);
    }
    if (fault.startsWith("silent")) await service.silence.wait().catch(() => undefined);
    cut();
  };
  return service;
}

function testConfiguration(configuration: Configuration): void {
  describe(configuration, () => {
    let server: PowerDnsServer;
    beforeAll(async () => {
      server = await startPowerDns();
    }, 60_000);
    afterAll(() => server.stop());
    afterEach(async () => {
      for (const { id } of (await server.call("GET", "/zones")) as { id: string }[])
        await server.call("DELETE", `/zones/${id}`);
    });
    testTarget("PowerDNS", () => openService(server, configuration));
  });
}

describe.skipIf(isMissing("pdns_server"))("the API of PowerDNS", () => {
  for (const configuration of configurations) testConfiguration(configuration);
});
