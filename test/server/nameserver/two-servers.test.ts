import { expect, inject, onTestFinished, test } from "vitest";
import { StoredZones } from "../../../src/server/nameserver/stored-zones.ts";
import { readSettings } from "../../../src/server/server.ts";
import { listServed } from "../../../src/server/store/served.ts";
import { openStore } from "../../../src/server/store/store.ts";
import { linesOf } from "../../dns/transfer/zones.ts";
import { domainName } from "../../names.ts";
import { start } from "../start.ts";
import { emptyPlace } from "../stores.ts";
import { waitForCurrent } from "./wait-for-current.ts";

/** With SQLite both share the one connection that a process has, as in concurrent.test.ts. */
test("two servers that render at the same moment never use a serial twice and lose no change", async () => {
  const place = await emptyPlace();
  const first = await openStore(place);
  const second = inject("postgres") === undefined ? first : await openStore(place);
  onTestFinished(async () => {
    await first.close();
    if (second !== first) await second.close();
  });
  const [one, two] = [await start({ store: first }), await start({ store: second })];
  const id = await one.domain("example.com");
  const all = [one, two].map(({ store, clock }) => {
    const settings = readSettings({ store, clock: () => clock.now, nameservers: ["ns1.example.net"] });
    return new StoredZones(settings, () => clock.now, { waitForCurrent });
  });
  const seen = new Map<number, Set<string>>();
  const look = async (zones: StoredZones) => {
    const found = await zones.findTransferable(domainName("example.com."));
    if (found === undefined || found === "unavailable") return expect.fail();
    const { soa, records } = found.zone.toSend();
    const { serial, rname } = soa.data as { serial: number; rname: string };
    const versions = seen.get(serial) ?? new Set();
    seen.set(serial, versions.add(linesOf([soa, ...records]).join("\n")));
    return { serial, rname };
  };
  for (let round = 0; round < 20; round++) {
    const add = ({ call }: typeof one, name: string) =>
      call("POST", `/domains/${id}/records`, { type: "A", name: `${name}${round}`, target: "192.0.2.1" });
    const keeper = two.call("PUT", `/domains/${id}`, { soa_email: `h${round}@example.com` });
    await Promise.all([add(one, "one"), ...all.map(look), keeper, ...all.map(look), add(two, "two"), ...all.map(look)]);
    const [here, there] = await Promise.all(all.map(look));
    expect(here).toEqual(there);
    expect(here?.rname).toBe(`h${round}.example.com.`);
  }
  expect([...seen.values()].filter(({ size }) => size > 1)).toEqual([]);
  expect(Math.max(...[...seen.values()].map(([text = ""]) => text.split("\n").length))).toBe(43);
});

test.runIf(inject("postgres"))("a domain read in a write is locked until its end", async () => {
  const place = await emptyPlace();
  const [first, second] = [await openStore(place), await openStore(place)];
  onTestFinished(() => Promise.all([first.close(), second.close()]).then(() => {}));
  const { domain } = await start({ store: first });
  await domain("example.com");
  await first.write(async (db) => {
    await listServed(db, ["example.com"]);
    const other = second.write((db) => db.selectFrom("domains").select("id").forUpdate().noWait().execute());
    await expect(other).rejects.toThrow("the row is locked by another request");
  });
});
