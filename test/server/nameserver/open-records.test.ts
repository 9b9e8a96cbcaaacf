// @suite long

import { expect, test } from "vitest";
import { apiOf, Program } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { binaries, freePort, programs } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { apex, goodData, masterFile, readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";

const zone = "records.example";

/** The only records that a CNAME record may have beside it. */
const alias = [
  ["CNAME", "a.example.net."],
  ["RRSIG", `CNAME 13 3 300 20300101000000 20200101000000 12345 ${zone}. AAAA`],
  ["NSEC", `${zone}. CNAME RRSIG NSEC`],
].map(([type = "", canonical = ""]) => ({ owner: "alias", type, canonical }));

const data = [...goodData(), ...alias];

/** The records of a transfer without the SOA record. */
async function recordsOf(server: { readonly host: string; readonly port: number }): Promise<string[]> {
  const lines = await dig(server, zone, "AXFR", { flags: ["+tcp"] });
  return lines.filter((line) => line !== "" && !/^\S+ \d+ IN SOA /.test(line)).sort();
}

/** `serve` with open records and all valid data of every type in a zone. */
async function startOpen(secondary: number): Promise<{ readonly host: string; readonly port: number }> {
  const desk = new Desk();
  const port = await freePort();
  const words = `serve --port 0 --ephemeral --records open --dns 127.0.0.1:${port} --secondary 127.0.0.1:${secondary}`;
  const token = "secret-for-tests";
  const program = new Program(desk.folder, words, { ZONEWRIGHT_SERVE_TOKEN: token });
  const { url } = await apiOf(program);
  await program.says(/names are answered on/);
  const post = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${token}` };
    const reply = await fetch(`${url}/v4${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${JSON.stringify(body)}: ${await reply.text()}`);
    return (await reply.json()) as { id: number };
  };
  const { id } = await post("/domains", {
    domain: zone,
    type: "master",
    soa_email: `hostmaster@${zone}`,
    ttl_sec: 300,
  });
  await post(`/domains/${id}/records`, { type: "NS", target: "ns.example.net" });
  for (const { owner, type, canonical } of data)
    await post(`/domains/${id}/records`, { type, name: owner, rdata: canonical, ttl_sec: 300 });
  return { host: "127.0.0.1", port };
}

for (const program of programs)
  test.skipIf(isMissing(binaries[program]) || isMissing("named") || isMissing("dig"))(
    `${program} as a secondary of an open server has all valid data of every type, as BIND reads it from a file`,
    async () => {
      const lines = data.map(({ owner, type, canonical }) => `${owner} 300 IN ${type} ${canonical}\n`);
      const file = masterFile(readZone(apex + lines.join(""), zone));
      const port = await freePort();
      const primary = await startOpen(port);
      const judge = await useNameServer("bind", { zones: { [zone]: file } });
      const wanted = await recordsOf(judge);
      expect(wanted).toHaveLength(data.length + 1);
      expect(await recordsOf(primary)).toEqual(wanted);
      for (const type of ["CNAME", "RRSIG", "NSEC", "A", "ANY"])
        expect([type, await dig(primary, `alias.${zone}`, type)]).toEqual([
          type,
          await dig(judge, `alias.${zone}`, type),
        ]);
      const secondary = await useNameServer(program, { zones: {}, secondary: { primary, zones: [zone] }, port });
      // Knot serves a signature with the TTL that it was made for.
      const shown = (line: string) => (program === "knot" ? line.replace(/ \d+ (?=IN RRSIG )/, " ") : line);
      expect((await recordsOf(secondary)).map(shown)).toEqual(wanted.map(shown));
    },
    120_000,
  );
