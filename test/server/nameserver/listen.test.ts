import { createSocket, type Socket as DatagramSocket } from "node:dgram";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { addFrame } from "../../../src/dns/transfer/frames.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { TransferError } from "../../../src/dns/transfer/transfer-error.ts";
import { rdataText, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { ask, askSoa, notify } from "../../../src/dns-client/ask.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { receiveZone } from "../../../src/dns-client/transfer-zone.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { startNotifier } from "../../../src/server/nameserver/notifier.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { StuckZones } from "../../../src/server/nameserver/zones/stuck-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { binaries, freePort, programs } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { linesOf, readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { turn } from "./tcp-clients.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const host = "127.0.0.1";

/** An API and its name service. An unexpected error fails the test. */
async function begin({
  waitForZone = waitForCurrent,
  stuck = new StuckZones(),
  ...options
}: {
  secondaries?: string[];
  waitForZone?: (ms: number) => Promise<void>;
  stuck?: StuckZones;
} = {}) {
  const api = await start({ nameservers: ["ns1.example.net"] });
  const settings = { store: api.store, clock: () => api.clock.now, nameservers: ["ns1.example.net"] };
  const zones = new StoredZones(readServerSettings(settings), settings.clock, { waitForCurrent: waitForZone, stuck });
  const onError = (error: unknown) => expect.fail(String(error));
  const service = await listenDns({ host, port: 0, zones, onError, ...options });
  onTestFinished(() => service.close());
  const edit = (id: number, changes: object) => api.call("PUT", `/domains/${id}`, changes);
  return { ...api, zones, edit, at: { host, port: service.port } };
}

const soon = (signal: AbortSignal) => wait(10, undefined, { signal });
const www = { type: "A", name: "www", target: "192.0.2.1" };
const question = (name: string, type: string) => ({ question: { name: domainName(name), type, class: 1 } });

async function answerLines(server: ServerAddress, name: string, type = "A"): Promise<string[]> {
  const { answers } = await ask(server, question(name, type));
  return linesOf(answers).filter((line) => line !== "");
}

async function transferErrorId(act: Promise<unknown>): Promise<string> {
  return act.then(
    () => "given",
    (error) => (error instanceof TransferError ? error.problem.id : Promise.reject(error)),
  );
}

test("a change by the API is answered at once", async () => {
  const { at, domain, call, edit } = await begin();
  expect((await ask(at, question("www.example.com.", "A"))).rcode).toBe(5);
  const id = await domain("Example.com", [www]);
  expect(await answerLines(at, "www.example.com.")).toEqual(["www.example.com. 86400 IN A 192.0.2.1"]);
  await call("POST", `/domains/${id}/records`, { ...www, name: "ftp", ttl_sec: 300 });
  expect(await answerLines(at, "FTP.example.com.")).toEqual(["ftp.example.com. 300 IN A 192.0.2.1"]);
  expect(await answerLines(at, "example.com.", "NS")).toEqual(["example.com. 86400 IN NS ns1.example.net."]);
  await edit(id, { status: "disabled" });
  expect((await ask(at, question("www.example.com.", "A"))).rcode).toBe(5);
});

test("a changed zone that takes too long to load is answered with SERVFAIL", async () => {
  let longest = 10_000;
  const waitForZone = (ms: number) => (ms > 1000 && ms < longest ? Promise.resolve() : waitForCurrent());
  const { at, domain, call, edit } = await begin({ waitForZone });
  const id = await domain("example.com", [www]);
  await edit(id, { axfr_ips: [host] });
  const load = () => receiveZone({ zone: domainName("example.com."), server: at });
  await load();
  expect(await answerLines(at, "www.example.com.")).toEqual(["www.example.com. 86400 IN A 192.0.2.1"]);
  await call("POST", `/domains/${id}/records`, { ...www, target: "192.0.2.2" });
  expect((await ask(at, question("www.example.com.", "A"))).rcode).toBe(2);
  longest = 100_000;
  await call("POST", `/domains/${id}/records`, { ...www, target: "192.0.2.3" });
  expect(await transferErrorId(load())).toBe("transfer/servfail");
  longest = 10_000;
  await load();
  expect(await answerLines(at, "www.example.com.")).toHaveLength(3);
});

test("a duplicate record of the API is answered once", async () => {
  const { at, domain, edit } = await begin();
  const id = await domain("example.com", [www, www, { ...www, name: "WWW" }, { ...www, target: "192.0.2.2" }]);
  await edit(id, { axfr_ips: [host] });
  const addresses = (records: readonly Pick<ZoneRecord, "type" | "data">[]) =>
    records.filter(({ type }) => type === "A").map((record) => rdataText(record));
  const { answers } = await ask(at, question("www.example.com.", "A"));
  expect(addresses(answers)).toEqual(["192.0.2.1", "192.0.2.2"]);
  const { records } = await receiveZone({ zone: domainName("example.com."), server: at });
  expect(addresses(records)).toEqual(["192.0.2.1", "192.0.2.2"]);
});

test("a domain below another answers for itself, except for its DS", async () => {
  const { at, domain } = await begin();
  await domain("example.com", [{ type: "NS", name: "sub", target: "ns1.example.net" }]);
  await domain("sub.example.com", [www]);
  expect(await answerLines(at, "www.sub.example.com.")).toEqual(["www.sub.example.com. 86400 IN A 192.0.2.1"]);
  const { authorities } = await ask(at, question("sub.example.com.", "DS"));
  expect(authorities.map(({ owner }) => owner)).toEqual(["example.com."]);
});

for (const program of ["dig", "kdig"] as const)
  test.skipIf(isMissing(program))(`${program} reads by UDP, by TCP, and the whole zone`, async () => {
    const { at, domain, edit } = await begin();
    const many = Array.from({ length: 60 }, (_, index) => ({ ...www, target: `192.0.2.${index}` }));
    const id = await domain("example.com", many);
    await edit(id, { axfr_ips: [host] });
    const expected = [...many.map(({ target }) => `www.example.com. 86400 IN A ${target}`).sort(), ""];
    expect(await dig(at, "www.example.com.", "A", { program })).toEqual(expected);
    expect(await dig(at, "www.example.com.", "A", { program, flags: ["+tcp"] })).toEqual(expected);
    const { records } = await receiveZone({ zone: domainName("example.com."), server: at });
    expect(records.length).toBe(62);
    expect(await dig(at, "example.com.", "AXFR", { program })).toEqual(linesOf(records));
    expect(await dig(at, "example.com.", "IXFR=1", { program })).toEqual(linesOf(records));
  });

test("a zone is transferred to its axfr_ips and to the operator's secondaries", async () => {
  const { at, domain, edit } = await begin();
  const id = await domain("example.com");
  const transfer = (zone: string, server = at) => transferErrorId(receiveZone({ zone: domainName(zone), server }));
  expect(await transfer("example.com.")).toBe("transfer/refused");
  expect(await transfer("example.org.")).toBe("transfer/notauth");
  expect(await transfer("www.example.com.")).toBe("transfer/notauth");
  await edit(id, { axfr_ips: ["192.0.2.1", host] });
  expect(await transfer("EXAMPLE.com.")).toBe("given");
  const other = await begin({ secondaries: ["::1", host] });
  await other.domain("example.com");
  expect(await transfer("example.com.", other.at)).toBe("given");
});

test("a zone is not loaded for a peer that may not transfer it", async () => {
  const stuck = new StuckZones();
  const loads = vi.spyOn(stuck, "watch");
  const { at, domain } = await begin({ stuck });
  await domain("example.com");
  const [soa = expect.fail()] = readZone("example.com. 300 IN SOA ns h 1 2 3 4 5\n").records;
  expect(await transferErrorId(receiveZone({ zone: soa.owner, server: at }))).toBe("transfer/refused");
  expect(loads).not.toHaveBeenCalled();
});

for (const program of programs)
  test.skipIf(isMissing(binaries[program]))(
    `${program} as secondary transfers the zone, and again after a NOTIFY`,
    async () => {
      const { at, domain, edit, call, zones } = await begin();
      const id = await domain("example.com", [www, { type: "TXT", name: "", target: "v=spf1 -all" }]);
      await edit(id, { axfr_ips: [host] });
      const port = await freePort();
      const notifier = startNotifier({ zones, port, wait: soon, onError: (error) => expect.fail(String(error)) });
      onTestFinished(() => notifier.close());
      const secondary = await useNameServer(program, {
        port,
        zones: {},
        secondary: { primary: at, zones: ["example.com."] },
      });
      const ours = async (server: ServerAddress) =>
        linesOf((await receiveZone({ zone: domainName("example.com."), server })).records);
      expect(await ours(secondary)).toEqual(await ours(at));
      await call("POST", `/domains/${id}/records`, { ...www, target: "192.0.2.2" });
      const { data } = await askSoa(at, domainName("example.com."));
      while ((await askSoa(secondary, domainName("example.com."))).data.serial !== data.serial) await wait(10);
      // NSD ends the connections of its old process when it has loaded the zone.
      await vi.waitFor(async () => expect(await ours(secondary)).toEqual(await ours(at)), 60_000);
    },
  );

describe("a client that connects before the server can listen for datagrams", () => {
  /** Starts a server whose socket for datagrams is bound once the query of a client has arrived, and `before` ended. */
  async function startSlowly(before: (port: number) => Promise<unknown>) {
    const { zones } = await begin();
    let client: Socket | undefined;
    const accepted: Socket[] = [];
    const accept = (message: unknown) => void accepted.push((message as { socket: Socket }).socket);
    const delay = (message: unknown) => {
      const { socket } = message as { socket: DatagramSocket };
      unsubscribe("udp.socket", delay);
      const bind = socket.bind.bind(socket);
      socket.bind = (port) => {
        client = connect(Number(port), host);
        onTestFinished(() => void client?.destroy());
        client.write(
          addFrame(writeMessage({ questions: [{ name: domainName("example.com."), type: "A", class: 1 }] })),
        );
        const isAsked = async () => {
          while (!accepted.some(({ bytesRead }) => bytesRead > 0)) await turn();
          for (let turns = 0; turns < 10; turns++) await turn();
        };
        void Promise.all([isAsked(), before(Number(port))]).then(() => bind(Number(port), host));
        return socket;
      };
      sockets.push(socket);
    };
    const sockets: DatagramSocket[] = [];
    subscribe("net.server.socket", accept);
    subscribe("udp.socket", delay);
    const service = listenDns({ host, port: 0, zones, onError: (error) => expect.fail(String(error)) });
    const ended = service.then(
      (service) => onTestFinished(() => service.close()),
      (error) => (error as Error).message,
    );
    const message = await ended;
    unsubscribe("net.server.socket", accept);
    const [socket = expect.fail()] = sockets;
    return { client: client ?? expect.fail(), socket, message };
  }

  test("is answered", async () => {
    const { client } = await startSlowly(async () => {});
    if (client.bytesRead === 0) await once(client, "data");
  });

  test("is hung up on if another program uses the port for datagrams", async () => {
    const other = createSocket("udp4");
    onTestFinished(() => void other.close());
    const take = (port: number) => new Promise<void>((resolve) => void other.bind(port, host, resolve));
    const { client, socket, message } = await startSlowly(take);
    expect(message).toMatch(/cannot answer names on 127\.0\.0\.1 port 0/);
    client.resume();
    if (!client.closed) await once(client, "close");
    expect(() => socket.address()).toThrow("Not running");
  });
});

test("a datagram from port 0 does not stop the server", async () => {
  const sockets: DatagramSocket[] = [];
  const hear = (message: unknown) => void sockets.push((message as { socket: DatagramSocket }).socket);
  subscribe("udp.socket", hear);
  const { at, domain } = await begin();
  unsubscribe("udp.socket", hear);
  await domain("example.com", [www]);
  const query = writeMessage({ id: 1, questions: [{ name: domainName("example.com."), type: "A", class: 1 }] });
  for (const socket of sockets) socket.emit("message", query, { address: host, port: 0, family: "IPv4", size: 0 });
  expect(sockets.length).toBe(1);
  expect(await answerLines(at, "www.example.com.")).toEqual(["www.example.com. 86400 IN A 192.0.2.1"]);
});

test("a server on both address families recognizes a master by its IPv4 address, over UDP too", async () => {
  const { zones } = await begin();
  const heard: string[] = [];
  const notice = async (zone: string, peer: string) => {
    heard.push(`${zone} ${peer}`);
    return 0;
  };
  const onError = (error: unknown) => expect.fail(String(error));
  const service = await listenDns({ host: "::", port: 0, zones, onError, notice });
  onTestFinished(() => service.close());
  const [soa = expect.fail()] = readZone("example.com. 300 IN SOA ns h 1 2 3 4 5\n").records;
  await notify({ host, port: service.port }, soa);
  expect(heard).toEqual([`example.com. ${host}`]);
});
