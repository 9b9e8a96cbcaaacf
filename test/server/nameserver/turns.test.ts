import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { compileZone } from "../../../src/dns/compiled/zone-compiler.ts";
import { addFrame } from "../../../src/dns/transfer/frames.ts";
import { largestMessage, readMessage } from "../../../src/dns/transfer/message.ts";
import { type Key, sign } from "../../../src/dns/transfer/tsig.ts";
import { longestMs, mostQueued } from "../../../src/server/nameserver/connection.ts";
import { mostQueriesInTurn, slotLimits } from "../../../src/server/nameserver/connections.ts";
import { mostTransfersOfSite, octetsInTurn, Transfers } from "../../../src/server/nameserver/transfers.ts";
import { ZonesByName } from "../../../src/server/nameserver/zones/served-zones.ts";
import type { Zones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import type { StoreVersion } from "../../../src/server/store/driver.ts";
import { apex, readZone, soaOf } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { stored } from "./served.ts";
import { listen, question, type TcpClient, turn, until } from "./tcp-clients.ts";

/** A zone whose texts fill a message each. */
function zoneOfTexts(texts: number) {
  const text = `"${"x".repeat(255)}" `.repeat(230);
  const lines = Array.from({ length: texts }, (_, index) => `t${index} 300 TXT ${text}\n`);
  const { records } = readZone(apex + lines.join(""));
  return compileZone(soaOf(records), records.slice(1), 0);
}

/** Zones that answer each question at once, with the names that were asked for in each turn. */
function recordTurns(): { zones: Zones; turns: string[][] } {
  const turns: string[][] = [];
  const known = {
    version: () => turns.push([]),
    find: (key: string) => {
      turns.at(-1)?.push(key.replace(/\.example$/, ""));
      return "none" as const;
    },
  };
  return { zones: { ...stored, known }, turns };
}

/** A transfer to a site that takes each message at once. */
async function sendTo(site: string, transfers: Transfers, messages: Generator<Buffer>): Promise<void> {
  const { signal } = new AbortController();
  const client = { transport: "tcp", address: site, site, signal, onSigned() {} } as const;
  const end = await transfers.begin(client, true);
  for await (const _ of transfers.write(client, messages));
  end();
}

const countOf = (names: readonly string[], wanted: string) => names.filter((name) => name === wanted).length;
const block = (name: string) => Array(1500).fill(question(`${name}.example.`));

test("a turn answers a bounded number of queries over TCP, of each connection and in all, and datagrams before", async () => {
  const { zones, turns } = recordTurns();
  const { at, open } = await listen({ zones });
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"];
  const clients = await Promise.all(names.map(() => open()));
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  let datagrams = 0;
  socket.on("message", () => datagrams++);
  socket.connect(at.port, at.host);
  await once(socket, "connect");
  for (const [index, name] of names.entries()) clients[index]?.send(...block(name));
  let loops = 0;
  while (clients.some(({ received }) => received.length < 1500)) {
    socket.send(question("udp.example."));
    await turn();
    loops++;
  }
  await until(() => datagrams > 0);
  const all = turns.flat();
  expect(all.filter((name) => name !== "udp").length).toBe(12_000);
  expect(turns.length).toBeLessThanOrEqual(loops + 1);
  for (const names of turns) {
    const [before, streams] = [countOf(names, "udp"), names.filter((name) => name !== "udp")];
    expect(names.slice(0, before)).toEqual(Array(before).fill("udp"));
    expect(streams.length).toBeLessThanOrEqual(mostQueriesInTurn.all);
    for (const name of names.slice(before))
      expect(countOf(streams, name)).toBeLessThanOrEqual(mostQueriesInTurn.ofConnection);
  }
  // Others are served between turns: the datagrams did not wait for the end.
  expect(turns.filter((names) => names.includes("udp") && names.length > 1).length).toBeGreaterThan(10);
});

test("peers with queries take turns, however many connections one of them has", async () => {
  const { zones, turns } = recordTurns();
  const { open } = await listen({ zones });
  const many = await Promise.all(Array.from({ length: 8 }, () => open("127.0.0.10")));
  const one = await open("127.0.0.11");
  for (const client of many) client.send(...block("many"));
  one.send(...block("one"));
  await until(() => one.received.length === 1500);
  const shared = turns.filter((names) => names.includes("one") && names.includes("many"));
  expect(shared.length).toBeGreaterThan(1500 / mostQueriesInTurn.ofConnection - 10);
  for (const names of shared.slice(0, -1)) expect(countOf(names, "one")).toBe(mostQueriesInTurn.ofConnection);
});

test("queries that take longer begin a few in each turn, and connections wait for each other", async () => {
  let begun = 0;
  const { zones, turns } = recordTurns();
  const begins: number[] = [];
  const { open } = await listen({
    zones: {
      ...zones,
      known: { version: () => turns.push([]), find: () => undefined },
      findZones: async () => {
        begins[turns.length] = (begins[turns.length] ?? 0) + 1;
        begun++;
        return new ZonesByName([]);
      },
    },
  });
  const clients = await Promise.all(Array.from({ length: 20 }, () => open()));
  for (const client of clients) client.send(...block("a").slice(0, 50));
  await until(() => clients.every(({ received }) => received.length === 50));
  expect(begun).toBe(1000);
  expect(Math.max(...begins.filter(Boolean))).toBe(mostQueriesInTurn.longer);
});

test("transports share the reads of the version, and no answer is older than its question", async () => {
  const reads: ((version: StoreVersion) => void)[] = [];
  const answers: [string, StoreVersion][] = [];
  let all = 0;
  const known = {
    version: () => {
      all++;
      return new Promise<StoreVersion>((resolve) => reads.push(resolve));
    },
    find: (key: string, version: StoreVersion) => {
      answers.push([key, version]);
      return "none" as const;
    },
  };
  const { at, open, sideOf } = await listen({ zones: { ...stored, known } });
  const client = await open();
  const send = async (...names: string[]) => {
    const before = sideOf(client).bytesRead;
    client.send(...names.map((name) => question(name)));
    await until(() => sideOf(client).bytesRead > before);
  };
  await send("first.example.");
  await until(() => reads.length === 1);
  await send("second.example.", "third.example.");
  const socket = createSocket("udp4");
  onTestFinished(() => void socket.close());
  socket.send(question("datagram.example."), at.port, at.host);
  await send("fourth.example.");
  expect([answers, all]).toEqual([[], 1]);
  reads.pop()?.(1);
  await until(() => reads.length === 1);
  reads.pop()?.(2);
  await until(() => client.received.length === 4);
  expect(answers.filter(([, version]) => version === 1)).toEqual([["first.example", 1]]);
  expect(answers.filter(([key]) => key !== "datagram.example").slice(1)).toEqual([
    ["second.example", 2],
    ["third.example", 2],
    ["fourth.example", 2],
  ]);
  expect(all).toBeLessThanOrEqual(3); // the datagram may arrive later
});

test("a client that ends its side gets all answers first", async () => {
  const { zones } = recordTurns();
  const { open } = await listen({ zones });
  const client = await open();
  client.send(...block("a"));
  client.socket.end();
  await until(() => client.isClosed);
  expect(client.received.length).toBe(1500);
});

/** Sends until the server reads no more; returns the octets that it has read. */
async function fill(
  client: TcpClient,
  side: ReturnType<Awaited<ReturnType<typeof listen>>["sideOf"]>,
): Promise<number> {
  client.socket.pause();
  const many = Array(100).fill(question("t0.example.", "TXT"));
  for (;;) {
    client.send(...many);
    const before = side.bytesRead;
    for (let turns = 0; turns < 20; turns++) await turn();
    if (side.isPaused() && side.writableNeedDrain && side.bytesRead === before) return before;
  }
}

describe("a client that sends and does not read", () => {
  /** The most octets that Node reads at once. */
  const ofChunk = 2 ** 16;

  async function begin() {
    const zone = zoneOfTexts(1);
    let answers = 0;
    const known = {
      version: () => 1,
      find: () => {
        answers++;
        return zone;
      },
    };
    const server = await listen({ zones: { ...stored, known } });
    const client = await server.open();
    return { client, side: server.sideOf(client), answers: () => answers };
  }

  test("gets a bounded number of answers and is not read any more", async () => {
    const { client, side, answers } = await begin();
    const read = await fill(client, side);
    const waiting = read - answers() * (question("t0.example.", "TXT").length + 2);
    expect(waiting).toBeLessThan(mostQueued + 2 * ofChunk);
    expect(side.writableLength).toBeLessThan(mostQueued + largestMessage);
    const before = answers();
    client.socket.resume();
    await until(() => client.received.length > before);
  });

  test("is not read while a query takes longer", async () => {
    const { open, sideOf } = await listen({ zones: { ...stored, findZones: () => new Promise(() => {}) } });
    const client = await open();
    client.send(question("a.example."));
    for (let sent = 0; sent < 2 ** 22; sent += 2 ** 16) client.send(...block("a"));
    await until(() => sideOf(client).isPaused());
    for (let turns = 0; turns < 100; turns++) await turn();
    expect(sideOf(client).bytesRead).toBeLessThan(mostQueued + 2 * ofChunk);
  });

  test("keeps its slot while other connections of its network are silent", async () => {
    const zone = zoneOfTexts(1);
    const server = await listen({ zones: { ...stored, known: { version: () => 1, find: () => zone } } });
    const reader = await server.open();
    const side = server.sideOf(reader);
    await fill(reader, side);
    const silent: TcpClient[] = [];
    while (silent.length < slotLimits.others.ofNetwork) silent.push(await server.open());
    await until(() => side.destroyed || silent.some(({ isClosed }) => isClosed));
    expect([side.destroyed, silent[0]?.isClosed]).toEqual([false, true]);
  });

  test("has some seconds to take answers, also in the middle of a query", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const { client, side, answers } = await begin();
    const blocked = async () => {
      client.socket.pause();
      let before = -1;
      for (; before < answers() || !side.writableNeedDrain; await turn()) before = answers();
    };
    const query = addFrame(question("t0.example.", "TXT"));
    client.socket.write(Buffer.concat([...Array(1000).fill(query), query.subarray(0, 5)]));
    await blocked();
    vi.advanceTimersByTime(longestMs.untaken - 1000);
    // Each time that it takes some, its time begins again.
    const before = answers();
    client.socket.resume();
    await until(() => answers() > before);
    await blocked();
    vi.advanceTimersByTime(longestMs.untaken - 1000);
    expect(side.destroyed).toBe(false);
    vi.advanceTimersByTime(2000); // its progress is looked for once a second
    expect(side.destroyed).toBe(true);
  });
});

/** A client on a slow link, in a program of its own. */
function connectSlowly(port: number) {
  const script = join(import.meta.dirname, "slow-reader.py");
  const program = spawn("python3", [script, String(port)], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void program.kill("SIGKILL"));
  const replies = createInterface(program.stdout)[Symbol.asyncIterator]();
  /** Returns the number of octets that it received. */
  return async (command: string | number) => {
    program.stdin.write(`${command}\n`);
    return Number((await replies.next()).value);
  };
}

describe.skipIf(isMissing("python3"))("a client that reads slowly, but steadily", () => {
  test.each<[string, string[]]>([
    ["gets all answers", []],
    ["gets all answers after it has ended its side", ["end"]],
  ])("%s", async (_, commands) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const zone = zoneOfTexts(1);
    const { at, sides } = await listen({ zones: { ...stored, known: { version: () => 1, find: () => zone } } });
    const order = connectSlowly(at.port);
    const query = addFrame(question("t0.example.", "TXT"));
    for (const command of [`send ${Buffer.concat([query, query, query]).toString("hex")}`, ...commands])
      await order(command);
    await until(() => sides[0]?.writableNeedDrain === true);
    const side = sides[0] ?? expect.fail();
    // The octets of answers that the system has not taken.
    const rest = () => ("_handle" in side && (side._handle as { writeQueueSize: number })?.writeQueueSize) || 0;
    const answerOctets = side.writableLength;
    let received = 0;
    while (received < 3 * answerOctets) {
      vi.advanceTimersByTime(longestMs.untaken - 1000);
      const before = rest();
      while (received < 3 * answerOctets && (rest() === before || before === 0)) {
        const octets = await order(512);
        if (octets === 0) expect.fail(`closed after ${received} octets`);
        received += octets;
      }
    }
  });
});

describe("transfers", () => {
  const key: Key = { name: "key." as Key["name"], algorithm: "hmac-sha256", secret: Buffer.from("secret") };
  const signed = (name: string) => sign(question(name, "AXFR"), key, { time: 1000 }).message;

  /** One for each text. */
  const messages = 150;

  /** Zones to transfer: a large one and a small one. `now` is read for each signed message. */
  async function begin(onMessage: () => void = () => {}) {
    const [large, small] = [zoneOfTexts(messages), zoneOfTexts(1)];
    const asked: string[] = [];
    const server = await listen({
      zones: {
        ...stored,
        findTransferable: async (name, admit) => {
          await admit?.([]);
          asked.push(name);
          return { zone: name === "large.example." ? large : small, axfrIps: [] };
        },
      },
      keys: [key],
      now: () => {
        onMessage();
        return 1000;
      },
    });
    return { ...server, asked };
  }

  test("write a message only when the connection has room for it", async () => {
    let [written, inVain] = [0, 0];
    let side: ReturnType<typeof server.sideOf> | undefined;
    const server = await begin(() => {
      written++;
      if (side?.writableNeedDrain) inVain++;
    });
    const client = await server.open();
    side = server.sideOf(client);
    client.socket.pause();
    client.send(signed("large.example."));
    await until(() => side?.writableNeedDrain === true && side.writableLength > 0);
    let before = 0;
    while (before < written) {
      before = written;
      for (let turns = 0; turns < 50; turns++) await turn();
    }
    expect([inVain, written < messages]).toEqual([0, true]);
    client.socket.resume();
    await until(() => client.received.length === messages);
    expect(inVain).toBe(0);
    // Of the SOA records, one begins the first message, and one is alone in the last.
    expect(client.received.flatMap((message) => readMessage(message).answers).length).toBe(messages + 2);
  });

  test("are written in turns of the event loop, one message for each peer in rotation", async () => {
    const transfers = new Transfers();
    const written: string[] = [];
    let [loops, last] = [0, -1];
    const messages = function* (name: string) {
      for (let left = 5; left > 0; left--) {
        expect(loops).toBeGreaterThan(last);
        last = loops;
        written.push(name);
        yield Buffer.alloc(octetsInTurn);
      }
    };
    const send = (site: string, name: string) => sendTo(site, transfers, messages(name));
    const all = Promise.all([send("192.0.2.1", "a"), send("192.0.2.1", "b"), send("192.0.2.2", "c")]);
    let isOver = false;
    void all.then(() => {
      isOver = true;
    });
    for (; !isOver; loops++) await turn();
    await all;
    expect(written.join("")).toMatch(/^[ab]?(c[ab]){4}/);
    expect(written.length).toBe(15);
  });

  test("are written first to those that were sent less lately, whenever they come", async () => {
    const transfers = new Transfers();
    const written: string[] = [];
    const messages = function* (name: string, count: number) {
      for (let left = count; left > 0; left--) {
        written.push(name);
        yield Buffer.alloc(octetsInTurn);
      }
    };
    const send = (site: string, count: number) => sendTo(site, transfers, messages(site, count));
    await send("a", 4);
    await Promise.all([send("a", 4), send("b", 2), send("c", 6)]);
    expect(written.join("")).toBe("aaaaabcbccccacaa");
  });

  test("that last for ever keep none from others", async () => {
    const others = Array.from({ length: 40 }, (_, index) => `127.0.0.${10 + index}`);
    let waiting = 0;
    const zone = zoneOfTexts(1);
    const { open } = await listen({
      zones: {
        ...stored,
        findTransferable: async (name, admit) => {
          if (!(await admit?.(others))) return undefined;
          if (name !== "large.example.") return { zone, axfrIps: [] };
          waiting++;
          return new Promise(() => {});
        },
      },
      keys: [key],
      secondaries: ["127.0.0.3"],
      now: () => 1000,
    });
    const busy = others.slice(1).flatMap((address) => Array<string>(mostTransfersOfSite).fill(address));
    for (const address of busy) (await open(address)).send(question("large.example.", "AXFR"));
    await until(() => waiting === busy.length);
    for (const [from, query, rcode] of [
      ["127.0.0.2", question("small.example.", "AXFR"), 5],
      [others[0], question("small.example.", "AXFR"), 0],
      ["127.0.0.3", question("small.example.", "AXFR"), 0],
      ["127.0.0.2", signed("small.example."), 0],
    ] as const)
      expect([from, readMessage((await (await open(from)).answer(query)) ?? expect.fail()).rcode]).toEqual([
        from,
        rcode,
      ]);
  });

  test("wait for others of the same peer, and begin as soon as one of these leaves", async () => {
    const { open, sideOf, asked } = await begin();
    const clients = await Promise.all(Array.from({ length: mostTransfersOfSite }, () => open("127.0.0.10")));
    for (const client of clients) {
      client.socket.pause();
      client.send(signed("large.example."));
    }
    await until(() => clients.every((client) => sideOf(client).writableLength > 0));
    const impatient = await open("127.0.0.10");
    impatient.send(signed("impatient.example."));
    const next = await open("127.0.0.10");
    next.send(signed("small.example."));
    const other = await open("127.0.0.11");
    expect(await other.answer(signed("other.example."))).toBeDefined();
    expect(asked.filter((name) => name !== "large.example.")).toEqual(["other.example."]);
    const side = sideOf(impatient);
    impatient.socket.resetAndDestroy();
    await until(() => side.destroyed);
    clients[0]?.socket.destroy();
    await until(() => next.received.length > 0);
    expect(asked).not.toContain("impatient.example.");
  });
});
