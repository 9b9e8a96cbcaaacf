// @suite long
import { describe, expect, onTestFinished, test } from "vitest";
import { rcodeName } from "../../src/dns/transfer/codes.ts";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import type { Prerequisite, Update, UpdateStep } from "../../src/dns/transfer/update.ts";
import { sendUpdate } from "../../src/dns-client/send-update.ts";
import { dig } from "../dns/transfer/dig.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import {
  type Configuration,
  configurations,
  key as shared,
  startUpdateServer,
  zoneOfNumber,
} from "../updates/servers.ts";

const key: Key = {
  name: domainName("updates."),
  algorithm: "hmac-sha256",
  secret: Buffer.from(shared.secret, "base64"),
};
const zone = domainName("z01.example.");
const owner = domainName("www.z01.example.");
const read = (text: string) => readZone(text, "z01.example").records.map((record) => ({ ...record, ttl: 300 }));
const before = read("www 300 IN A 192.0.2.10\nwww 300 IN A 192.0.2.11\n");
const after = read("www 300 IN A 192.0.2.12\nwww 300 IN A 192.0.2.13\n");
const isHere: Prerequisite = { kind: "set equals", records: before };
const isGone: Prerequisite = { kind: "no set", owner, type: "A" };
const noName: Prerequisite = { kind: "no name", owner };
const replaced: UpdateStep[] = [
  { kind: "delete set", owner, type: "A" },
  ...after.map((record) => ({ kind: "add" as const, record })),
];

/** The reason after an unknown key: PowerDNS does not say why. */
const unknownKey = (name: string) =>
  name.startsWith("PowerDNS")
    ? "the server replied REFUSED, not signed with the TSIG key"
    : "the server rejected the TSIG (BADKEY)";

const judges = ["dig", "named", "knotd", "pdns_server", "pdns-backend-sqlite3"] as const;

describe.skipIf(isMissing(...judges))("updates of a zone", () => {
  test.each(Object.keys(configurations) as Configuration[])("%s", async (configuration) => {
    const { port, stop, untilServed } = await startUpdateServer(configuration, 1);
    onTestFinished(stop);
    await untilServed(zoneOfNumber(0));
    const server = { host: "127.0.0.1", port };
    const send = async (changes: Partial<Update>, used: Key = key) => {
      const update: Update = { zone, prerequisites: [], steps: [], ...changes };
      const outcome = await sendUpdate(server, update, { key: used });
      return outcome.kind === "answered"
        ? rcodeName(outcome.reply.rcode)
        : `${outcome.kind}: ${outcome.reason.message}`;
    };
    expect([
      await send({ prerequisites: [isGone] }),
      await send({ prerequisites: [noName] }),
      await send({ prerequisites: [isHere], steps: replaced }),
      await send({ prerequisites: [isHere], steps: replaced }),
      await send({ zone: domainName("example.net."), steps: [] }),
      await send({}, { ...key, name: domainName("unknown.") }),
    ]).toEqual([
      "YXRRSET",
      "YXDOMAIN",
      "NOERROR",
      "NXRRSET",
      configuration.startsWith("Knot") ? "lost: the server replied NOTAUTH, not signed with the TSIG key" : "NOTAUTH",
      `lost: ${unknownKey(configuration)}`,
    ]);
    await expect
      .poll(async () => (await dig(server, owner, "A", { key })).filter(Boolean).toSorted())
      .toEqual(["12", "13"].map((host) => `www.z01.example. 300 IN A 192.0.2.${host}`));
  });
});
