import pMap from "p-map";
import { expect, test, vi } from "vitest";
import type { ApiErrorEntry } from "../../src/contract/errors.ts";
import { adviceText } from "../../src/diagnostics/advice.ts";
import { AxfrReceiver } from "../../src/dns/transfer/axfr-receiver.ts";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import { allowAddresses } from "../../src/server/kit/allowed-networks.ts";
import { FairLimiter } from "../../src/server/kit/fair-limiter.ts";
import { createRemote, type Remote } from "../../src/server/kit/remote.ts";
import { pull } from "../../src/server/nameserver/zones/pull.ts";
import { transferZones } from "../../src/workflow/import/transfer-zones.ts";
import {
  endlessSoa,
  type HostilePrimary,
  hostilePrimaries,
  keyName,
  type RunningPrimary,
  startPrimary,
  zone,
} from "../dns/transfer/hostile-primaries.ts";
import { domainName } from "../names.ts";
import { start } from "./start.ts";

const key: Key = { name: domainName(`${keyName}.`), algorithm: "hmac-sha256", secret: Buffer.from("a shared secret") };
const isAllowed = allowAddresses([{ address: "127.0.0.0", prefix: 8 }]);
/** Low, so that the test is quick. */
const bounds = { records: 1000, octets: 2 ** 21 };
/** The messages without a record that are read before a transfer is given up. */
const mostEmpty = 101;
const { signal } = new AbortController();

/** A running primary with a client that has the limits of its row. */
async function begin(row: HostilePrimary) {
  const primary = await startPrimary(row);
  const own = { bounds: { ...bounds, ...row.limits }, key: row.isSigned && key };
  return { ...row, ...primary, ...own, remote: createRemote({ isAllowed, ...own, keyFor: () => own.key }) };
}

type Begun = Awaited<ReturnType<typeof begin>>;

async function importFrom(api: Awaited<ReturnType<typeof start>>, { host, port }: RunningPrimary): Promise<string> {
  const sent = { domain: zone, remote_nameserver: `${host}:${port}` };
  const { status, body } = await api.call("POST", "/domains/import", sent);
  return `${status} ${body.errors?.map(({ field, reason }: ApiErrorEntry) => `${field}: ${reason}`).join(" ")}`;
}

async function transferFrom({ host, port, bounds, key }: Begun): Promise<string> {
  const request = { zones: [domainName(`${zone}.`)], servers: [{ host, port }], key, jobs: 1, perServer: 1, signal };
  for await (const transfer of transferZones({ ...request, maxRecords: bounds.records, bounds })) {
    if (!("problems" in transfer)) return "transferred";
    return transfer.problems
      .map(({ id, summary, fix = "" }) => `error[${id}] ${summary}. ${adviceText(fix, "cli")}`)
      .join(" ");
  }
  return expect.fail("no result");
}

async function pullFrom({ host, port, remote }: Begun): Promise<string> {
  const domain = {
    id: 1,
    account_id: 1,
    domain: zone,
    domain_key: zone,
    failures: 0,
    master_ips: JSON.stringify([host]),
    retry_sec: 0,
  };
  const options = { remote, port, signal, limit: signal, transfers: new FairLimiter(16) };
  const pulled = await pull({ ...domain, zone: undefined }, options);
  if (pulled.kind !== "failed") return pulled.kind;
  return pulled.failures.map(({ reason, fix }) => `${reason}. ${fix}`).join(" ");
}

test("each hostile primary costs little, and each caller gets the true reason", async () => {
  const read = vi.spyOn(AxfrReceiver.prototype, "take");
  const remotes = new Map<number, Remote>();
  const api = await start({
    remote: {
      transfer: (zone, server) => remotes.get(server.port)?.transfer(zone, server) ?? expect.fail("an unknown port"),
      soa: () => expect.fail("imports need no SOA record"),
    },
  });
  const sections = await pMap(
    Object.entries(hostilePrimaries),
    async ([what, row]) => {
      const primary = await begin(row);
      remotes.set(primary.port, primary.remote);
      const lines = await Promise.all([
        importFrom(api, primary),
        transferFrom(primary),
        // over UDP it answers without a signature
        primary.isSigned ? undefined : pullFrom(primary),
      ]);
      const [imported, transferred, pulled] = lines.map((line) =>
        line?.replace(`${primary.host}:${primary.port}`, "PRIMARY").replace(primary.host, "PRIMARY"),
      );
      const shown = [`A primary that ${what}:`, `API    ${imported}`, `CLI    ${transferred}`];
      return [...shown, ...(pulled === undefined ? [] : [`slave  ${pulled}`])].join("\n");
    },
    { concurrency: 4 }, // as many as an account may import at once
  );
  await expect(`${sections.join("\n\n")}\n`).toMatchFileSnapshot("../cases/hostile-primaries.txt");
  const messages = new Map<unknown, number>();
  for (const receiver of read.mock.contexts) messages.set(receiver, (messages.get(receiver) ?? 0) + 1);
  expect(messages.size).toBeGreaterThan(100);
  expect(Math.max(...messages.values())).toBeLessThanOrEqual(bounds.records + mostEmpty);
  expect((await api.call("GET", "/domains")).body.results).toBe(0);
});

test("a zone ends with its second SOA record, whatever follows", async () => {
  const primary = await begin(endlessSoa);
  const api = await start({ remote: primary.remote });
  expect(await importFrom(api, primary)).toBe("200 undefined");
  expect(await transferFrom(primary)).toBe("transferred");
  expect(await pullFrom(primary)).toBe("new");
});
