import { expect, test } from "vitest";
import { verifyZone } from "../../../src/executor/verify/verify.ts";
import { rfc2136Target } from "../../../src/targets/rfc2136/target.ts";
import { formats } from "../../formats/api.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { sleep, updateKey } from "./desk.ts";
import { stored, zone } from "./error-desk.ts";
import { startViews } from "./error-servers.ts";

const name = domainName(zone);

test.skipIf(isMissing("named"))("the server of a target is asked as well, with its key", async () => {
  const server = await startViews();
  const target = rfc2136Target({ server, key: updateKey, zones: () => [name], now: Date.now, sleep });
  const file = { file: "z", bytes: Buffer.from(`$TTL 300\n${stored}`), origin: name };
  const { desired } = target.accept(formats.bind.read(file).zone);
  const [head] = await target.read.listZones();
  if (head === undefined) throw new Error("the zone is not served");
  const verify = async (servers: readonly (typeof server)[]) => {
    const options = { clock: { now: Date.now, sleep }, timeoutMs: 0, servers, resolve: async () => [], resolvers: [] };
    const checks = await verifyZone({ zone: desired, domainId: head.id }, target, options);
    return checks.map(({ where, verdict, text }) =>
      `${verdict} ${where}: ${text}`.replace(String(server.port), "PORT"),
    );
  };
  const before = ["pass name server: 14 records as in the file", "pass zone file: serial 1, 11 RRsets as stored"];
  expect(await verify([]), "its own server").toEqual([
    ...before,
    "pass 127.0.0.1:PORT: serial 1, 11 RRsets answered",
    "inconclusive servers: no addresses of its name servers were found",
  ]);
  expect(await verify([server]), "a given server, without a key").toEqual([
    ...before,
    "inconclusive 127.0.0.1:PORT: the server refused the request (REFUSED)",
  ]);
});
