import { execFile } from "node:child_process";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { ServerAddress } from "../../src/dns-client/server-address.ts";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { type ServiceOptions, startService } from "../../src/server/service.ts";
import { openStore } from "../../src/server/store/store.ts";
import { dig } from "../dns/transfer/dig.ts";
import { freePort } from "../dns/transfer/nameservers.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { startResolver } from "../dns-client/fake-resolver.ts";
import { isMissing, judgesFolder } from "../judges.ts";
import { addresses } from "./alias-desk.ts";

const host = "127.0.0.1";
const target = "www.example.net.";
const python = join(judgesFolder, "venv/bin/python"); // octoDNS brings dnspython

/** The lines of dnspython: the changes since a serial, and the whole zone. */
async function readIxfr({ port }: ServerAddress, serial: number): Promise<string[]> {
  const script = join(import.meta.dirname, "read_ixfr.py");
  const { stdout } = await promisify(execFile)(python, [script, host, String(port), "example.com.", String(serial)]);
  return stdout.trim().split("\n");
}

/** Repeats a question until it has this answer: the server looks each second. */
async function until(ask: () => Promise<unknown>, wanted: unknown): Promise<void> {
  for (;;) {
    const got = await ask();
    if (JSON.stringify(got) === JSON.stringify(wanted)) return;
    await wait(20);
  }
}

/** A service with a clock that can be moved, and the address of its name service. */
async function startAliasService(options: Omit<ServiceOptions, "clock" | "port" | "records">, port = 0) {
  const moved = { by: 0 };
  const log: string[] = [];
  const service = await startService({
    ...{ records: "open", port: 0, nameservers: ["ns1.example.net"], log: (line) => log.push(line) },
    clock: () => new Date(Date.UTC(2026, 2, 4, 12) + moved.by),
    onError: (error) => log.push(error instanceof Error ? error.message : String(error)),
    ...options,
    dns: { port, ...options.dns },
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await service.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { service, close, moved, log, at: { host, port: service.dnsPort ?? 0 } };
}

test.skipIf(isMissing("named", "dig", "octodns-validate"))(
  "BIND follows the addresses of an ALIAS record by NOTIFY, and dig and dnspython read them",
  async () => {
    const world = new Map([
      [`${target} A`, addresses(target, ["192.0.2.2", "192.0.2.1"])],
      [`${target} AAAA`, addresses(target, ["2001:db8::1"])],
    ]);
    const resolver = await startResolver((question) => world.get(question));
    const store = await openStore(":memory:");
    onTestFinished(() => store.close());
    const secondaryPort = await freePort();
    const networks = [
      { address: "192.0.2.0", prefix: 24 },
      { address: "2001:db8::", prefix: 32 },
    ];
    const dns = { port: 0, secondaries: [{ host, port: secondaryPort }] };
    const first = await startAliasService({ store, dns, aliases: { resolvers: [resolver.at], networks } });
    const token = await createToken(store, { username: "admin", now: new Date() });
    const post = async (path: string, body: object) => {
      const headers = { Authorization: `Bearer ${token}` };
      const url = `${first.service.url}/v4${path}`;
      expect((await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).status).toBe(200);
    };
    await post("/domains", { domain: "example.com", type: "master", soa_email: "h@example.com" });
    // A zone that is larger than its changes, which are sent whole otherwise.
    const hosts = Array.from({ length: 20 }, (_, at) => `h${String(at).padStart(2, "0")}`);
    for (const name of hosts) await post("/domains/1/records", { type: "A", name, target: "192.0.2.99" });
    const secondary = await useNameServer("bind", {
      ...{ zones: {}, port: secondaryPort, secondary: { primary: first.at, zones: ["example.com."] } },
    });
    await post("/domains/1/records", { type: "ALIAS", target });
    const both = async (at: ServerAddress) => {
      const lines = [...(await dig(at, "example.com.", "A")), ...(await dig(at, "example.com.", "AAAA"))];
      return lines.filter((line) => line !== "").toSorted();
    };
    const lines = (...data: string[]) => data.map((one) => `example.com. 300 IN ${one}`);
    const before = lines("A 192.0.2.1", "A 192.0.2.2", "AAAA 2001:db8::1");
    await until(() => both(first.at), before);
    await until(() => both(secondary), before);
    const serialOf = async (at: ServerAddress) => Number((await dig(at, "example.com.", "SOA"))[0]?.split(/\s+/)[6]);
    const serial = await serialOf(first.at);

    world.set(`${target} A`, addresses(target, ["192.0.2.3", "192.0.2.1"]));
    world.set(`${target} AAAA`, { authority: ["example.net. 60 SOA ns.example.net. h.example.net. 1 2 3 4 60"] });
    first.moved.by += 400_000;
    const after = lines("A 192.0.2.1", "A 192.0.2.3");
    await until(() => both(first.at), after);
    await until(() => both(secondary), after);
    expect(await serialOf(secondary)).toBe(serial + 1);
    const soa = (number: number) =>
      `example.com. 86400 IN SOA ns1.example.net. h.example.com. ${number} 14400 14400 1209600 86400`;
    const ns = "example.com. 86400 IN NS ns1.example.net.";
    const changes = [
      ...[soa(serial + 1), soa(serial), ...lines("A 192.0.2.2", "AAAA 2001:db8::1")],
      ...[soa(serial + 1), ...lines("A 192.0.2.3"), soa(serial + 1)],
    ];
    const others = hosts.map((name) => `${name}.example.com. 86400 IN A 192.0.2.99`);
    const zone = [...lines("A 192.0.2.1", "A 192.0.2.3"), ns, soa(serial + 1), ...others];
    expect(await readIxfr(first.at, serial)).toEqual([...changes, ...zone]);

    // A resolver that fails changes nothing, is told once, and shows in the health of the server.
    for (const type of ["A", "AAAA"]) world.set(`${target} ${type}`, { rcode: "SERVFAIL" });
    first.moved.by += 4_000_000;
    const health = async () => (await (await fetch(`${first.service.url}/healthz`)).json()) as unknown;
    const problem = { id: "aliases-unresolved", count: 1, message: "ALIAS records that cannot be resolved: 1." };
    await until(health, { status: "degraded", problems: [problem] });
    first.moved.by += 4_000_000;
    resolver.take();
    while (resolver.questions.length < 2) await wait(20);
    expect(await both(secondary)).toEqual(after);
    expect(await serialOf(first.at)).toBe(serial + 1);
    // Before BIND ran, it could not be notified.
    expect(first.log.filter((line) => !line.includes("NOTIFY"))).toEqual([
      `ALIAS records could not be resolved: example.com (${host}:${resolver.at.port}: the resolver replied SERVFAIL)`,
      "health: aliases-unresolved: ALIAS records that cannot be resolved: 1.",
    ]);

    // Another server of the database, which reaches no resolver, serves the last addresses.
    await first.close();
    const second = await startAliasService({ store, aliases: { resolvers: [] }, dns: { port: 0 } });
    expect(await both(second.at)).toEqual(after);
  },
);
