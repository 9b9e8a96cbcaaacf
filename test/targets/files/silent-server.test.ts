import { createSocket } from "node:dgram";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { copies, Fleet, master } from "./fleet.ts";

/** A port at which nothing replies, and the number of queries for each zone. */
async function silentServer() {
  const asked = new Map<string, number>();
  const socket = createSocket("udp4");
  socket.on("message", (octets) => {
    const zone = octets.subarray(13, 14).toString("latin1");
    asked.set(zone, (asked.get(zone) ?? 0) + 1);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  onTestFinished(() => void socket.close());
  return { port: socket.address().port, asked: () => Object.fromEntries([...asked].sort()) };
}

const zonesOf = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name) => [`${name}.example.zone`, master().replaceAll("example.com", `${name}.example`)]),
  );

const zones = zonesOf(["a", "b", "c", "d"]);

test("a server that does not reply gets one query and no second one for each wait", async () => {
  const { port, asked } = await silentServer();
  const fleet = new Fleet(zones, copies);
  expect((await fleet.apply("2026-03-04T12:00:00Z")).code).toBe(0);
  fleet.configure(`${copies}, verify_at: "127.0.0.1:${port}"`);
  for (const [file, text] of Object.entries(zones))
    fleet.write(`zones/${file}`, text.replace("192.0.2.3 ", "192.0.2.4 "));
  const { code, talk } = await fleet.apply("2026-03-04T12:00:10Z");
  expect([code, talk]).toEqual([1, expect.stringContaining("4 of 4 zones failed")]);
  const counts = Object.values(asked());
  expect([counts.length, Math.max(...counts)]).toEqual([4, 2 + 1 + 9]);
});

test("doctor asks a silent server for one zone only", async () => {
  const { port, asked } = await silentServer();
  const names = Array.from({ length: 20 }, (_, index) => String.fromCharCode(97 + index));
  const fleet = new Fleet(zonesOf(names), copies);
  expect((await fleet.apply()).code).toBe(0);
  fleet.configure(`${copies}, verify_at: "127.0.0.1:${port}"`);
  const { out } = await fleet.run("doctor");
  expect(out).toContain(`127.0.0.1:${port} does not reply`);
  expect(asked()).toEqual({ a: 2 });
});
