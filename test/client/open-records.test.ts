import { expect, expectTypeOf, test } from "vitest";
import { createClient, type OpenRecordClient } from "../../src/client/client.ts";
import {
  type NewOpenRecord,
  type OpenRecord,
  type OpenRecordType,
  otherRecordTypes,
} from "../../src/contract/resources/open-record.ts";
import { apiRecordTypes } from "../../src/contract/resources/record.ts";
import { recordTypes } from "../../src/dns/types/index.ts";
import { start } from "../server/start.ts";

test("the types with a mnemonic are all that records can have", () => {
  const known = [...apiRecordTypes, ...otherRecordTypes, "SOA"];
  expect(known.toSorted()).toEqual(recordTypes.map(({ type }) => type).toSorted());
});

test("a record is a union by type", () => {
  expectTypeOf(createClient({ baseUrl: "http://127.0.0.1", records: "open" })).toEqualTypeOf<OpenRecordClient>();
  type Of<T extends OpenRecordType> = Extract<OpenRecord, { type: T }>;
  expectTypeOf<Of<"MX">>().toHaveProperty("priority").toEqualTypeOf<number>();
  expectTypeOf<Of<"CAA">>().toHaveProperty("tag").toEqualTypeOf<string>();
  expectTypeOf<Of<"TLSA">>().toHaveProperty("tag").toEqualTypeOf<null>();
  expectTypeOf<Of<`TYPE${number}`>>().toHaveProperty("rdata").toEqualTypeOf<string>();
  expectTypeOf<{ type: "MX"; target: string; priority: number }>().toExtend<NewOpenRecord>();
  expectTypeOf<{ type: "MX"; rdata: string }>().toExtend<NewOpenRecord>();
  expectTypeOf<{ type: "TLSA"; target: string; ttl_sec: number }>().toExtend<NewOpenRecord>();
  expectTypeOf<{ type: "CAA"; tag: string; target: string; flags: number }>().toExtend<NewOpenRecord>();
  expectTypeOf<{ type: "MX"; target: string }>().not.toExtend<NewOpenRecord>();
  expectTypeOf<{ type: "tlsa"; target: string }>().not.toExtend<NewOpenRecord>();
  const exchangeOf = (record: OpenRecord) => (record.type === "MX" ? `${record.priority} ${record.target}` : undefined);
  expectTypeOf(exchangeOf).returns.toEqualTypeOf<string | undefined>();
});

test("the client creates, reads, changes and lists records of an open server", async () => {
  const { server, token, domain } = await start({ records: "open" });
  const domainId = await domain("example.com");
  const send = (url: string, init: RequestInit) => server(new Request(url, init), {});
  const client = createClient({ baseUrl: "http://api", token, records: "open", send: send as never });
  const { id: recordId } = await client.createRecord({ domainId, body: { type: "TLSA", rdata: "3 1 1 00" } });
  await client.updateRecord({ domainId, recordId, body: { rdata: "3 1 1 01", ttl_sec: 7 } });
  const read = await client.getRecord({ domainId, recordId });
  expect(read).toMatchObject({ id: recordId, type: "TLSA", target: "3 1 1 01", rdata: "3 1 1 01", ttl_sec: 7 });
  expect((await client.listRecords({ domainId })).data).toEqual([read]);
});
