import { expect, onTestFinished, test } from "vitest";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import { rcode } from "../../../src/dns/transfer/codes.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { rfc2136Target } from "../../../src/targets/rfc2136/target.ts";
import { formats } from "../../formats/api.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { startUpdateServer, zoneOfNumber } from "../../updates/servers.ts";
import { sleep, updateKey } from "./desk.ts";
import { startUpdateRelay } from "./update-relay.ts";

const name = domainName(zoneOfNumber(0));

/** The outcome of one new record whose update gets an unsigned REFUSED, and the number of updates that were sent. */
async function add(isForwarded: boolean): Promise<readonly [outcome: string, updates: number]> {
  const server = await startUpdateServer("BIND", 1);
  onTestFinished(server.stop);
  await server.untilServed(name);
  const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
  onTestFinished(() => relay.stop());
  let updates = 0;
  relay.onUpdate = async ({ message: { id, opcode }, forward, reply }) => {
    updates++;
    if (isForwarded) await forward();
    reply(writeMessage({ id, opcode, qr: true, rcode: rcode.REFUSED }));
  };
  const { read, writes } = rfc2136Target({ server: relay, key: updateKey, zones: () => [name], now: Date.now, sleep });
  const [head] = await read.listZones();
  if (head === undefined) throw new Error("the zone is not served");
  await read.readRecords(head);
  const { zone } = formats.bind.read({ file: "z", bytes: Buffer.from("new 300 A 192.0.2.9\n"), origin: name });
  const changes = zone.records.map((after) => ({ kind: "create" as const, after }));
  const outcome = await writes.changeRecords?.(head, changes).then(
    () => "done",
    (error: unknown) => {
      if (!(error instanceof ProblemError)) throw error;
      return `${writes.failureOf(error)}: ${error.problem.summary}`.replace(String(relay.port), "PORT");
    },
  );
  return [outcome ?? "", updates];
}

test.skipIf(isMissing("named"))("an error without a signature counts if the zone is as before", async () => {
  expect(await add(false), "the server refused").toEqual([
    "refused: 127.0.0.1:PORT refused the update of z01.example (REFUSED)",
    1,
  ]);
  expect(await add(true), "someone else sent the error").toEqual(["done", 1]);
});
