import { expect, test } from "vitest";
import { dig } from "../dns/transfer/dig.ts";
import { startResolver } from "../dns-client/fake-resolver.ts";
import { isMissing } from "../judges.ts";
import { addresses } from "../server/alias-desk.ts";
import { apiOf } from "./process.ts";
import { Desk } from "./run.ts";

test.skipIf(isMissing("dig"))(
  "serve asks the resolver of --resolver, and serves private addresses that --alias-to allows",
  async () => {
    const lists = { A: ["10.0.0.1", "10.1.0.1", "127.0.0.1"], AAAA: ["fd00::1"] };
    const resolver = await startResolver((question) => {
      const type = question.endsWith(" A") ? "A" : "AAAA";
      return addresses("www.example.net.", lists[type]);
    });
    const desk = new Desk({ token: "secret-for-tests" });
    const flags = `--records open --dns 127.0.0.1:0 --resolver 127.0.0.1:${resolver.at.port} --alias-to 10.0.0.0/16 --alias-to fd00::/8`;
    const server = desk.start(`serve --port 0 --no-console --ephemeral --token-file token ${flags}`);
    const { call } = await apiOf(server);
    const [, port] = await server.says(/names are answered on \S+:(\d+);/);
    await call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "h@example.com" });
    await call("POST", "/domains/1/records", { type: "ALIAS", target: "www.example.net." });
    const served = async () => {
      const at = { host: "127.0.0.1", port: Number(port) };
      const lines = [...(await dig(at, "example.com.", "A")), ...(await dig(at, "example.com.", "AAAA"))];
      return lines.filter((line) => line !== "");
    };
    await expect.poll(served).toEqual(["example.com. 300 IN A 10.0.0.1", "example.com. 300 IN AAAA fd00::1"]);
    expect((await server.end()).code).toBe(0);
  },
);

test.each([
  [
    "--resolver dns.example.com",
    'error: --resolver must be an address, such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53, not "dns.example.com".',
  ],
  [
    "--alias-to intern",
    'error: --alias-to must be a network or an address, such as 10.0.0.0/8 or fd00::/8, not "intern".',
  ],
])("refuses serve %s", async (flags, talk) => {
  expect(await new Desk().run(`serve --ephemeral ${flags}`)).toEqual({ code: 64, out: "", talk: `${talk}\n` });
});
