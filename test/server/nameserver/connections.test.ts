import { once } from "node:events";
import { connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { addFrame, Frames } from "../../../src/dns/transfer/frames.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { Connections, mostConnections } from "../../../src/server/nameserver/connections.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { ServedZones } from "../../../src/server/nameserver/served-zones.ts";
import { domainName } from "../../names.ts";

const { all, ofPeer, ofSecondaries } = mostConnections;

/** The number of connections that are accepted, of `count`. */
function countAdmitted(connections: Connections, address: string, count: number): number {
  return Array.from({ length: count }, () => connections.admit(address)).filter(Boolean).length;
}

test.each<[string, string]>([
  ["192.0.2.1", "192.0.2.1"],
  ["192.0.2.1", "::ffff:192.0.2.1"],
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9"],
])("%s and %s are one peer", (one, other) => {
  const connections = new Connections([]);
  expect([countAdmitted(connections, one, ofPeer), countAdmitted(connections, other, 1)]).toEqual([ofPeer, 0]);
});

test.each<[string, string]>([
  ["192.0.2.1", "192.0.2.2"],
  ["2001:db8:1:2::1", "2001:db8:1:3::1"],
])("%s does not count against %s", (one, other) => {
  const connections = new Connections([]);
  expect([countAdmitted(connections, one, ofPeer + 1), countAdmitted(connections, other, 1)]).toEqual([ofPeer, 1]);
});

test("a closed connection counts neither for its peer nor in total", () => {
  const connections = new Connections([]);
  const leave = connections.admit("192.0.2.1");
  expect(countAdmitted(connections, "192.0.2.1", ofPeer)).toBe(ofPeer - 1);
  leave?.();
  expect(countAdmitted(connections, "192.0.2.1", 2)).toBe(1);
});

test("connections of all peers do not count against the secondaries", () => {
  const connections = new Connections(["192.0.2.53", "2001:db8::53"]);
  const peers = Array.from({ length: 20 }, (_, index) => `198.51.100.${index}`);
  expect(peers.reduce((sum, peer) => sum + countAdmitted(connections, peer, ofPeer), 0)).toBe(all);
  expect(countAdmitted(connections, "::ffff:192.0.2.53", 100)).toBe(100);
  expect(countAdmitted(connections, "2001:DB8:0::53", ofSecondaries)).toBe(ofSecondaries - 100);
});

test("connections over a peer's limit are closed; others and secondaries are answered", async () => {
  const zones = {
    findZones: async () => new ServedZones([]),
    findTransferable: async () => undefined,
    listTransferred: async () => [],
  };
  const onError = (error: unknown) => expect.fail(String(error));
  const service = await listenDns({ host: "127.0.0.1", port: 0, zones, secondaries: ["127.0.0.3"], onError });
  onTestFinished(() => service.close());
  const query = addFrame(writeMessage({ id: 7, questions: [{ name: domainName("example."), type: "A", class: 1 }] }));
  const ask = async (localAddress: string) => {
    const socket = connect({ host: "127.0.0.1", port: service.port, localAddress });
    onTestFinished(() => void socket.destroy());
    socket.on("error", () => {}); // hung up on while it asks
    socket.write(query);
    const first = await Promise.race([once(socket, "data"), once(socket, "close")]);
    const [octets] = Buffer.isBuffer(first[0]) ? new Frames().take(first[0]) : [];
    return octets === undefined ? "hung up" : readMessage(octets).id;
  };
  const askOften = async (address: string, count: number) => {
    const replies: unknown[] = [];
    for (let index = 0; index < count; index++) replies.push(await ask(address));
    return replies;
  };
  expect(await askOften("127.0.0.1", ofPeer + 2)).toEqual([...Array(ofPeer).fill(7), "hung up", "hung up"]);
  expect(await askOften("127.0.0.2", 1)).toEqual([7]);
  expect(await askOften("127.0.0.3", ofPeer + 2)).toEqual(Array(ofPeer + 2).fill(7));
});
