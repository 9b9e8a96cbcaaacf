// @suite long

import { expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { apply } from "../../src/executor/apply.ts";
import { countWrites } from "../../src/executor/journal/writes.ts";
import { createToken } from "../../src/server/areas/account/tokens-operator.ts";
import { createServer } from "../../src/server/server.ts";
import { openStore } from "../../src/server/store/store.ts";
import { apiTarget } from "../../src/targets/api/target.ts";
import { readLive } from "../../src/targets/read-live.ts";
import { plan } from "../planner/plan-now.ts";
import { desiredOf } from "../planner/world.ts";

/** A change of 200 names: a line before and a line after, each made from the index of a name. */
const kinds: readonly (readonly [before: string[], after: string[]])[] = [
  [["CNAME other.example.net."], ["A 192.0.2.1"]],
  [["A 192.0.2.1", "A 192.0.2.2"], ["CNAME other.example.net."]],
  [["A 192.0.2.1"], ["A 192.0.2.2"]],
  [
    ["A 192.0.2.1", "A 192.0.2.2"],
    ["A 192.0.2.3", "A 192.0.2.4", "AAAA 2001:db8::1"],
  ],
  [["A 192.0.2.1"], ["AAAA 2001:db8::1"]],
  [["MX 10 mail.example.net."], ['TXT "v=spf1 -all"']],
  [["CNAME n0.example.com."], ["CNAME n2.example.com."]],
  [["A 192.0.2.1"], []],
  [[], ["A 192.0.2.1"]],
  [["CNAME other.example.net."], ["TXT note", "MX 10 mail.example.net."]],
];
const text = (side: 0 | 1) =>
  Array.from({ length: 200 }, (_, index) =>
    (kinds[index % kinds.length]?.[side] ?? []).map((line) => `n${index} ${line}`),
  )
    .flat()
    .join("\n");

test("200 names swapped, moved and replaced: queries after every write find exactly the declared gaps", async () => {
  const store = await openStore(":memory:");
  const now = () => new Date("2026-03-04T12:00:00Z");
  const server = createServer({ store, clock: now });
  const token = await createToken(store, { username: "admin", now: now() });
  let probe: () => Promise<void> = async () => {};
  const send = async (request: Request) => {
    const reply = await server(request);
    if (request.method !== "GET") await probe();
    return reply;
  };
  const client = createClient({ baseUrl: "http://api", token, send });
  const run = async (zone: string) => {
    const desired = [desiredOf(zone)];
    const planned = plan(desired, (await readLive(apiTarget(client).read, () => true)).zones);
    for await (const event of apply(planned, apiTarget(client))) if (event.kind === "zone-failed") throw event.error;
    return planned;
  };
  // One read, so that what it shows was there at one moment.
  const namesNow = async () =>
    new Set(
      (await store.read((db) => db.selectFrom("records").select("name").where("domain_id", "=", 1).execute())).map(
        ({ name }) => name,
      ),
    );

  await run(text(0));
  const before = await namesNow();
  const dark = new Set<string>();
  const lasting = [...before].filter((name) => text(1).includes(`${name} `));
  let probes = 0;
  probe = async () => {
    probes++;
    const names = await namesNow();
    for (const name of lasting) if (!names.has(name)) dark.add(name);
  };
  const planned = await run(text(1));
  const declared = (planned.zones[0]?.steps ?? [])
    .flatMap(({ gaps = [] }) => gaps)
    .map(({ owner }) => owner.replace(".example.com.", ""));
  expect([...dark].sort()).toEqual([...new Set(declared)].sort());
  expect([declared.length, probes]).toEqual([60, planned.zones.reduce((sum, zone) => sum + countWrites(zone), 0)]);
  await store.close();
});
