// @suite postgres

import * as fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Remote } from "../../src/server/kit/remote.ts";
import type { Store } from "../../src/server/store/store.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { samples } from "../properties.ts";
import { type Answer, start } from "./start.ts";
import { withTwoStores } from "./stores.ts";

const zoneOf = (hosts: number) =>
  [
    "@ 300 SOA ns.example.net. h 1 3600 600 86400 60",
    "@ 300 NS ns.example.net.",
    ...Array.from({ length: hosts }, (_, n) => `h${n} 300 A 192.0.2.1`),
  ]
    .map((line) => `${line}\n`)
    .join("");

/** A name server with a zone of this many addresses. */
const remoteWith = (hosts: number): Remote => ({
  soa: () => expect.fail("not asked"),
  transfer: async (zone) => ({ records: readZone(`$ORIGIN ${zone}\n${zoneOf(hosts)}`).records, unread: [] }),
});

const names = ["a", "b", "c", "d"].map((name) => `${name}.example`);
const kinds = [
  ...(["create", "create", "create", "change", "delete", "clone", "import", "delete domain"] as const),
  ...(["create domain", "slave", "master", "rename", "transfer", "refused", "fill"] as const),
];
const step = fc.record({
  kind: fc.constantFrom(...kinds),
  choice: fc.nat({ max: 19 }),
  account: fc.constantFrom("one", "two"),
});

/** One request of each kind that changes a count, all of which succeed: each history begins with them. */
const beginning = [
  ["create domain", 0],
  ["fill", 5],
  ["create", 0],
  ["change", 0],
  ["clone", 1],
  ["import", 2],
  ["delete", 0],
  ["transfer", 1],
  ["delete domain", 0],
] as const;
const first = beginning.map(([kind, choice]) => [{ kind, choice, account: "one" as const }]);

/** Domains whose stored count is not the number of their records: none. */
async function miscounted(store: Store) {
  const wrong = await store.read((db) =>
    sql<{ id: number; records: number }>`
      select id, records from domains
      where records <> (select count(*) from records where records.domain_id = domains.id)`.execute(db),
  );
  return wrong.rows;
}

test("the stored numbers of records are those of their rows after any history of two accounts and servers", async () => {
  const history = fc.array(fc.array(step, { minLength: 1, maxLength: 4 }), { minLength: 20, maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(history, (history) =>
      withTwoStores(async (store, other) => {
        const remote = remoteWith(40);
        const [one, two] = [await start({ store, remote }), await start({ store: other, remote })];
        const tokens = { one: one.token, two: await one.mint({ username: "other" }) };
        let now = one.clock.now.getTime();
        for (const [turn, wishes] of [...first, ...history].entries()) {
          const play = async ({ kind, choice, account }: (typeof wishes)[number]): Promise<Answer> => {
            const api = choice % 2 === 0 ? one : two;
            const as = tokens[account];
            const call = (method: string, path: string, body?: unknown) => api.call(method, path, body, { as });
            const name = names[choice % names.length] ?? "";
            const domain = { domain: name, type: "master", soa_email: `h@${name}` };
            const { body: list } = await call("GET", "/domains");
            const id: number = list.data[choice % list.data.length]?.id;
            if (kind === "create domain" || id === undefined) return call("POST", "/domains", domain);
            const path = `/domains/${id}`;
            const { body: found } = await call("GET", `${path}/records`);
            const record = `${path}/records/${found.data?.[choice % found.data.length]?.id}`;
            const host = { type: "A", name: `n${turn}x${choice}`, target: "192.0.2.1" };
            const insertMany = async (): Promise<Answer> => {
              await api.store.write(async (db) => {
                const rest = { priority: 0, weight: 0, port: 0, ttl_sec: 0, created: "", updated: "" };
                const { type, name, target } = host;
                const row = { domain_id: id, type, name, name_key: name, target, ...rest };
                await db
                  .insertInto("records")
                  .values(Array(choice + 1).fill(row))
                  .execute();
                if (choice > 10)
                  await db.deleteFrom("records").where("domain_id", "=", id).where("name", "=", name).execute();
              });
              return { status: 200, body: {} };
            };
            switch (kind) {
              case "create":
                return call("POST", `${path}/records`, host);
              case "change":
                return call("PUT", record, { target: `192.0.2.${choice}` });
              case "delete":
                return call("DELETE", record);
              case "clone":
                return call("POST", `${path}/clone`, { domain: name });
              case "import":
                return call("POST", "/domains/import", { domain: name, remote_nameserver: "192.0.2.53" });
              case "delete domain":
                return call("DELETE", path);
              case "slave":
                return call("PUT", path, { type: "slave", master_ips: ["192.0.2.53"] });
              case "master":
                return call("PUT", path, { type: "master" });
              case "rename":
                return call("PUT", path, { domain: `${name}` });
              case "refused":
                return call("POST", `${path}/records`, { ...host, target: "nowhere" });
              case "fill":
                return insertMany();
              case "transfer":
                return transfer(id, as);
            }
          };
          const transfer = async (id: number, as: string) => {
            const to = as === tokens.one ? tokens.two : tokens.one;
            const offered = await one.call(
              "POST",
              "/account/service-transfers",
              { entities: { domains: [id] } },
              { as },
            );
            if (offered.status !== 200) return offered;
            return two.call("POST", `/account/service-transfers/${offered.body.token}/accept`, undefined, { as: to });
          };
          const answers = await Promise.all(wishes.map(play));
          if (turn < first.length) expect([turn, ...answers.map(({ status }) => status)]).toEqual([turn, 200]);
          now += 60_000;
          one.clock.now = two.clock.now = new Date(now);
          expect(await miscounted(store)).toEqual([]);
        }
      }),
    ),
    samples(12),
  );
});
