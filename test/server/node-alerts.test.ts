import { expect, test } from "vitest";
import { measuresBy, type Sample, type SampleKey } from "../../src/server/areas/billing/node-samples-rows.ts";
import { recordSamples } from "../../src/server/areas/nodes/operator/nodes.ts";
import { start } from "./start.ts";

/** An account with the e-mail address of Ada and the running node 1, at this moment. */
async function begin(now = "2026-03-04T16:00:00") {
  const api = await start();
  api.clock.now = new Date("2026-03-01T00:00:00Z");
  await api.call("PUT", "/account", { email: "ada@example.com", first_name: "Ada", last_name: "Lovelace" });
  await api.call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
  api.clock.now = new Date(`${now}Z`);
  /** Samples of five minutes from a moment on, and the subjects and texts of the mail that they cause. */
  const record = async (from: string, count: number, measures: Partial<Record<SampleKey, number>>) => {
    const samples = Array.from({ length: count }, (_, index): Sample => {
      const at = new Date(new Date(`${from}Z`).getTime() + index * 300_000).toISOString().slice(0, 19);
      return { at, ...measuresBy((key) => measures[key] ?? 0) };
    });
    const read = () => api.store.read((db) => db.selectFrom("mail").selectAll().orderBy("id").execute());
    const known = (await read()).length;
    await recordSamples(api.store, 1, samples, api.clock.now);
    return (await read()).slice(known);
  };
  const pass = (seconds: number) => {
    api.clock.now = new Date(api.clock.now.getTime() + seconds * 1000);
  };
  return { ...api, record, pass };
}

const twoHours = 24;

test("an alert names node, mean, hours and threshold", async () => {
  const { record } = await begin();
  const mails = await record("2026-03-04T12:00:00", twoHours, { cpu: 90.014 });
  expect(mails).toMatchObject([
    {
      recipient: "Ada Lovelace",
      email: "ada@example.com",
      subject: "web-1: cpu alert",
      text: [
        '"web-1" (id 1) exceeds a threshold.',
        "The mean from 2026-03-04T12:00:00 to 2026-03-04T14:00:00 UTC is 90.01 % of a virtual CPU; the threshold is 90.",
        'You receive this message because of its alert "cpu". Replies to it are not read.',
      ].join("\n\n"),
      created: "2026-03-04T16:00:00",
    },
  ]);
});

const alertOf = (text: string) => /is (.*); the threshold is (.*)\.$/m.exec(text)?.slice(1).join(" > ");

test.each<[measures: Partial<Record<SampleKey, number>>, alerts: object, expected: string[]]>([
  [{ cpu: 90 }, {}, []],
  [{ cpu: 90.004 }, {}, []], // as the statistics show it
  [{ cpu: 91 }, {}, ["91 % of a virtual CPU > 90"]],
  [{ cpu: 91 }, { cpu: 0 }, []],
  [{ cpu: 91 }, { cpu: 91 }, []],
  [{ io: 10_001 }, {}, ["10001 disk operations a second > 10000"]],
  [{ netv4_in: 6e6, netv6_in: 4.1e6 }, {}, ["10.1 Mbit/s of incoming traffic > 10"]],
  [{ netv4_out: 6e6, netv6_out: 4.1e6 }, {}, ["10.1 Mbit/s of outgoing traffic > 10"]],
  [{ netv4_private_in: 1e9, netv6_private_out: 1e9 }, {}, []],
  [{ cpu: 95, io: 20_000 }, {}, ["95 % of a virtual CPU > 90", "20000 disk operations a second > 10000"]],
])("two hours of %j with the thresholds %j", async (measures, alerts, expected) => {
  const { call, record } = await begin();
  await call("PUT", "/node/instances/1", { alerts });
  const mails = await record("2026-03-04T12:00:00", twoHours, measures);
  expect(mails.map(({ text }) => alertOf(text))).toEqual(expected);
});

test("hours are judged once, after they have passed, and a day long", async () => {
  const { record, pass, clock } = await begin("2026-03-04T13:59:59");
  const full = { cpu: 100 };
  expect(await record("2026-03-04T12:00:00", twoHours, full)).toHaveLength(0); // not over yet
  pass(301);
  expect(await record("2026-03-04T14:00:00", 1, { cpu: 5 })).toHaveLength(1);
  expect(await record("2026-03-04T12:00:00", twoHours, full)).toHaveLength(0); // recorded again
  expect(await record("2026-03-04T08:00:00", 2 * twoHours, full)).toHaveLength(2);
  expect(await record("2026-03-03T00:00:00", 12 * twoHours, full)).toHaveLength(5); // those since 14:05 yesterday
  expect(await record("2026-02-01T00:00:00", 28 * 12 * twoHours, full)).toHaveLength(0); // history
  clock.now = new Date("2026-03-04T16:00:00Z");
  expect(await record("2026-03-04T14:00:00", twoHours, { cpu: 95 })).toHaveLength(1);
});

test("traffic of the month: once, when it crosses the threshold", async () => {
  const { call, record, pass } = await begin("2026-03-30T12:00:00");
  await call("PUT", "/node/instances/1", { alerts: { network_out: 0 } });
  const gigabytes = (count: number) => ({ netv4_out: (count * 8e9) / 300 });
  expect(await record("2026-03-30T11:00:00", 1, gigabytes(790))).toEqual([]);
  const [mail] = await record("2026-03-30T11:05:00", 1, gigabytes(20));
  expect(mail?.subject).toBe("web-1: transfer_quota alert");
  expect(mail?.text).toContain("It has used 81 % of the month's traffic; the threshold is 80.");
  expect(await record("2026-03-30T11:10:00", 1, gigabytes(500))).toEqual([]);
  pass(2 * 86_400);
  expect(await record("2026-04-01T11:00:00", 1, gigabytes(799))).toEqual([]); // a new month
  await call("PUT", "/node/instances/1", { alerts: { transfer_quota: 0 } });
  expect(await record("2026-04-01T11:05:00", 1, gigabytes(500))).toEqual([]);
});

test("an account without an e-mail address gets no alert", async () => {
  const { call, record } = await begin();
  await call("PUT", "/account", { email: "" });
  expect(await record("2026-03-04T12:00:00", twoHours, { cpu: 100 })).toEqual([]);
});
