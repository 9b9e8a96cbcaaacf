// @suite long
import { afterAll, beforeAll, describe, onTestFinished } from "vitest";
import { rcode } from "../../../src/dns/transfer/codes.ts";
import { readHead } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { sign } from "../../../src/dns/transfer/tsig.ts";
import { rfc2136Target } from "../../../src/targets/rfc2136/target.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { isNightly } from "../../properties.ts";
import {
  type Configuration,
  configurations,
  startUpdateServer,
  type UpdateServer,
  withOtherSoa,
  zoneOfNumber,
} from "../../updates/servers.ts";
import { operatorServers, type Service, Silence, testTarget } from "../conformance.ts";
import { sleep, updateKey } from "./desk.ts";
import { type Passing, startUpdateRelay } from "./update-relay.ts";

const zoneText = (name: string) =>
  `$ORIGIN ${name}\n@ 300 SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60\n${operatorServers.map((host) => `@ 86400 NS ${host}\n`).join("")}`;

/** The zones of one server: each test takes one. */
const zonesOfServer = 80;

/** A reply of the server that nothing was done, signed as it would sign it. */
function failure({ message, reply }: Passing, error: number): void {
  const { id, tsig } = message;
  const octets = writeMessage({ id, opcode: message.opcode, qr: true, rcode: error });
  reply(sign(octets, updateKey, { time: Math.floor(Date.now() / 1000), prior: { mac: tsig?.mac ?? "" } }).message);
}

async function openService(server: UpdateServer, configuration: Configuration, number: number): Promise<Service> {
  const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
  onTestFinished(() => relay.stop());
  const zone = domainName(zoneOfNumber(number));
  let isAdded = false;
  const zones = () => (isAdded ? [zone] : []);
  const connect = () => rfc2136Target({ server: relay, key: updateKey, zones, now: Date.now, sleep });
  const service: Service = {
    target: connect(),
    zone,
    async addZone() {
      await server.untilServed(zone);
      isAdded = true;
    },
    connect,
    silence: new Silence(),
    fault: () => undefined,
    afterWrite: async () => {},
  };
  relay.onUpdate = async (update) => {
    const { client, forward, reply, message } = update;
    const isRefused = withOtherSoa.has(configuration) && message.answers.some(({ type }) => type === "SOA");
    if (isRefused) return reply(await forward());
    const fault = service.fault("change records", JSON.stringify(message.authorities));
    if (fault === "refused") return failure(update, rcode.REFUSED);
    if (fault === "unavailable") return failure(update, rcode.SERVFAIL);
    if (fault === undefined || fault.endsWith("after")) {
      const octets = await forward();
      if (readHead(octets)?.head.rcode === rcode.NOERROR) await service.afterWrite();
      if (fault === undefined) return reply(octets);
    }
    if (fault.startsWith("silent")) await service.silence.wait().catch(() => undefined);
    client.destroy();
  };
  return service;
}

function testConfiguration(configuration: Configuration): void {
  describe(configuration, () => {
    let server: UpdateServer;
    let next = 0;
    beforeAll(async () => {
      server = await startUpdateServer(configuration, zonesOfServer, zoneText);
    }, 60_000);
    afterAll(() => server.stop());
    // A write of a signed zone costs up to 200 ms.
    const killEvery = isNightly ? 1 : configuration.includes(",") ? 12 : 4;
    testTarget("name server", () => openService(server, configuration, next++), { killEvery });
  });
}

describe.skipIf(isMissing("named", "knotd", "pdns_server"))("dynamic updates", () => {
  for (const configuration of Object.keys(configurations) as Configuration[]) testConfiguration(configuration);
});
