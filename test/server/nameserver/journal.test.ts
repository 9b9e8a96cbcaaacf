// @suite postgres

import fc from "fast-check";
import { expect, test } from "vitest";
import { rdataText, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { recordsOf } from "../../dns/compiled.ts";
import { domainName } from "../../names.ts";
import { samples } from "../../properties.ts";
import { start } from "../start.ts";
import { history, takeStep } from "./histories.ts";
import { waitForCurrent } from "./wait-for-current.ts";

const apex = domainName("example.com.");
const show = (records: readonly ZoneRecord[]) =>
  records.map((record) => `${record.owner} ${record.ttl} ${record.type} ${rdataText(record)}`).sort();

async function begin(renderDelay: number) {
  const api = await start({ renderDelay });
  const settings = readServerSettings({ store: api.store, ...api.clocks, renderDelay });
  const open = () => new StoredZones(settings, () => api.clock.now, { waitForCurrent });
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  const load = async (zones: StoredZones) => {
    const found = await zones.findTransferable(apex);
    return found === undefined || found === "unavailable" ? expect.fail("no zone") : found.zone;
  };
  return { ...api, open, pass, load };
}

test.each([0, 60])(
  "a name server that applies the changes of a journal has the zone of one that has just started, with a delay of %i s",
  async (delay) => {
    const { call, domain, open, pass, load } = await begin(delay);
    const kept = { applied: 0, rebuilt: 0 };
    await fc.assert(
      fc.asyncProperty(history, async (versions) => {
        const id = await domain("example.com", [{ type: "A", name: "a", target: "192.0.2.1" }]);
        pass(delay);
        const zones = open();
        let before = await load(zones);
        for (const steps of versions) {
          for (const step of steps) await takeStep(call, id, step);
          for (const seconds of delay === 0 ? [0] : [0, delay]) {
            pass(seconds);
            const [changed, fresh] = [await load(zones), await load(open())];
            expect(show(recordsOf(changed))).toEqual(show(recordsOf(fresh)));
            expect(changed.size).toBe(fresh.size);
            if (changed !== before) kept[changed.space === before.space ? "applied" : "rebuilt"]++;
            before = changed;
          }
        }
        await call("DELETE", `/domains/${id}`);
      }),
      samples(24),
    );
    // A new TTL of the zone or a new spelling of its name rebuild it.
    expect(kept.applied).toBeGreaterThan(kept.rebuilt);
  },
);

test("a hundred comparisons of versions wait at most; further secondaries get the whole zone", async () => {
  const { call, domain, open, load } = await begin(0);
  const id = await domain("example.com", [{ type: "A", name: "a", target: "192.0.2.1" }]);
  const zones = open();
  const before = (await load(zones)).soa.data.serial;
  await call("POST", `/domains/${id}/records`, { type: "A", name: "b", target: "192.0.2.1" });
  const found = await Promise.all(Array.from({ length: 150 }, () => zones.findVersions(apex, before)));
  expect(found.filter((versions) => versions !== undefined).length).toBe(101); // one of which does not wait
});
