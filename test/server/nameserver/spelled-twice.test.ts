// @suite long

import { describe, expect, test } from "vitest";
import { rdataText } from "../../../src/dns/zone/zone.ts";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { receiveZone } from "../../../src/dns-client/transfer-zone.ts";
import { apiOf, Program as Process } from "../../cli/process.ts";
import { Desk } from "../../cli/run.ts";
import { binaries, freePort, type Program, programs } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";

const zone = "records.example";
const signature = "A 13 3 300 20300101000000 20200101000000 12345 NAME AAAA";

/** Data with names of each type that may have several records at a name. */
const data: Readonly<Record<string, string>> = {
  A6: "64 :: NAME",
  AFSDB: "1 NAME",
  AMTRELAY: "10 0 3 NAME",
  HIP: "2 200100107B1A74DF365639CC39F1D578 AwEAAbdxyhNuSutc5EMzxTs9 NAME",
  HTTPS: "1 NAME",
  IPSECKEY: "10 3 2 NAME AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ==",
  KX: "1 NAME",
  LP: "10 NAME",
  MB: "NAME",
  MG: "NAME",
  MINFO: "NAME NAME",
  MR: "NAME",
  MX: "1 NAME",
  NAPTR: '1 1 "u" "s" "" NAME',
  NS: "NAME",
  "NSAP-PTR": "NAME",
  NSEC: "NAME A",
  NXT: "NAME A",
  PTR: "NAME",
  PX: "1 NAME NAME",
  RP: "NAME NAME",
  RRSIG: signature,
  RT: "1 NAME",
  SIG: signature,
  SRV: "1 1 1 NAME",
  SVCB: "1 NAME",
  TALINK: "NAME NAME",
};

/** Types of which two records that differ in letter case are one (RFC 4034 §6.2; NSAP-PTR: BIND). */
const blind = new Set("A6 AFSDB KX MB MG MINFO MR MX NAPTR NS NSAP-PTR NXT PTR PX RP RRSIG RT SIG SRV".split(" "));

/** A line as a program keeps it: Knot writes names of most old types in lower case, NSD each name in one spelling. */
const kept: Readonly<Record<Program, (line: string) => string>> = {
  bind: (line) => line,
  knot: (line) => (blind.has(line.split(" ")[3] ?? "") ? line.toLowerCase() : line),
  nsd: (line) => line.toLowerCase(),
};

const [first, second, third] = ["Alpha.Example.", "alpha.example.", "ALPHA.example."] as const;

/** The lines of a transfer in which each type has these spellings. */
function linesWith(...names: readonly string[]): string[] {
  return Object.entries(data)
    .flatMap(([type, text]) => (blind.has(type) ? names.slice(0, 1) : names).map((name) => [type, text, name]))
    .map(
      ([type = "", text = "", name = ""]) =>
        `${ownerOf(type)}.${zone}. 300 IN ${type} ${text.replaceAll("NAME", name)}`,
    )
    .sort();
}

const ownerOf = (type: string) => `x-${type.toLowerCase()}`;

/** The records in question, as they are transferred. */
async function transfer(server: ServerAddress): Promise<string[]> {
  const { records } = await receiveZone({ zone: domainName(`${zone}.`), server });
  return records
    .map((record) => `${record.owner} ${record.ttl} IN ${record.type} ${rdataText(record)}`)
    .filter((line) => line.startsWith("x-"))
    .sort();
}

/** `serve` with open records and a zone that is larger than the changes, and calls of its API. */
async function startPrimary(secondaryPort: number) {
  const at = { host: "127.0.0.1", port: await freePort() };
  const flags = `--records open --dns ${at.host}:${at.port} --secondary ${at.host}:${secondaryPort}`;
  const env = { ZONEWRIGHT_SERVE_TOKEN: "secret-for-tests" };
  const { url } = await apiOf(new Process(new Desk().folder, `serve --port 0 --ephemeral ${flags}`, env));
  const call = async (method: string, path: string, body: object = {}) => {
    const headers = { Authorization: `Bearer ${env.ZONEWRIGHT_SERVE_TOKEN}` };
    const reply = await fetch(`${url}/v4${path}`, { method, headers, body: JSON.stringify(body) });
    if (!reply.ok) throw new Error(`${JSON.stringify(body)}: ${await reply.text()}`);
    return (await reply.json()) as { id: number };
  };
  const settings = { domain: zone, type: "master", soa_email: `hostmaster@${zone}`, ttl_sec: 300 };
  const { id } = await call("POST", "/domains", settings);
  const records = `/domains/${id}/records`;
  await call("POST", records, { type: "NS", target: "ns.example.net" });
  for (let host = 0; host < 200; host++)
    await call("POST", records, { type: "A", name: `h${host}`, target: "192.0.2.1" });
  const post = async (type: string, name: string) => {
    const rdata = data[type]?.replaceAll("NAME", name);
    return (await call("POST", records, { type, name: ownerOf(type), rdata, ttl_sec: 300 })).id;
  };
  return { at, call, post, records };
}

describe.each(programs)("%s", (program: Program) => {
  test.skipIf(isMissing(binaries[program]))(
    "has the spellings of the primary after each change of letter case",
    async () => {
      const port = await freePort();
      const { at, call, post, records } = await startPrimary(port);
      const ids = new Map<string, number>();
      for (const type of Object.keys(data)) ids.set(type, await post(type, first));
      const server = await useNameServer(program, { zones: {}, secondary: { primary: at, zones: [zone] }, port });
      const follow = async (...names: readonly string[]) => {
        const timeout = 30_000;
        await expect.poll(() => transfer(at), { timeout }).toEqual(linesWith(...names));
        const wanted = new Set(linesWith(...names).map(kept[program]));
        const found = async () => new Set((await transfer(server)).map(kept[program]));
        await expect.poll(found, { timeout }).toEqual(wanted);
      };
      await follow(first);
      for (const [type, id] of ids) {
        const rdata = data[type]?.replaceAll("NAME", second);
        await call("PUT", `${records}/${id}`, { rdata });
      }
      await follow(second);
      const others = new Map<string, number>();
      for (const type of Object.keys(data)) others.set(type, await post(type, third));
      await follow(second, third);
      for (const [type, id] of ids) if (others.has(type)) await call("DELETE", `${records}/${id}`);
      await follow(third);
    },
    240_000,
  );
});
