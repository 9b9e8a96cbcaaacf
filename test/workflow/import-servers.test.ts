import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import { Desk } from "../cli/run.ts";
import { binaries, freePort, startNameServer } from "../dns/transfer/nameservers.ts";
import { compileZone, normal } from "../formats/named.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { sampleOfRealZones } from "../real-zones.ts";

const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared by two") };
const env = { ZONEWRIGHT_TSIG_KEY: `transfer:hmac-sha256:${Buffer.from(key.secret).toString("base64")}` };

const zoneText = (serial: number, text = "") =>
  `@ 3600 IN SOA ns.example.org. hostmaster ${serial} 7200 3600 1209600 300\n@ 3600 IN NS ns.example.org.\n${text}`;

const catalogText = zoneText(
  1,
  'version 0 IN TXT "2"\na.zones 0 IN PTR a.example.\nb.zones 0 IN PTR b.example.\ngroup.b.zones 0 IN TXT "x"\n',
);

for (const program of ["bind", "knot"] as const)
  test.skipIf(isMissing(binaries[program]))(
    `the members of a catalog zone of ${program} are imported, and a server with another serial is named`,
    async () => {
      const zones = { "a.example.": zoneText(7), "b.example.": zoneText(7), "catalog.example.": catalogText };
      const first = await startNameServer(program, { zones });
      onTestFinished(() => first.stop());
      const second = await startNameServer(program, { zones: { ...zones, "b.example.": zoneText(8) } });
      onTestFinished(() => second.stop());
      const silent = await freePort();
      const desk = new Desk();
      desk.shown.push([`127.0.0.1:${first.port}`, "FIRST"], [`127.0.0.1:${second.port}`, "SECOND"]);
      const servers = [first.port, second.port, silent].map((port) => `--from 127.0.0.1:${port}`).join(" ");
      const { code, out, talk } = await desk.run(`import axfr --catalog catalog.example ${servers}`);
      expect([code, out.match(/^wrote .*(?=:)/gm)]).toEqual([
        0,
        ["wrote zones/a.example.yaml", "wrote zones/b.example.yaml"],
      ]);
      expect(talk.match(/.*transfer\/serial.*/g)).toEqual([
        "warning[transfer/serial] b.example. was transferred from FIRST with serial 7, but SECOND has serial 8",
      ]);
    },
  );

test.skipIf(isMissing("named"))("zones are transferred over IPv6", async ({ skip }) => {
  const behind = await startNameServer("bind", { zones: { "a.example.": zoneText(7) } });
  onTestFinished(() => behind.stop());
  const relay = createServer((socket) => {
    const other = connect(behind.port, "127.0.0.1");
    for (const one of [socket, other]) one.on("error", () => {});
    socket.pipe(other).pipe(socket);
  });
  const port = await freePort();
  try {
    await once(relay.listen(port, "::1"), "listening");
  } catch {
    skip();
  }
  onTestFinished(() => void relay.close());
  expect(await new Desk().run(`import axfr a.example --from [::1]:${port}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining("wrote zones/a.example.yaml"),
  });
});

interface Entry {
  readonly owner: string;
  readonly type: string;
  readonly ttl: number;
  readonly rdata: string;
  readonly class: string;
}

const linesOf = (text: string): string[] => [...new Set(normal(text).split("\n").filter(Boolean))].sort();

// Knot refuses an owner name of these zones that the others serve.
for (const program of ["bind", "nsd"] as const)
  test.skipIf(isMissing(binaries[program], "named-compilezone"))(
    `real zones that ${program} serves are imported without a record that the ledger does not list`,
    { timeout: 60_000 },
    async () => {
      const files = new Map(
        sampleOfRealZones.bindFiles.map((file) => [
          file.replace(/zone$/, "").toLowerCase(),
          readFileSync(join(sampleOfRealZones.bind, file)),
        ]),
      );
      const compiled = new Map<string, string>();
      for (const [zone, bytes] of files) {
        const { records } = await compileZone(zone, bytes);
        if (records !== undefined) compiled.set(zone, records);
      }
      const zones = Object.fromEntries([...compiled.keys()].map((zone) => [zone, files.get(zone)?.toString() ?? ""]));
      const server = await startNameServer(program, { zones, keys: [key] });
      onTestFinished(() => server.stop());
      const desk = new Desk({ "zones.txt": [...compiled.keys()].join("\n") });
      const command = `import axfr --zones-file zones.txt --from 127.0.0.1:${server.port} --report json`;
      const { code, out, talk } = await desk.run(command, { env });
      expect([code, talk.match(/^error.*/gm)]).toEqual([0, null]);
      const report = JSON.parse(out) as { zones: { zone: string; ledger: { entries: Entry[] } }[] };
      const textOf = (zone: string) => (entry: Entry) => {
        const owner = entry.owner === "@" ? zone : entry.owner.endsWith(".") ? entry.owner : `${entry.owner}.${zone}`;
        return `${owner} ${entry.ttl} IN ${entry.type} ${entry.rdata}\n`;
      };
      for (const { zone, ledger } of report.zones) {
        const text = ledger.entries.map(textOf(`${zone}.`)).join("");
        expect([zone, linesOf(text)]).toEqual([zone, linesOf(compiled.get(`${zone}.`) ?? "")]);
      }
      expect(report.zones).toHaveLength(compiled.size);
    },
  );
