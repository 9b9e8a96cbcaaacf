import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { rfc2136Target } from "../../../src/targets/rfc2136/target.ts";
import { domainName } from "../../names.ts";
import { sleep } from "./desk.ts";

/** The queries that the target has under way. */
const atOnce = 16;

/** A name server that serves each zone, and replies only when as many queries wait as the target sends at once. */
async function startPatient() {
  const socket = createSocket("udp4");
  const waiting: (() => void)[] = [];
  let most = 0;
  socket.on("message", (octets, { port, address }) => {
    const { id, questions } = readMessage(octets);
    const [{ name } = { name: domainName("example.") }] = questions;
    const times = { serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 };
    const soa = { owner: name, type: "SOA", class: 1, ttl: 1, data: { mname: name, rname: name, ...times } };
    waiting.push(() => socket.send(writeMessage({ id, qr: true, aa: true, questions, answers: [soa] }), port, address));
    most = Math.max(most, waiting.length);
    if (waiting.length === atOnce) for (const reply of waiting.splice(0)) reply();
  });
  await once(socket.bind(0, "127.0.0.1"), "listening");
  onTestFinished(() => void socket.close());
  return { server: { host: "127.0.0.1", port: socket.address().port }, most: () => most };
}

test("a name server is asked for several zones at once, but not for all", async () => {
  const { server, most } = await startPatient();
  const names = Array.from({ length: 25 * atOnce }, (_, index) => domainName(`z${index}.example.`));
  const { read } = rfc2136Target({ server, zones: () => names, now: Date.now, sleep });
  expect((await read.listZones()).map(({ name }) => name)).toEqual(names);
  expect(most()).toBe(atOnce);
});
