// @suite long
import { expect, onTestFinished, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { startApiRelay } from "./api-relay.ts";
import { allowed, openDesk } from "./desk.ts";
import { startPowerDns } from "./servers.ts";

const zone = "spelled.example.";
const count = 80;
const file = (port: number) => `$TTL 300
@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60
@ NS ns1.example.net.
@ NS ns2.example.net.
${Array.from({ length: count }, (_, index) => `h${index} HTTPS 1 . alpn=h2 port=${port + index}\n`).join("")}`;

interface Sent {
  readonly rrsets: readonly {
    readonly name: string;
    readonly type: string;
    readonly records?: { content: string }[];
  }[];
}

test.skipIf(isMissing("pdns_server"))(
  "the spelling of a version that differs is learnt of each value once, without a read of the zone for it",
  async () => {
    const server = await startPowerDns();
    const relay = await startApiRelay(server.apiPort);
    onTestFinished(async () => {
      await relay.stop();
      await server.stop();
    });
    let reads = 0;
    let octets = 0;
    // A version that wants quotes in `alpn`.
    relay.onRequest = async (request) => {
      const { method, path, body, reply } = request;
      if (method === "GET" && path.endsWith(zone)) reads++;
      if (method !== "PATCH" && method !== "POST") return reply(await request.forward());
      octets += body.length;
      const { rrsets } = JSON.parse(String(body)) as Sent;
      for (const { name, type, records = [] } of rrsets)
        for (const { content } of records) {
          if (!content.includes("alpn=h2")) continue;
          const parsed = content.replace("alpn=h2", 'alpn="h2"');
          const error = `Record ${name}/${type} '${content}': Not in expected format (parsed as '${parsed}')`;
          return reply({ status: 422, body: Buffer.from(JSON.stringify({ error })) });
        }
      const spelled = Buffer.from(String(body).replaceAll('alpn=\\"h2\\"', "alpn=h2"));
      return reply(await request.forward(spelled));
    };
    const desk = openDesk(relay.url, {});
    const told: unknown[] = [];
    for (const port of [1000, 2000]) {
      [reads, octets] = [0, 0];
      desk.write(`zones/${zone}zone`, file(port));
      const { code } = await desk.run(`apply --yes --allow ${allowed}`);
      told.push({ code, readsAreFew: reads < 10, octetsOfValue: octets / count < 8_000 });
    }
    const all = { code: 0, readsAreFew: true, octetsOfValue: true };
    expect(told).toEqual([all, all]);
  },
  120_000,
);
