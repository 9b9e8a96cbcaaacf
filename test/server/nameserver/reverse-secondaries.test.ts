// @suite long

import { expect, onTestFinished, test } from "vitest";
import type { ServerAddress } from "../../../src/dns-client/server-address.ts";
import { startNotifier } from "../../../src/server/nameserver/notifier.ts";
import { transferZones } from "../../dns/transfer/dig.ts";
import { binaries, freePort, programs } from "../../dns/transfer/nameservers.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { isMissing } from "../../judges.ts";
import { begin, defaults, host, nodes, onError, plain, zone4, zone6 } from "./reverse.ts";

const zones = [zone4, zone6, defaults];
const address6 = "2001:db8::f03c:91ff:fe00:1";

/** The records of the zones, without those of the zones themselves, as a transfer by dig has them. */
async function contentOf(server: ServerAddress): Promise<string[]> {
  const texts = [...(await transferZones(server, zones)).values()];
  const lines = texts.flatMap((text) => text.trim().split("\n")).map((line) => line.replace(/\s+/g, " "));
  return [...new Set(lines)].filter((line) => / (?:PTR|A) /.test(line)).map((line) => line.replace(" 3600 IN", ""));
}

for (const program of programs)
  test.skipIf(isMissing(binaries[program]) || isMissing("dig"))(
    `${program} as a secondary has the zones of addresses, and follows every change by NOTIFY`,
    async () => {
      const { call, at, zones: own, rename } = await begin();
      await call("POST", nodes, plain);
      await rename(address6, "mail6.example.net");
      const port = await freePort();
      const waiting: (() => void)[] = [];
      const notifier = startNotifier({
        zones: own,
        port,
        secondaries: [{ host, port }],
        wait: (signal) =>
          new Promise((resolve, reject) => {
            waiting.push(resolve);
            signal.addEventListener("abort", reject);
          }),
        onError,
      });
      onTestFinished(() => notifier.close());
      const secondary = await useNameServer(program, { zones: {}, secondary: { primary: at, zones }, port });
      const expectContent = async (expected: readonly string[]) => {
        for (const look of waiting.splice(0)) look();
        await expect
          .poll(async () => (await contentOf(secondary)).sort(), { interval: 20 })
          .toEqual([...expected].sort());
        expect((await contentOf(at)).sort()).toEqual([...expected].sort());
      };
      const six = `1.0.0.0.0.0.e.f.f.f.1.9.c.3.0.f.${zone6} PTR mail6.example.net.`;
      await expectContent([`2.${zone4} PTR 198-18-0-2.${defaults}`, six, `198-18-0-2.${defaults} A 198.18.0.2`]);
      await rename("198.18.0.2", "mail.example.net");
      await expectContent([`2.${zone4} PTR mail.example.net.`, six, `198-18-0-2.${defaults} A 198.18.0.2`]);
      await call("POST", nodes, plain);
      await rename(address6, null);
      await expectContent([
        `2.${zone4} PTR mail.example.net.`,
        `3.${zone4} PTR 198-18-0-3.${defaults}`,
        `198-18-0-2.${defaults} A 198.18.0.2`,
        `198-18-0-3.${defaults} A 198.18.0.3`,
      ]);
      await call("DELETE", `${nodes}/1`);
      await expectContent([`3.${zone4} PTR 198-18-0-3.${defaults}`, `198-18-0-3.${defaults} A 198.18.0.3`]);
    },
  );
