import { describe, expect, test } from "vitest";
import { type MessageRecord, readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { sign } from "../../../src/dns/transfer/tsig.ts";
import { isType, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { type ServerAddress, timeBounds } from "../../../src/dns-client/server-address.ts";
import { overTcp } from "../../../src/dns-client/tcp.ts";
import { transferZone } from "../../../src/dns-client/transfer-zone.ts";
import { insertRecordRows } from "../../../src/server/areas/zones/records-rows.ts";
import { dig } from "../../dns/transfer/dig.ts";
import { isMissing } from "../../judges.ts";
import { noon } from "../start.ts";
import { beginSlaves, zoneOf } from "./masters.ts";
import { a, begin, host, key, many, name, show } from "./primary.ts";
import { askAll } from "./served.ts";

/** A request for the changes since a version (RFC 1995 §3). */
function request(soa: ZoneRecord<"SOA">, serial: number): Buffer {
  const authorities = [{ ...soa, class: 1, ttl: 0, data: { ...soa.data, serial } }];
  return writeMessage({ id: 0, questions: [{ name, type: "IXFR", class: 1 }], authorities });
}

/** The records of the answer over TCP. */
async function ixfr(at: ServerAddress, message: Buffer): Promise<string[]> {
  const records: MessageRecord[] = [];
  for await (const octets of overTcp(message, at, timeBounds)) {
    records.push(...readMessage(octets).answers);
    const serials = records.map((record) => (isType(record, "SOA") ? record.data.serial : undefined));
    const isOver = records.length === 1 || (serials.at(-1) === serials[0] && serials.filter(Boolean).length !== 3);
    if (isOver) break;
  }
  return show(records);
}

const soaLine = (serial: number, retry = 14400) =>
  `example.com. 86400 SOA ns1.example.net. hostmaster.example.com. ${serial} 14400 ${retry} 1209600 86400`;

describe("an incremental transfer", () => {
  test("has the deleted and the added records of all versions since, in one sequence", async () => {
    const { at, id, soa, post, call } = await begin([...many(20), a("www"), a("WWW", 2)]);
    const first = await soa();
    await post(a("new"));
    await soa();
    await call("DELETE", `/domains/${id}/records/1`);
    await call("PUT", `/domains/${id}/records/2`, { target: "192.0.2.99" });
    await soa();
    await post(a("gone"));
    await soa();
    await call("DELETE", `/domains/${id}/records/24`);
    await call("PUT", `/domains/${id}/records/21`, { ttl_sec: 300 });
    await call("PUT", `/domains/${id}`, { retry_sec: 7200 });
    const [from, to] = [soaLine(2026000001), soaLine(2026000005, 7200)];
    expect(await ixfr(at, request(first, 2026000001))).toEqual([
      ...[to, from],
      "h0.example.com. 86400 A 192.0.2.0",
      "h1.example.com. 86400 A 192.0.2.1",
      "www.example.com. 86400 A 192.0.2.1",
      "www.example.com. 86400 A 192.0.2.2",
      to,
      "h1.example.com. 86400 A 192.0.2.99",
      "www.example.com. 300 A 192.0.2.1",
      "www.example.com. 300 A 192.0.2.2",
      "new.example.com. 86400 A 192.0.2.1",
      to,
    ]);
    expect(await ixfr(at, request(first, 2026000005))).toEqual([to]);
  });

  test.each<[string, (api: Awaited<ReturnType<typeof begin>>) => Promise<unknown>]>([
    ["from a serial that was never served", async () => {}],
    [
      "after more changes than the zone has records",
      async ({ id, call }) => {
        for (let record = 1; record <= 3; record++)
          await call("PUT", `/domains/${id}/records/${record}`, { ttl_sec: 300 });
      },
    ],
    ["after another TTL of all records", ({ id, call }) => call("PUT", `/domains/${id}`, { ttl_sec: 300 })],
    [
      "after the domain was disabled",
      async ({ id, call }) => {
        await call("PUT", `/domains/${id}`, { status: "disabled" });
        await call("GET", `/domains/${id}/zone-file`);
        await call("PUT", `/domains/${id}`, { status: "active" });
      },
    ],
    [
      "after the domain was deleted and created again",
      async ({ id, call, domain }) => {
        await call("DELETE", `/domains/${id}`);
        await call("PUT", `/domains/${await domain("example.com", many(3))}`, { axfr_ips: [host] });
      },
    ],
  ])("%s, the answer is the whole zone", async (title, change) => {
    const api = await begin(many(3));
    const first = await api.soa();
    await change(api);
    const serial = title.includes("never served") ? 2025000001 : 2026000001;
    const { records } = await transferZone({ zone: name, server: api.at });
    const lines = show(records);
    expect(await ixfr(api.at, request(first, serial))).toEqual([...lines, lines[0]]);
  });

  test("from a serial of the time before the domain became a slave, the answer is the whole zone", async () => {
    const { at, masters, call, domain, lookAfter } = await beginSlaves();
    const id = await domain("example.com");
    await call("PUT", `/domains/${id}`, { axfr_ips: [host] });
    const first = await askSoa(at, name);
    await call("POST", `/domains/${id}/records`, a("of-the-master"));
    await askSoa(at, name);
    const rest = many(20).map(({ name }) => `${name} 300 A 192.0.2.9\n`);
    masters.answers.set("192.0.2.1", zoneOf(2026112110) + rest.join(""));
    await call("PUT", `/domains/${id}`, { type: "slave", master_ips: ["192.0.2.1"] });
    await lookAfter(0);
    const { records } = await transferZone({ zone: name, server: at });
    const lines = show(records);
    expect(lines).toContain("h19.example.com. 300 A 192.0.2.9");
    expect(await ixfr(at, request(first, 2026000001))).toEqual([...lines, lines[0]]);
  });

  test("over UDP has the changes if they fit, else the SOA record; other peers get that alone", async () => {
    const { at, id, call, soa, post } = await begin(many(40));
    const first = await soa();
    await post(a("new"));
    const one = soaLine(2026000002);
    const ask = async (serial: number) => {
      const [octets] = await askAll(at, [request(first, serial)]);
      const message = octets && readMessage(octets);
      return message && [message.tc, ...show(message.answers)];
    };
    const changes = [one, soaLine(2026000001), one, "new.example.com. 86400 A 192.0.2.1", one];
    expect(await ask(2026000001)).toEqual([false, ...changes]);
    expect(await ask(2026000002)).toEqual([false, one]);
    expect(await ask(7)).toEqual([false, one]);
    await call("PUT", `/domains/${id}`, { axfr_ips: [] });
    expect(await ask(2026000001)).toEqual([false, one]);
    await call("PUT", `/domains/${id}`, { axfr_ips: [host] });
    for (const { name } of many(20)) await post(a(`second-${name}`));
    expect(await ask(2026000001)).toEqual([false, soaLine(2026000003)]);
  });

  test("over UDP is not looked for after more than 200 changes, however small their effect", async () => {
    const { at, id, store, soa, post } = await begin(many(10));
    const first = await soa();
    const [end, start] = [soaLine(2026000002), soaLine(2026000001)];
    const rest = { priority: 0, weight: 0, port: 0, ttl_sec: 0, created: noon, updated: noon };
    const rows = many(100).map(({ name, ...row }) => ({
      ...row,
      ...rest,
      domain_id: id,
      name: `x${name}`,
      name_key: `x${name}`,
    }));
    await store.write((db) => insertRecordRows(db, rows));
    await store.write((db) => db.deleteFrom("records").where("name", "like", "x%").execute());
    await post(a("new"));
    const [octets] = await askAll(at, [request(first, 2026000001)]);
    expect(octets && show(readMessage(octets).answers)).toEqual([end]);
    const changes = [end, start, end, "new.example.com. 86400 A 192.0.2.1", end];
    expect(await ixfr(at, request(first, 2026000001))).toEqual(changes);
  });

  test("over UDP is not looked for at a name with more than 500 records", async () => {
    const wide = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ ...a("wide"), target: address(index) }));
    const address = (index: number) => `198.51.${index >> 8}.${index & 255}`;
    const answers = [];
    for (const count of [499, 500]) {
      const { at, soa, post } = await begin(wide(count));
      const first = await soa();
      await post({ type: "TXT", name: "wide", target: "new" });
      const [octets] = await askAll(at, [request(first, 2026000001)]);
      answers.push(octets && show(readMessage(octets).answers));
      if (count === 500) answers.push(await ixfr(at, request(first, 2026000001)));
    }
    const [end, start] = [soaLine(2026000002), soaLine(2026000001)];
    const changes = [end, start, end, 'wide.example.com. 86400 TXT "new"', end];
    expect(answers).toEqual([changes, [end], changes]);
  });

  test.skipIf(isMissing("dig"))("is signed for a peer that signs, which needs no permitted address", async () => {
    const { at, soa, post } = await begin(many(10), []);
    const first = await soa();
    await post(a("new"));
    const message = sign(request(first, 2026000001), key, { time: Math.floor(Date.now() / 1000) }).message;
    expect((await ixfr(at, message)).length).toBe(5);
    const read = await dig(at, "example.com.", "IXFR=2026000001", { key });
    expect(read.filter((line) => / A /.test(line))).toEqual(["new.example.com. 86400 IN A 192.0.2.1"]);
    const [octets] = await askAll(at, [message]);
    expect(octets && readMessage(octets)).toMatchObject({ answers: { length: 5 }, tsig: { error: 0 } });
  });
});
