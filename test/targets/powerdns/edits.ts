import { createSend } from "../../../src/client/send.ts";
import { powerDnsTarget } from "../../../src/targets/powerdns/target.ts";
import { deskOf } from "../rfc2136/desk.ts";
import { type EditedServer, type EditTrial, type Judge, trialEditsOn, zone } from "../rfc2136/edits.ts";
import { typesOf } from "../rfc2136/random-zone.ts";
import { startApiRelay } from "./api-relay.ts";
import { apiKey, type Configuration, signZone, startPowerDns } from "./servers.ts";

/** Makes random edits of a zone by the API, and has it transferred after each request, and after each edit. */
export function trialApiEdits(configuration: Configuration, count: number, seed: number): Promise<EditTrial> {
  return trialEditsOn((root, judge) => openServer(configuration, root, judge), typesOf("PowerDNS"), { count, seed });
}

async function openServer(configuration: Configuration, root: string, judge: Judge): Promise<EditedServer> {
  const server = await startPowerDns();
  const relay = await startApiRelay(server.apiPort);
  const send = createSend();
  const { target, address } = powerDnsTarget({ url: relay.url, serverId: "localhost", key: apiKey, send });
  // A request is one transaction of the database: there are no other states.
  relay.onRequest = async ({ method, forward, reply }) => {
    const done = await forward();
    if (method === "PATCH") await judge.note({ zone, port: server.port });
    reply(done);
  };
  return {
    name: `the API of PowerDNS, ${configuration}`,
    port: server.port,
    desk: deskOf(root, { target, api: address }, zone),
    afterFirst: async () => {
      if (configuration === "signed") await signZone(server, zone);
    },
    async stop() {
      await send.close();
      await relay.stop();
      await server.stop();
    },
  };
}
