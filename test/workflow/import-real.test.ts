import { readFileSync } from "node:fs";
import { join } from "node:path";
import pMap from "p-map";
import { expect, test } from "vitest";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import { apiOf, Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { transferZones } from "../dns/transfer/dig.ts";
import { binaries, programs, startNameServer } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { isNightly } from "../properties.ts";
import { realZones } from "../real-zones.ts";
import { compareWithLedger, type ReportedEntry } from "./transfer-oracle.ts";

const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared by two") };
const env = { ZONEWRIGHT_TSIG_KEY: `transfer:hmac-sha256:${Buffer.from(key.secret).toString("base64")}` };

/** Small zones of several kinds: the sample of the plain run. */
const small = ["cjit.gov.uk", "hmcts.uk", "financeandtaxtribunals.gov.uk", "victimscode.org.uk"];

const wanted = realZones.bindFiles.filter((file) => isNightly || small.includes(file.replace(/\.zone$/, "")));

/** Zone files by the names of their zones. */
const zones: ReadonlyMap<string, string> = new Map(
  wanted.map((file) => [file.replace(/zone$/, "").toLowerCase(), readFileSync(join(realZones.bind, file), "utf8")]),
);

const servers = isNightly ? programs : (["bind"] as const);

/** The zones that a server transfers: BIND all of them, and outside of the nightly run each of the others a half. */
function zonesOf(program: (typeof programs)[number]): ReadonlyMap<string, string> {
  if (program === "bind" || isNightly) return zones;
  const half = program === "knot" ? 0 : 1;
  return new Map([...zones].filter((_, index) => index % 2 === half));
}

interface Imported {
  readonly desk: Desk;
  readonly files: ReadonlyMap<string, string>;
  readonly ledgers: ReadonlyMap<string, readonly ReportedEntry[]>;
  readonly refused: ReadonlyMap<string, string>;
  /** The zones as dig transfers them from the same server. */
  readonly transferred: ReadonlyMap<string, string>;
}

/** The zones as a name server transfers them. */
async function importFrom(program: (typeof programs)[number]): Promise<Imported> {
  const own = zonesOf(program);
  const server = await startNameServer(program, {
    zones: Object.fromEntries(own),
    keys: [key],
    allowsRefused: true,
  });
  const { refused } = server;
  const names = [...own.keys()].filter((zone) => !refused.has(zone));
  const desk = new Desk({ "zones.txt": names.join("\n") });
  desk.secrets.push(Buffer.from(key.secret).toString("base64"));
  const command = `import axfr --zones-file zones.txt --from 127.0.0.1:${server.port} --report json`;
  const { code, out, talk } = await desk.run(command, { env });
  const transferred = await transferZones(server, names, key);
  await server.stop();
  expect([program, code, talk.match(/^error.*/gm)]).toEqual([program, 0, null]);
  const report = JSON.parse(out) as { zones: { zone: string; file: string; ledger: { entries: ReportedEntry[] } }[] };
  expect(report.zones.map(({ zone }) => `${zone}.`)).toEqual(names);
  const files = desk.files();
  const textOf = (file: string) => (files[file] ?? "").replace(`Transferred from 127.0.0.1:${server.port}`, "From");
  return {
    desk,
    files: new Map(report.zones.map(({ zone, file }) => [`${zone}.`, textOf(file)])),
    ledgers: new Map(report.zones.map(({ zone, ledger }) => [`${zone}.`, ledger.entries])),
    refused,
    transferred,
  };
}

/** Applies the zone files to a server, and returns each zone as dig reads its transfer. */
async function applyAndTransfer(desk: Desk): Promise<ReadonlyMap<string, string>> {
  const token = "secret-for-tests";
  const flags = `--token ${token} --rate-limit 0 --dns 127.0.0.1:0 --dns-rate-limit 0 --secondary 127.0.0.1:9`;
  const server = new Program(desk.folder, `serve --port 0 --ephemeral ${flags}`);
  const { url } = await apiOf(server);
  const [, port] = await server.says(/names are answered on \S+:(\d+);/);
  const api = { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: token };
  const { code, talk } = await desk.run("apply --yes --allow G09,G12,G19,G21", { env: api });
  expect([code, talk.match(/^error.*/gm)]).toEqual([0, null]);
  return transferZones({ host: "127.0.0.1", port: Number(port) }, [...zones.keys()]);
}

test.skipIf(isMissing(...servers.map((program) => binaries[program]), "dig"))(
  `${zones.size} real zones of ${servers.join(", ")} are imported, applied and transferred again, less exactly what the ledger lists`,
  { timeout: 480_000 },
  async ({ annotate }) => {
    const [first, ...others] = await pMap(servers, importFrom, { concurrency: 1 });
    if (!first) throw new Error("no server");
    expect([...first.refused]).toEqual([]);
    for (const [index, { files, ledgers, refused }] of others.entries()) {
      for (const [zone, reason] of refused) await annotate(`${servers[index + 1]} refused ${zone} ${reason}`);
      expect(textsOf({ files, ledgers })).toEqual(textsOf(first).filter(([zone]) => files.has(zone)));
    }
    const served = await applyAndTransfer(first.desk);
    const faults = [...zones.keys()].flatMap((zone) => {
      const [before = "", after = ""] = [first.transferred.get(zone), served.get(zone)];
      const ledger = first.ledgers.get(zone) ?? [];
      return compareWithLedger(zone, { before, after, ledger }).map((fault) => `${zone} ${fault}`);
    });
    expect(faults).toEqual([]);
    expect(served.size).toBe(zones.size);
  },
);

/**
 * The file and the ledger of each zone, without the letter case of names: Knot sends those in RDATA in lower case, and
 * NSD those of owners too.
 */
function textsOf({ files, ledgers }: Pick<Imported, "files" | "ledgers">) {
  const entryText = ({ owner, rdata, ...entry }: ReportedEntry) => {
    const data = ["TXT", "CAA"].includes(entry.type) ? rdata : rdata.toLowerCase();
    return JSON.stringify([owner.toLowerCase(), data, entry]);
  };
  return [...files].map(
    ([zone, text]) => [zone, text.toLowerCase(), (ledgers.get(zone) ?? []).map(entryText).sort()] as const,
  );
}
