import { createSocket } from "node:dgram";
import dns from "node:dns";
import { once } from "node:events";
import { syncBuiltinESMExports } from "node:module";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { ProblemError } from "../../src/diagnostics/problem.ts";
import { opcode } from "../../src/dns/transfer/codes.ts";
import { addFrame, Frames } from "../../src/dns/transfer/frames.ts";
import { readMessage } from "../../src/dns/transfer/message.ts";
import { writeMessage } from "../../src/dns/transfer/message-writer.ts";
import { askSoa } from "../../src/dns-client/ask.ts";
import { sendUpdate } from "../../src/dns-client/send-update.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { domainName } from "../names.ts";

const zone = domainName("example.com.");
const name = "ns.example.net";
const ipv4 = "127.0.0.1";
const other = "127.0.0.2";
const ipv6 = "::1";

/** Gives the name `ns.example.net` these addresses, in this order. */
function giveAddresses(...addresses: readonly string[]): void {
  const { lookup, promises } = dns;
  const { lookup: lookupPromised } = promises;
  const found = addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const replace = (lookups: readonly unknown[]) => {
    Object.assign(dns, { lookup: lookups[0] });
    Object.assign(promises, { lookup: lookups[1] });
    syncBuiltinESMExports();
  };
  onTestFinished(() => replace([lookup, lookupPromised]));
  replace([
    // Sockets look up addresses, too.
    (host: string, ...rest: [object, (error: null, found: object) => void]) =>
      host === name ? rest[1](null, found) : Reflect.apply(lookup, dns, [host, ...rest]),
    async () => found,
  ]);
}

/** A reply to a query or an update. */
function replyTo(octets: Buffer): Buffer {
  const message = readMessage(octets);
  if (message.opcode === opcode.update) return writeMessage({ id: message.id, qr: true, opcode: opcode.update });
  const times = { serial: 7, refresh: 1, retry: 1, expire: 1, minimum: 1 };
  const soa = { owner: zone, type: "SOA", class: 1, ttl: 1, data: { mname: zone, rname: zone, ...times } };
  return writeMessage({ id: message.id, qr: true, aa: true, questions: message.questions, answers: [soa] });
}

type Behaviour = "answers" | "is silent";

/** A name server on an address: it answers, or takes messages and never answers. */
async function listen(port: number, host: string, behaviour: Behaviour): Promise<void> {
  const socket = createSocket(host === ipv6 ? "udp6" : "udp4");
  socket.on("message", (octets, from) => {
    if (behaviour === "answers") socket.send(replyTo(octets), from.port, from.address);
  });
  await once(socket.bind(port, host), "listening");
  onTestFinished(() => void socket.close());
  if (behaviour === "is silent") return;
  const server = createServer((client) => {
    const frames = new Frames();
    client.on("data", (chunk) => {
      for (const octets of frames.take(chunk)) client.end(addFrame(replyTo(Buffer.from(octets))));
    });
  });
  await once(server.listen(port, host), "listening");
  onTestFinished(() => void server.close());
}

/** The serial that a query finds and the end of an update, or what is wrong. */
async function talk(port: number): Promise<unknown[]> {
  const server = { host: name, port };
  const bounds = { timeoutMs: 50, attempts: 2 };
  const asked = askSoa(server, zone, { bounds }).then(
    ({ data }) => data.serial,
    (error: unknown) => (error instanceof ProblemError ? error.problem.summary : error),
  );
  const update = { zone, prerequisites: [], steps: [{ kind: "delete name", owner: zone }] } as const;
  return [await asked, (await sendUpdate(server, update)).kind];
}

test.each<[string, readonly string[], Readonly<Record<string, Behaviour>>, unknown[]]>([
  ["the first refuses", [other, ipv4], { [ipv4]: "answers" }, [7, "answered"]],
  ["the second refuses", [ipv4, other], { [ipv4]: "answers" }, [7, "answered"]],
  ["the first is silent", [other, ipv4], { [ipv4]: "answers", [other]: "is silent" }, [7, "answered"]],
  ["the second is silent", [ipv4, other], { [ipv4]: "answers", [other]: "is silent" }, [7, "answered"]],
  ["the first refuses, in IPv6", [ipv6, ipv4], { [ipv4]: "answers" }, [7, "answered"]],
  ["the second refuses, in IPv6", [ipv4, ipv6], { [ipv6]: "answers" }, [7, "answered"]],
  ["both refuse", [ipv6, ipv4], {}, ["the server is unreachable (ECONNREFUSED)", "unsent"]],
  [
    "one refuses, one is silent",
    [ipv6, ipv4],
    { [ipv4]: "is silent" },
    ["the server is unreachable (ECONNREFUSED)", "unsent"],
  ],
])("of two addresses of a host, %s", async (_, addresses, listening, expected) => {
  const port = await freePort();
  giveAddresses(...addresses);
  for (const [host, behaviour] of Object.entries(listening)) await listen(port, host, behaviour);
  expect(await talk(port)).toEqual(expected);
});
