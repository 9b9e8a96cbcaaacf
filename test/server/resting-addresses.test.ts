// @suite nightly-postgres

import { expect, test } from "vitest";
import { embeddedCatalog } from "../../src/server/catalog/embedded.ts";
import { simulatedDriver } from "../../src/server/kit/job-driver.ts";
import type { Store } from "../../src/server/store/store.ts";
import { refused, start } from "./start.ts";
import { withTwoStores } from "./stores.ts";

/** A pool of six usable addresses: 198.18.0.2 to 198.18.0.7. */
const catalog = {
  ...embeddedCatalog,
  regions: embeddedCatalog.regions.map((region) => ({
    ...region,
    pools: { ...region.pools, public: "198.18.0.0/29" },
  })),
};
const day = 86_400_000;
const none = refused(["The region has no public IPv4 address left."]);

/** Two servers of one database, and ways to create and delete nodes by either. */
async function begin(one: Store, other: Store) {
  const options = { catalog, jobDriver: simulatedDriver(0) };
  const servers = [await start({ ...options, store: one }), await start({ ...options, store: other })] as const;
  const ask = (server: 0 | 1) =>
    servers[server].call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1" });
  const create = async (server: 0 | 1) => {
    const reply = await ask(server);
    return reply.status === 200 ? (reply.body.ipv4[0] as string) : reply;
  };
  const remove = async (server: 0 | 1, address: string) => {
    const { data } = (await servers[server].call("GET", "/networking/ips")).body;
    const { node_id } = data.find((one: { address: string }) => one.address === address);
    expect((await servers[server].call("DELETE", `/node/instances/${node_id}`)).status).toBe(200);
  };
  const setTime = (milliseconds: number) => {
    for (const { clock } of servers) clock.now = new Date(Date.parse("2026-03-04T12:00:00Z") + milliseconds);
  };
  return { create, remove, setTime };
}

test("two servers give each address once, and a freed one to no node for seven days, the longest rested first", () =>
  withTwoStores(async (one, other) => {
    const { create, remove, setTime } = await begin(one, other);
    const given = await Promise.all(([0, 1, 0, 1, 0, 1] as const).map(create));
    expect(given.sort()).toEqual([2, 3, 4, 5, 6, 7].map((number) => `198.18.0.${number}`));
    expect([await create(0), await create(1)]).toEqual([none, none]);

    await remove(0, "198.18.0.5");
    setTime(1000);
    await remove(1, "198.18.0.3");
    expect([await create(0), await create(1)]).toEqual([none, none]);
    setTime(7 * day - 1);
    expect([await create(0), await create(1)]).toEqual([none, none]);
    setTime(7 * day);
    expect([await create(1), await create(0)]).toEqual(["198.18.0.5", none]);
    setTime(7 * day + 999);
    expect([await create(0), await create(1)]).toEqual([none, none]);
    setTime(7 * day + 1000);
    expect([await create(0), await create(1)]).toEqual(["198.18.0.3", none]);

    // An address that is freed again rests for seven days again.
    await remove(1, "198.18.0.5");
    setTime(14 * day + 999);
    expect([await create(0), await create(1)]).toEqual([none, none]);
    setTime(14 * day + 1000);
    expect([await create(1), await create(0)]).toEqual(["198.18.0.5", none]);
  }));

test("of two servers that ask for the one rested address at once, one gets it", () =>
  withTwoStores(async (one, other) => {
    const { create, remove, setTime } = await begin(one, other);
    await Promise.all(([0, 1, 0, 1, 0, 1] as const).map(create));
    for (let round = 1; round <= 5; round++) {
      await remove(round % 2 === 0 ? 0 : 1, "198.18.0.4");
      setTime(round * 8 * day);
      const replies = await Promise.all(([0, 1, 0, 1] as const).map(create));
      expect(replies.filter((reply) => typeof reply === "string")).toEqual(["198.18.0.4"]);
      expect(replies.filter((reply) => typeof reply !== "string")).toEqual([none, none, none]);
    }
  }));
