import { expect, test } from "vitest";
import { dig } from "../dns/transfer/dig.ts";
import { isMissing } from "../judges.ts";
import { samplesOf } from "../server/metrics-text.ts";
import { apiOf } from "./process.ts";
import { Desk } from "./run.ts";

const token = "secret-for-tests";

async function serve(flags: string) {
  const server = new Desk().start(`serve --port 0 --ephemeral --token ${token} ${flags}`);
  const { url, call } = await apiOf(server, token);
  return { server, call, url: url.replace("0.0.0.0", "127.0.0.1") };
}

test.each([
  ["", 200],
  ["--host 0.0.0.0", 404],
  ["--host 0.0.0.0 --metrics", 200],
])("serve %s replies to GET /metrics with %i", async (flags, status) => {
  const { server, url } = await serve(flags);
  expect((await fetch(`${url}/metrics`)).status).toBe(status);
  await server.end();
});

/** Two zones of more than half a MiB each. */
test.skipIf(isMissing("dig")).each([
  ["", 2],
  ["--dns-zones-in-memory 1", 1],
  ["--dns-memory 1", 1],
  ["--dns-memory 2", 2],
])("serve --dns 127.0.0.1:0 %s keeps %i of two zones in memory", async (flags, kept) => {
  const { server, call, url } = await serve(`--records open --dns 127.0.0.1:0 ${flags}`);
  const [, port] = await server.says(/names are answered on \S+:(\d+);/);
  for (const [index, domain] of ["one.example", "two.example"].entries()) {
    await call("POST", "/domains", { domain, type: "master", soa_email: `hostmaster@${domain}` });
    const target = `"${"x".repeat(250)}" `.repeat(230).trim();
    const record = { type: "TXT", name: "large", target };
    for (let number = 0; number < 10; number++)
      expect((await call("POST", `/domains/${index + 1}/records`, { ...record, name: `n${number}` })).status).toBe(200);
    expect(await dig({ host: "127.0.0.1", port: Number(port) }, `${domain}.`, "NS")).toHaveLength(3);
  }
  const text = await (await fetch(`${url}/metrics`)).text();
  expect(samplesOf(text, "zonewright_dns_zones_in_memory")).toEqual([`{kind="domain"} ${kept}`, '{kind="reverse"} 0']);
  const [octets = ""] = samplesOf(text, "zonewright_dns_zones_in_memory_bytes");
  expect(Number(octets.split(" ")[1]) / kept / 2 ** 20).toBeCloseTo(0.55, 1);
  await server.end();
});
