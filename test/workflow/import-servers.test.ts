import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { binaries, freePort } from "../dns/transfer/nameservers.ts";
import { startRelay } from "../dns/transfer/relay.ts";
import { useNameServer } from "../dns/transfer/use-name-server.ts";
import { isMissing } from "../judges.ts";

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
      const first = await useNameServer(program, { zones });
      const second = await useNameServer(program, { zones: { ...zones, "b.example.": zoneText(8) } });
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
        "warning[transfer/serial] b.example was transferred from FIRST with serial 7, but SECOND has serial 8",
      ]);
    },
  );

test.skipIf(isMissing("named"))("zones are transferred over IPv6", async ({ skip }) => {
  const behind = await useNameServer("bind", { zones: { "a.example.": zoneText(7) } });
  const relay = await startRelay(behind, { host: "::1" }).catch(() => undefined);
  if (!relay) return skip("this machine has no IPv6");
  onTestFinished(() => relay.stop());
  expect(await new Desk().run(`import axfr a.example --from [::1]:${relay.port}`)).toMatchObject({
    code: 0,
    out: expect.stringContaining("wrote zones/a.example.yaml"),
  });
});
