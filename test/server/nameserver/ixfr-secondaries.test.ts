// @suite long nightly-postgres

import { setTimeout as wait } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { askSoa, notify } from "../../../src/dns-client/ask.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { transferZone } from "../../../src/dns-client/transfer-zone.ts";
import { apiOf, Program as Process } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { binaries, freePort, type Program, programs, type Running } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { isMissing } from "../../judges.ts";
import { isNightly, seed } from "../../properties.ts";
import { type HistoryStep, history, takeStep } from "./histories.ts";
import { a, begin, host, many, name, show } from "./primary.ts";

/** The transfers in the log of a secondary: whether each had the changes only. The zone has more than 300 records. */
function transfersOf(program: Program, { log }: Running): boolean[] {
  const find = (pattern: RegExp) => [...log().matchAll(pattern)].map(([, found]) => found ?? "");
  if (program === "bind")
    return find(/Transfer completed: \d+ messages, (\d+) records/g).map((records) => Number(records) < 200);
  if (program === "nsd")
    return find(/received update to serial \d+ .* of (\d+) bytes/g).map((size) => Number(size) < 3000);
  return find(/(\S+), incoming,.* finished/g).map((kind) => kind === "IXFR");
}

/**
 * Notifies a secondary, waits until it has the zone of the primary, and tells whether it was sent the changes only.
 * While NSD loads a zone, its old process may end connections.
 */
function followOf(program: Program, secondary: Running, primary: ServerAddress) {
  const transfer = async (server: ServerAddress) => {
    const records = await transferZone({ zone: name, server }).then(
      ({ records }) => records,
      () => [],
    );
    return show(records).map((line) => line.toLowerCase());
  };
  return async () => {
    const before = transfersOf(program, secondary).length;
    await notify(secondary, await askSoa(primary, name));
    const own = await transfer(primary);
    let theirs = await transfer(secondary);
    for (; theirs[0] !== own[0]; theirs = await transfer(secondary)) await wait(10);
    while (transfersOf(program, secondary).length === before) await wait(10);
    expect(theirs.sort()).toEqual(own.sort());
    return transfersOf(program, secondary).at(-1);
  };
}

const secondaries: [string, Program, "UDP" | undefined][] = [
  ...programs.map((program): [string, Program, undefined] => [program, program, undefined]),
  ["nsd over UDP", "nsd", "UDP"],
];

for (const [title, program, transport] of secondaries)
  test.skipIf(isMissing(binaries[program]))(
    `${title} follows changes by incremental transfers`,
    async () => {
      const { at, id, call, soa, post } = await begin(many(300));
      const primary = { primary: at, zones: ["example.com."], ...(transport && { transport }) };
      const secondary = await useNameServer(program, { zones: {}, secondary: primary });
      const follow = followOf(program, secondary, at);
      const changes: (() => Promise<unknown>)[] = [
        () => post(a("new")),
        () => call("PUT", `/domains/${id}/records/301`, { target: "192.0.2.7", name: "newer.sub" }),
        () => call("PUT", `/domains/${id}/records/1`, { ttl_sec: 300 }),
        () => post(a("h0", 200)),
        () => call("DELETE", `/domains/${id}/records/2`),
        () => post({ type: "NS", name: "sub", target: "ns.sub.example.com" }),
        () => post(a("ns.sub")),
        () => post(a("*.wild")),
        () => call("PUT", `/domains/${id}`, { retry_sec: 7200, soa_email: "h@example.com" }),
        async () => {
          for (const step of ["skipped", "version"]) {
            await post(a(step));
            await soa();
          }
        },
      ];
      const steps = fc.sample(history, { seed, numRuns: isNightly ? 20 : 1 }).flat();
      const isOfRecord = (step: HistoryStep) => step.verb !== "settings";
      for (const versions of steps)
        changes.push(async () => {
          await post(a(`step${changes.length}`, 1, { ttl_sec: 300 })); // each version has a serial of its own
          for (const step of versions.filter(isOfRecord)) await takeStep(call, id, step);
        });
      for (const change of changes) {
        await change();
        expect(await follow(), secondary.log()).toBe(true);
      }
      // The whole zone where the changes are not known.
      await call("PUT", `/domains/${id}`, { ttl_sec: 300 });
      expect(await follow(), secondary.log()).toBe(false);
    },
    600_000,
  );

test.skipIf(isMissing("knotd"))("a server that was killed still sends the changes from before", async () => {
  const desk = new Desk();
  const port = await freePort();
  const serve = async () => {
    const program = new Process(desk.folder, `serve --port 0 --dns ${host}:${port} --token secret-for-tests`, {});
    return { program, ...(await apiOf(program)) };
  };
  const first = await serve();
  await first.call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "h@example.com" });
  for (const record of many(20)) await first.call("POST", "/domains/1/records", record);
  await first.call("PUT", "/domains/1", { axfr_ips: [host] });
  const at = { host, port };
  const secondary = await useNameServer("knot", { zones: {}, secondary: { primary: at, zones: ["example.com."] } });
  await first.call("POST", "/domains/1/records", a("rendered"));
  await askSoa(at, name);
  await first.call("POST", "/domains/1/records", a("waiting"));
  first.program.kill("SIGKILL");
  await first.program.end();
  const second = await serve();
  await second.call("POST", "/domains/1/records", a("after"));
  expect(await followOf("knot", secondary, at)(), secondary.log()).toBe(true);
  second.program.kill("SIGTERM");
  await second.program.end();
});
