import { execFile, execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { Desk } from "../../cli/run.ts";
import { apiKey, rrset, startPowerDns } from "../../targets/powerdns/servers.ts";
import { key, startUpdateServer, zoneOfNumber } from "../../updates/servers.ts";
import { zoneText } from "./two-servers.ts";

/** The keys of a zone, as DNSKEY records have them. */
export interface Keys {
  readonly csk: string;
  readonly ksk: string;
  readonly zsk: string;
}

/** A zone on both servers: the keys of the other that each publishes; a server without them does not sign it. */
export interface SignedCase {
  readonly east?: (keys: Keys) => readonly string[];
  readonly west?: (keys: Keys) => readonly string[];
}

/**
 * Zones on a PowerDNS, which signs with one key (`east`, ns1.example.net), and on a BIND, whose zones have a key that
 * signs keys and one that signs the rest (`west`, ns2). `serversOfWest`: the NS records there.
 */
export async function twoSigners(cases: readonly SignedCase[], serversOfWest = "ns1 ns2") {
  const desk = new Desk();
  mkdirSync(join(desk.folder, "keys"));
  const east = await startPowerDns({ "direct-dnskey": "yes" });
  onTestFinished(() => east.stop());
  const all: Keys[] = [];
  // One after the other: SQLite has one writer.
  for (const [index, { east: published }] of cases.entries()) {
    const zone = zoneOfNumber(index);
    const rrsets = [
      rrset(zone, "SOA", "ns1.example.net. hostmaster.example.net. 1 3600 600 86400 60"),
      rrset(zone, "NS", "ns1.example.net.", "ns2.example.net."),
      rrset(`www.${zone}`, "A", "192.0.2.1"),
    ];
    await east.call("POST", "/zones", { name: zone, kind: "Native", nameservers: [], rrsets });
    const [ksk, zsk] = [newKey(desk, zone, "-f", "KSK"), newKey(desk, zone)];
    const one = { keytype: "csk", active: true, algorithm: "ecdsa256" };
    const made = published ? await east.call("POST", `/zones/${zone}/cryptokeys`, one) : { dnskey: "" };
    const keys: Keys = { csk: (made as { dnskey: string }).dnskey, ksk, zsk };
    const more = published?.(keys) ?? [];
    if (more.length > 0) await east.call("PATCH", `/zones/${zone}`, { rrsets: [rrset(zone, "DNSKEY", ...more)] });
    all.push(keys);
  }
  const textOf = (zone: string) => {
    const index = cases.findIndex((_, at) => zoneOfNumber(at) === zone);
    const more = cases[index]?.west?.(all[index] as Keys);
    const text = onZone(zone, serversOfWest);
    return more ? sign(desk, zone, text, more) : text;
  };
  const west = await startUpdateServer("BIND", cases.length, textOf);
  onTestFinished(() => west.stop());
  await west.untilServed(zoneOfNumber(cases.length - 1));
  desk.now = new Date(); // that of the server, which checks signatures
  desk.write("a.key", `key "${key.name}" { algorithm hmac-sha256; secret "${key.secret}"; };\n`);
  desk.write("pdns.key", apiKey);
  const [eastAt, westAt] = [`127.0.0.1:${east.port}`, `127.0.0.1:${west.port}`];
  const targets = {
    east: `kind: powerdns, url: "${east.url}", api_key_file: pdns.key, nameservers: { ns1.example.net: "${eastAt}" }`,
    west: `kind: rfc2136, server: "${westAt}", tsig_key_file: a.key, nameservers: { ns2.example.net: "${westAt}" }`,
  };
  const writeConfig = (changed: Partial<typeof targets> = {}) => {
    const lines = Object.entries({ ...targets, ...changed }).map(([name, settings]) => `  ${name}: { ${settings} }\n`);
    desk.write("zonewright.yaml", `targets:\n${lines.join("")}zones: { path: zones, targets: [east, west] }\n`);
  };
  writeConfig();
  for (const index of cases.keys()) {
    const zone = zoneOfNumber(index);
    desk.write(`zones/${zone}zone`, onZone(zone));
    const { csk, ksk } = all[index] as Keys;
    const anchors = [csk, ksk].filter(Boolean).map((text) => {
      const [flags, protocol, algorithm, ...octets] = text.split(" ");
      return `  "${zone}" static-key ${flags} ${protocol} ${algorithm} "${octets.join("")}";\n`;
    });
    desk.write(`anchors/${zone}`, `trust-anchors {\n${anchors.join("")}};\n`);
  }
  /** Whether delv validates a zone that it reads from both: the keys from one server, and the rest from the other. */
  const isValid = async (index: number, keysFrom: number, restFrom: number) => {
    const port = await startMixer({ keys: keysFrom, rest: restFrom });
    const zone = zoneOfNumber(index);
    const anchors = join(desk.folder, "anchors", zone);
    const words = ["@127.0.0.1", "-p", `${port}`, "-a", anchors, `+root=${zone}`, zone, "SOA"];
    const text = await new Promise<string>((resolve) => execFile("delv", words, (_, out, talk) => resolve(out + talk)));
    return text.includes("; fully validated");
  };
  return { desk, east, west, keys: all, targets, writeConfig, isValid };
}

const onZone = (zone: string, servers = "ns1 ns2") => zoneText(servers).replaceAll("z01.example.", zone);

/** Makes a key for a zone; its public part as a DNSKEY record has it. */
function newKey({ folder }: Desk, zone: string, ...words: readonly string[]): string {
  const all = ["-q", "-a", "ECDSAP256SHA256", "-K", join(folder, "keys"), ...words, zone];
  const name = execFileSync("dnssec-keygen", all, { encoding: "utf8" }).trim();
  const text = execFileSync("grep", ["DNSKEY", join(folder, "keys", `${name}.key`)], { encoding: "utf8" });
  const [, flags, protocol, algorithm, octets = ""] = /DNSKEY (\d+) (\d+) (\d+) (.*)/.exec(text) ?? [];
  return `${flags} ${protocol} ${algorithm} ${octets.replaceAll(" ", "")}`;
}

/** A zone file with more DNSKEY records, signed with the keys of the zone. */
function sign({ folder }: Desk, zone: string, text: string, more: readonly string[]): string {
  const file = join(folder, `${zone}unsigned`);
  writeFileSync(file, text + more.map((text) => `@ DNSKEY ${text}\n`).join(""));
  const words = ["-q", "-S", "-P", "-K", join(folder, "keys"), "-o", zone, "-f", "-", file];
  return execFileSync("dnssec-signzone", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
}

/** A name server that has the answers of others: DNSKEY records from one, and the rest from another. */
async function startMixer(ports: { readonly keys: number; readonly rest: number }): Promise<number> {
  const server = createSocket("udp4");
  server.on("message", (question, client) => {
    const end = question.indexOf(0, 12); // that of the name
    const isOfKeys = question.readUInt16BE(end + 1) === 48;
    // delv expects a cookie from a server that sent one: no question asks for it, so that its OPT record is empty.
    const plain = Buffer.concat([question.subarray(0, end + 14), Buffer.alloc(2)]);
    const asking = createSocket("udp4");
    asking.once("message", (answer) => {
      server.send(answer, client.port, client.address);
      asking.close();
    });
    asking.send(plain, isOfKeys ? ports.keys : ports.rest, "127.0.0.1");
  });
  server.bind(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}
