// @suite long
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isMissing } from "../../judges.ts";
import { type ApiRelay, beforeRead, findLastLook, pass, startApiRelay } from "./api-relay.ts";
import { allowed, openDesk } from "./desk.ts";
import { type PowerDnsServer, rrset, startPowerDns } from "./servers.ts";

const apex = `$TTL 300
@ SOA ns1.example.net. ops.example.net. 1 3600 600 86400 60
@ NS ns1.example.net.
@ NS ns2.example.net.
`;

/** The largest zone of the measurement. */
const mostHosts = 5_000;
const hosts = (count: number) => Array.from({ length: count }, (_, index) => `h${index} A 192.0.2.200\n`).join("");

/** Writes that are measured: a busy machine delays some of them. */
const rounds = 3;

/** The longest time between the read of RRsets and their write, in milliseconds, as the plan tells it. */
const longestWindow = 50;

/** On a slow machine, as a multiple of the time that the same reads take there. */
const mostReads = 5;

describe.skipIf(isMissing("pdns_server"))("a foreign writer through the API", () => {
  let server: PowerDnsServer;
  let relay: ApiRelay;
  beforeAll(async () => {
    server = await startPowerDns();
    relay = await startApiRelay(server.apiPort);
  }, 60_000);
  afterAll(async () => {
    await relay.stop();
    await server.stop();
  });

  async function edited(zone: string, { before, after }: { readonly before: string; readonly after: string }) {
    relay.onRequest = pass;
    const desk = openDesk(relay.url, { [`zones/${zone}.zone`]: apex + before });
    expect((await desk.run(`apply --yes --allow ${allowed}`)).code).toBe(0);
    desk.write(`zones/${zone}.zone`, apex + after);
    const apply = () => desk.run(`apply --yes --allow ${allowed}`);
    const write = (name: string, type: string, ...contents: readonly string[]) =>
      server.call("PATCH", `/zones/${zone}.`, { rrsets: [rrset(`${name}.${zone}.`, type, ...contents)] });
    const stored = async () => {
      const { rrsets } = (await server.call("GET", `/zones/${zone}.`)) as {
        rrsets: {
          name: string;
          type: string;
          comments: { content: string }[];
          records: { content: string; disabled: boolean }[];
        }[];
      };
      return rrsets
        .filter(({ type }) => type !== "SOA" && type !== "NS")
        .flatMap(({ name, type, comments, records }) =>
          records.map(({ content, disabled }) =>
            [
              name.replace(`.${zone}.`, ""),
              type,
              content,
              ...(disabled ? ["disabled"] : []),
              ...comments.map((one) => `; ${one.content}`),
            ].join(" "),
          ),
        )
        .sort();
    };
    return { desk, apply, write, stored, path: `/zones/${zone}.` };
  }

  const www = { before: "www A 192.0.2.1\nmail A 192.0.2.25\n", after: "www A 192.0.2.2\nmail A 192.0.2.25\n" };

  test("the plan tells of the window in one line", async () => {
    const { desk } = await edited("told.example", www);
    const { out } = await desk.run("plan");
    expect(out.split("\n").filter((line) => line.includes("no lock"))).toEqual([
      "note  the service has no lock: RRsets are read right before they are written, and an edit by someone else in between, usually within 50 ms, is overwritten",
    ]);
  });

  test("an edit between the plan and the last read is told, and not overwritten", async () => {
    const { apply, write, stored, path } = await edited("before.example", www);
    const look = await findLastLook(relay, path, apply);
    await write("www", "A", "192.0.2.1");
    relay.onRequest = beforeRead(path, look, () => write("www", "A", "192.0.2.99"));
    const { code, talk } = await apply();
    expect(talk.replace(/^note.*\n/gm, "")).toMatchInlineSnapshot(`
      "before.example: 1 write
      before.example: failed after 0 of 1 write: www.before.example. A was changed by someone else after the plan was made: it was 192.0.2.1, and is 192.0.2.99 now. It was left unchanged. Run plan again and review the new plan.
      1 of 1 zone failed. Review a new plan: run \`zonewright plan --target cluster\`.
      "
    `);
    expect(code).toBe(4);
    expect(await stored()).toEqual(["mail A 192.0.2.25", "www A 192.0.2.99"]);
  });

  test("an edit between the last read and the write is overwritten at the same RRset, and kept at others", async () => {
    const { apply, write, stored } = await edited("between.example", www);
    relay.onRequest = async (request) => {
      if (request.method === "PATCH") {
        await write("www", "A", "192.0.2.99");
        await write("mail", "A", "192.0.2.26");
      }
      await pass(request);
    };
    const { talk } = await apply();
    expect(talk.replace(/^note.*\n/gm, "")).toMatchInlineSnapshot(`
      "between.example: 1 write
      between.example: differs from the plan when read back
      applied, but between.example differs from the plan when read back: someone else may be writing. Run \`zonewright plan\` to see what differs.
      "
    `);
    expect(await stored()).toEqual(["mail A 192.0.2.26", "www A 192.0.2.2"]);
  });

  test("an edit while a zone is read for a change of many names is told, and not overwritten", async () => {
    const many = (address: string) => Array.from({ length: 20 }, (_, index) => `e${index} A ${address}\n`).join("");
    const { apply, write, path } = await edited("many.example", {
      before: `${hosts(200)}${many("192.0.2.1")}`,
      after: `${hosts(200)}${many("192.0.2.2")}`,
    });
    const look = await findLastLook(relay, path, apply);
    await server.call("PATCH", path, {
      rrsets: Array.from({ length: 20 }, (_, index) => rrset(`e${index}.many.example.`, "A", "192.0.2.1")),
    });
    let reads = 0;
    relay.onRequest = async (request) => {
      const done = await request.forward();
      const isZone = request.method === "GET" && request.path.endsWith(path);
      if (isZone && ++reads === look) await write("e7", "A", "192.0.2.99");
      request.reply(done);
    };
    const { code, talk } = await apply();
    expect([code, talk.split("\n").filter((line) => line.includes("failed after"))]).toEqual([
      4,
      [
        "many.example: failed after 0 of 20 writes: e7.many.example. A was changed by someone else after the plan was made: it was 192.0.2.1, and is 192.0.2.99 now. It was left unchanged. Run plan again and review the new plan.",
      ],
    ]);
  });

  test("an edit of another RRset, comments and disabled records stay", async () => {
    const { apply, stored, path } = await edited("kept.example", www);
    const disabled = { content: "192.0.2.66", disabled: true };
    await server.call("PATCH", path, {
      rrsets: [
        {
          ...rrset("www.kept.example.", "A", "192.0.2.1"),
          records: [{ content: "192.0.2.1" }, disabled],
          comments: [{ content: "asked by sales", account: "ops" }],
        },
        { ...rrset("off.kept.example.", "A"), records: [disabled] },
        rrset("lua.kept.example.", "LUA", "A \"ifportup(443, {'192.0.2.1'})\""),
      ],
    });
    const { out, talk } = await apply();
    expect(`${out}${talk}`.replace(/^note .*(?:no lock|accepted).*\n/gm, "")).toMatchInlineSnapshot(`
      "kept.example                              ~1 change
        1 ~ change  www  A  300  192.0.2.1 → 192.0.2.2  updated in place; caches may keep the old value for up to 5 minutes  zones/kept.example.zone:5
      warning  kept.example has 2 disabled records, which no lookup gets: www.kept.example. A, off.kept.example. A  zones/kept.example.zone:2
      warning  kept.example has 1 record, neither compared nor changed: lua.kept.example. LUA  zones/kept.example.zone:2
      4 zones of the account not in git, left alone: before.example, between.example, many.example and 1 more
      plan: 1 change in 1 of 1 zone · effects 76b716df · 3 reads
      apply sends 1 write and 5 reads (no rate limit)
      applied and verified: 1 zone is as planned
      kept.example: 1 write
      kept.example: done
      "
    `);
    expect(await stored()).toEqual([
      "lua LUA A \"ifportup(443, {'192.0.2.1'})\"",
      "mail A 192.0.2.25",
      "off A 192.0.2.66 disabled",
      "www A 192.0.2.2 ; asked by sales",
      "www A 192.0.2.66 disabled ; asked by sales",
    ]);
  });

  test.each([
    { count: 10, changed: 1, looks: 1 },
    { count: 500, changed: 1, looks: 1 },
    { count: mostHosts, changed: 1, looks: 1 },
    { count: mostHosts, changed: 8, looks: 8 },
    // From here on, only the serial is read again.
    { count: mostHosts, changed: 9, looks: 1 },
    { count: mostHosts, changed: 20, looks: 1 },
  ])(
    "a write of a zone with $count names that changes $changed follows its last read within 50 ms, or in the time of a few reads",
    async ({ count, changed, looks }) => {
      const zone = `h${count}-${changed}.example`;
      const edits = (address: string) =>
        Array.from({ length: changed }, (_, index) => `e${index} A ${address}\n`).join("");
      const { apply, path } = await edited(zone, {
        before: `${hosts(count)}${edits("192.0.2.1")}`,
        after: `${hosts(count)}${edits("192.0.2.2")}`,
      });
      const windows: number[] = [];
      const alone: number[] = [];
      let reads: number[] = [];
      relay.onRequest = async (request) => {
        const began = performance.now();
        if (request.method === "PATCH") windows.push(began - (reads.at(-looks) ?? 0));
        await pass(request);
        if (request.method === "GET" && request.path.includes(path)) reads.push(began);
      };
      const names = looks === 1 ? [""] : Array.from({ length: looks }, (_, index) => `e${index}.`);
      for (let round = 0; round < rounds; round++) {
        reads = [];
        const began = performance.now();
        await Promise.all(names.map((name) => server.call("GET", `${path}?rrset_name=${name}${zone}.`)));
        alone.push(performance.now() - began);
        expect((await apply()).code).toBe(0);
        const back = Array.from({ length: changed }, (_, index) => rrset(`e${index}.${zone}.`, "A", "192.0.2.1"));
        await server.call("PATCH", path, { rrsets: back });
      }
      expect(windows).toHaveLength(rounds);
      const inOrder = (times: number[]) => times.sort((a, b) => a - b);
      const [median = 0, worst = 0] = [rounds >> 1, rounds - 1].map((index) => inOrder(windows)[index]);
      const [, read = 0] = inOrder(alone);
      console.info(`${count} names, ${changed} changed: median ${median.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`);
      expect(median).toBeLessThan(Math.max(longestWindow, mostReads * read));
    },
  );
});
