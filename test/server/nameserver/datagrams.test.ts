import type { RemoteInfo, Socket } from "node:dgram";
import { expect, test } from "vitest";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { Datagrams } from "../../../src/server/nameserver/datagrams.ts";
import { Turns } from "../../../src/server/nameserver/turns.ts";
import type { StoreVersion } from "../../../src/server/store/driver.ts";
import { domainName } from "../../names.ts";
import { stored } from "./served.ts";
import { until } from "./tcp-clients.ts";

test("datagrams that wait for the version of the store share its reads, and count towards the limit", async () => {
  const answered: number[] = [];
  const socket = { send: (reply: Buffer) => answered.push(reply.readUInt16BE(0)) } as unknown as Socket;
  const reads: ((version: StoreVersion) => void)[] = [];
  const version = () => new Promise<StoreVersion>((resolve) => reads.push(resolve));
  const zones = { ...stored, known: { version, find: () => "none" as const } };
  const turns = new Turns(zones.known);
  const datagrams = new Datagrams(socket, { zones, onError: (error) => expect.fail(String(error)) }, turns, 3);
  turns.add(datagrams);
  const send = async (...ids: number[]) => {
    const questions = [{ name: domainName("example.com."), type: "A", class: 1 }];
    for (const id of ids)
      datagrams.take(writeMessage({ id, questions }), { address: "127.0.0.1", port: 1053 } as RemoteInfo);
    await new Promise(setImmediate);
  };
  await send(1, 2);
  await send(3, 4);
  await send(5);
  expect([answered, reads.length]).toEqual([[], 1]);
  reads.pop()?.(1);
  await until(() => reads.length > 0);
  expect([answered, reads.length]).toEqual([[1, 2], 1]);
  reads.pop()?.(1);
  await turns.end();
  expect(answered).toEqual([1, 2, 3]);
  await send(6);
  reads.pop()?.(1);
  await turns.end();
  expect(answered).toEqual([1, 2, 3, 6]);
});
