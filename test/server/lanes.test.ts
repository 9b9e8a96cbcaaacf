// @suite postgres

import { expect, test } from "vitest";
import type { EndpointName } from "../../src/contract/endpoints/index.ts";
import type { Caller } from "../../src/server/entities/context.ts";
import { Lanes } from "../../src/server/http/lanes.ts";
import type { Store } from "../../src/server/store/store.ts";
import { readZone } from "../dns/transfer/zones.ts";
import { start } from "./start.ts";
import { emptyStore } from "./stores.ts";

const requestCount = 4;
const masterFile = (zone: string) =>
  `$ORIGIN ${zone}\n@ 300 SOA ns.example.net. h 1 3600 600 86400 60\n@ 300 NS ns.example.net.\n`;

/** A server, and how many writes were under way at once at most. */
async function begin() {
  const store = await emptyStore();
  const seen = { now: 0, most: 0 };
  const counting: Store = {
    ...store,
    write: async (work) => {
      seen.most = Math.max(seen.most, ++seen.now);
      try {
        return await store.write(work);
      } finally {
        seen.now--;
      }
    },
  };
  let arrived = 0;
  let goOn = () => {};
  const isAll = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  /** Gives the zones once all are asked for: who waits for a name server is not in the database. */
  const transfer = async (zone: string) => {
    if (++arrived === requestCount) goOn();
    await isAll;
    return { records: readZone(masterFile(zone)).records, unread: [] };
  };
  const remote = { soa: () => expect.fail(), transfer };
  const api = await start({ store: counting, remote });
  for (let n = 0; n < requestCount; n++) await api.domain(`domain${n}.example`);
  seen.most = 0;
  return { ...api, seen };
}

test.each<[EndpointName, number]>([
  ["cloneDomain", 2],
  ["getDomain", requestCount],
])("reads for %s: %i per account are in the database at once", async (endpoint, most) => {
  const seen = { now: 0, most: 0 };
  const read = async () => {
    seen.most = Math.max(seen.most, ++seen.now);
    await new Promise(setImmediate);
    seen.now--;
  };
  const lanes = new Lanes({ mostShortReads: requestCount });
  const store = lanes.storeFor({ read } as unknown as Store, { owner: "a", signal: undefined }, endpoint);
  await Promise.all(Array.from({ length: requestCount }, () => store.read(async () => undefined)));
  expect(seen).toEqual({ now: 0, most });
});

test.each<[string, number, (n: number) => [method: string, path: string, body?: object]]>([
  ["clones", 2, (n) => ["POST", `/domains/${n + 1}/clone`, { domain: `clone${n}.example` }]],
  [
    "imports",
    2,
    (n) => ["POST", "/domains/import", { domain: `imported${n}.example`, remote_nameserver: "192.0.2.53" }],
  ],
  ["deletions of domains", 2, (n) => ["DELETE", `/domains/${n + 1}`]],
  ["renderings of small zones", requestCount, (n) => ["GET", `/domains/${n + 1}/zone-file`]],
  [
    "creations of records",
    requestCount,
    (n) => ["POST", `/domains/${n + 1}/records`, { type: "A", target: "192.0.2.1" }],
  ],
])("%s: at most %i per account are in the database at once", async (_, most, request) => {
  const { call, seen } = await begin();
  const replies = await Promise.all(Array.from({ length: requestCount }, (_, n) => call(...request(n))));
  expect(seen.now).toBe(0);
  expect(seen.most).toBeLessThanOrEqual(most);
  expect(replies.map(({ status }) => status)).toEqual(Array(requestCount).fill(200));
});

test("the tokens of an account are looked up together while 16 of its short reads wait", async () => {
  const lanes = new Lanes({ mostShortReads: 1 });
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const read = () => ended;
  const store = lanes.storeFor({ read } as unknown as Store, { owner: "a", signal: undefined });
  const reads = [];
  const waiting: [number, boolean][] = [];
  for (let n = 0; n <= 16; n++) {
    reads.push(store.read(async () => undefined));
    waiting.push([n, lanes.gather("a") !== undefined]);
  }
  expect(waiting).toEqual(Array.from({ length: 17 }, (_, n) => [n, n === 16]));
  expect(lanes.gather("b")).toBeUndefined();
  await lanes.gather("a");
  end();
  await Promise.all(reads);
  expect(lanes.gather("a")).toBeUndefined();
});

test("uploads: four per user and 32 in total at once, so that stalled ones do not hold up other users", async () => {
  const lanes = new Lanes({ mostShortReads: 1 });
  const begun: number[] = [];
  const stall = (userId: number) =>
    lanes.runUpload(
      { accountId: 1, userId } as Caller,
      async () => {
        begun.push(userId);
        await new Promise(() => {});
      },
      undefined,
    );
  for (const userId of [1, 1, 1, 1, 1, 2]) void stall(userId);
  await new Promise(setImmediate);
  expect(begun).toEqual([1, 1, 1, 1, 2]);
  for (let userId = 3; userId < 40; userId++) void stall(userId);
  await new Promise(setImmediate);
  expect(begun).toHaveLength(32);
});
