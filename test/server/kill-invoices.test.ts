// @suite postgres

import { join } from "node:path";
import { expect, inject, test } from "vitest";
import { stringify } from "yaml";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import { timestamp } from "../../src/server/kit/timestamp.ts";
import { openStore, type Store } from "../../src/server/store/store.ts";
import { Program } from "../cli/process.ts";
import { Desk } from "../cli/run.ts";
import { isNightly } from "../properties.ts";
import { pricedCatalog } from "./bills.ts";
import { start } from "./start.ts";
import { emptyPlace } from "./stores.ts";

const accounts = 6;
const opened = new Date("2019-12-31T20:00:00Z");

/** Kills, each after another number of invoices. */
const kills = isNightly ? 20 : 1;

/** Accounts that have a volume each since long ago; half of them have a card. */
async function prepare(store: Store): Promise<void> {
  const { call, clock, mint } = await start({ store, catalog: pricedCatalog, jobDriver: simulatedDriver(0) });
  clock.now = opened;
  for (let n = 0; n < accounts; n++) {
    const as = await mint({ username: `account${n}`, token: `account${n}` });
    const card = { card_number: "4111111111111111", expiry_month: 12, expiry_year: 2099, cvv: "123" };
    if (n % 2 === 0) await call("POST", "/account/credit-card", card, { as });
    await call("POST", "/volumes", { label: "data", region: "us-east", size: 50 }, { as });
  }
}

function readBills(store: Store) {
  return store.read(async (db) => ({
    invoices: await db.selectFrom("invoices").selectAll().orderBy("id").execute(),
    items: await db.selectFrom("invoice_items").selectAll().orderBy("id").execute(),
    payments: await db.selectFrom("payments").selectAll().orderBy("id").execute(),
    charges: await db.selectFrom("charges").selectAll().orderBy("id").execute(),
  }));
}

/** All turns of months since the volumes exist. */
function turnsUntil(now: Date): string[] {
  const turns: string[] = [];
  for (let month = 0; ; month++) {
    const turn = new Date(Date.UTC(2020, month));
    if (turn > now) return turns;
    turns.push(timestamp(turn));
  }
}

test.each(Array.from({ length: kills }, (_, n) => 40 + n * 17))(
  "after kill -9 amid many turns of months (at %d invoices), each is invoiced and paid completely or not at all, and once",
  async (least) => {
    const desk = new Desk();
    const isPostgres = inject("postgres") !== undefined;
    const place = isPostgres ? await emptyPlace() : join(desk.folder, "data", "zonewright.db");
    const store = await openStore(place);
    await prepare(store);
    desk.write("prices.yaml", stringify({ types: pricedCatalog.types, prices: pricedCatalog.prices }));
    const data = isPostgres ? "" : " --data data";
    const env: Record<string, string> = isPostgres ? { DATABASE_URL: place } : {};
    const program = new Program(desk.folder, `serve --port 0 --catalog prices.yaml${data}`, env);
    while ((await readBills(store)).invoices.length < least) await new Promise((resolve) => setTimeout(resolve, 1));
    program.kill("SIGKILL");
    expect((await program.end()).code).toBe("SIGKILL");

    const amid = await readBills(store);
    expect(amid.invoices.length).toBeLessThan(accounts * turnsUntil(new Date()).length);
    const check = ({ invoices, items, payments, charges }: typeof amid) => {
      expect(invoices.map(({ id }) => id)).toEqual(invoices.map((_, n) => n + 1));
      expect(items.map(({ invoice_id, total }) => [invoice_id, total])).toEqual(
        invoices.map(({ id, total }) => [id, total]),
      );
      for (const { account_id, invoiced } of charges) {
        const own = invoices.filter((invoice) => invoice.account_id === account_id).map(({ date }) => date);
        expect(own).toEqual(turnsUntil(new Date(`${invoiced ?? timestamp(opened)}Z`)));
        const paid = payments.filter((payment) => payment.account_id === account_id).map(({ date }) => date);
        expect(paid).toEqual(account_id % 2 === 0 ? own : []); // the account 1 is that of the token of `start`
      }
    };
    check(amid);
    const second = await start({ store, catalog: pricedCatalog });
    second.clock.now = new Date();
    for (let n = 0; n < accounts; n++)
      expect((await second.call("GET", "/account", undefined, { as: `account${n}` })).status).toBe(200);
    const whole = await readBills(store);
    check(whole);
    expect(whole.invoices.length).toBe(accounts * turnsUntil(second.clock.now).length);
    await store.close();
  },
);
