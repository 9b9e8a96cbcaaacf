// @suite long
import { rmSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, test } from "vitest";
import { type ConsumerName, consumers, startConsumer, untilServes } from "../../dns/transfer/catalog-consumers.ts";
import { freePort } from "../../dns/transfer/nameservers.ts";
import { isMissing } from "../../judges.ts";
import { startFileServer } from "./file-servers.ts";
import { Fleet, master } from "./fleet.ts";

const names = ["example.com", "example.net", "example.org"] as const;

const zoneOf = (name: string, address?: string) => master(address).replaceAll("example.com", name);

test.skipIf(isMissing("named", "knotd", "pdns_server", "pdns-backend-sqlite3"))(
  "BIND, Knot and PowerDNS serve the zones that the catalog of a folder lists",
  async () => {
    const fleet = new Fleet({ "example.com.zone": zoneOf("example.com"), "example.net.zone": zoneOf("example.net") });
    const ports = new Map<ConsumerName, number>();
    for (const name of Object.keys(consumers) as ConsumerName[]) ports.set(name, await freePort());
    const notified = [...ports.values()].map((port) => `127.0.0.1 port ${port};`).join(" ");
    const all = [...names, "catalog.example"];
    const list = all.map(
      (name) =>
        `zone "${name}" { type primary; file "${join(fleet.folder, "srv", `${name}.zone`)}"; notify explicit; notify-delay 0; also-notify { ${notified} }; };\n`,
    );
    const primary = await startFileServer("bind", {}, list.join(""));
    onTestFinished(() => primary.stop());
    const programs = `check: ${JSON.stringify(primary.check)}, reload: ${JSON.stringify(primary.reload)}`;
    fleet.configure(`${programs}, verify_at: "127.0.0.1:${primary.port}", catalog: catalog.example`);
    const secondaries = [...ports].map(([name, port]) =>
      startConsumer(name, { port, primary: primary.port, catalog: "catalog.example" }),
    );
    const check = async (members: readonly string[]) => {
      const wanted = Object.fromEntries(members.map((name) => [name, fleet.serial(`srv/${name}.zone`)]));
      await Promise.all(secondaries.map((one) => untilServes(one, names, wanted)));
    };
    await fleet.applyInTime();
    await check(["example.com", "example.net"]);
    fleet.write("zones/example.org.zone", zoneOf("example.org"));
    fleet.write("zones/example.net.zone", zoneOf("example.net", "192.0.2.4"));
    await fleet.applyInTime();
    await check(names);
    rmSync(join(fleet.folder, "zones/example.net.zone"));
    await fleet.applyInTime("--delete-zone example.net --allow G06");
    await check(["example.com", "example.org"]);
  },
  120_000,
);
