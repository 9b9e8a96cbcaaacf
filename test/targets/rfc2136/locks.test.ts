// @suite long
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { rcode } from "../../../src/dns/transfer/codes.ts";
import { readHead } from "../../../src/dns/transfer/message.ts";
import { isMissing, judgesFolder } from "../../judges.ts";
import { isNightly } from "../../properties.ts";
import {
  type Configuration,
  configurations,
  key,
  startUpdateServer,
  type UpdateServer,
  withOtherSoa,
  zoneOfNumber,
  zoneRecords,
} from "../../updates/servers.ts";
import { newFolder } from "../conformance.ts";
import { openDesk, sleep } from "./desk.ts";
import { nsupdate, outputOf } from "./nsupdate.ts";
import { startUpdateRelay } from "./update-relay.ts";

const rounds = isNightly ? 40 : 20;

/**
 * Another client edits a zone when our update is on its way: before the first one that does not require the SOA record
 * if the server refuses such updates, or before each one. Returns how our run ended.
 */
async function overtake(
  server: UpdateServer,
  zone: string,
  text: string,
  theirs: (updates: number) => readonly string[] | undefined,
) {
  await server.untilServed(zone);
  const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
  onTestFinished(() => relay.stop());
  let updates = 0;
  relay.onUpdate = async ({ forward, reply }) => {
    const lines = theirs(++updates);
    if (lines) expect(await nsupdate(server, zone, lines)).toBe("NOERROR");
    reply(await forward());
  };
  const desk = openDesk(newFolder(), relay, zone);
  const { failures } = await desk.run(`$TTL 300\n${text}`);
  return { desk, failures: failures.map((one) => one.replaceAll(`127.0.0.1:${relay.port}`, "SERVER")), updates };
}

/** An edit by another client, how our run tells it, and what is stored afterwards, for nsupdate. */
interface Overtaken {
  readonly ours: (text: string) => string;
  readonly theirs: string;
  readonly told: string;
  readonly kept: readonly string[];
}

function testLocks(configuration: Configuration): void {
  describe(configuration, () => {
    let server: UpdateServer;
    let number = 0;
    beforeAll(async () => {
      server = await startUpdateServer(configuration, 12);
    }, 60_000);
    afterAll(() => server.stop());

    test(`of six writers that read the same records, one succeeds, in each of ${rounds} rounds`, async () => {
      const zone = zoneOfNumber(0);
      await server.untilServed(zone);
      const request = { zone, port: server.port, key: key.name, secret: key.secret, rounds };
      const input = `${JSON.stringify({ ...request, stored: ["192.0.2.10", "192.0.2.11"] })}\n`;
      const python = join(judgesFolder, "venv/bin/python");
      const output = await outputOf(python, [join(import.meta.dirname, "burst.py")], input);
      expect(JSON.parse(output)).toEqual({ 1: rounds });
    }, 120_000);

    test.each<[string, Overtaken]>([
      [
        "a value of the same set",
        {
          ours: (text) => text.replace("192.0.2.10", "192.0.2.12"),
          theirs: "add www.ZONE A 198.51.100.7",
          told: "www.ZONE A was changed by someone else after the plan was made: it was 192.0.2.10, 192.0.2.11, and is 198.51.100.7, 192.0.2.10, 192.0.2.11 now",
          kept: ["yxrrset www.ZONE A 192.0.2.10", "yxrrset www.ZONE A 192.0.2.11", "yxrrset www.ZONE A 198.51.100.7"],
        },
      ],
      [
        "the deletion of the same set",
        {
          ours: (text) => text.replace("192.0.2.20", "192.0.2.21"),
          theirs: "delete host.ZONE A",
          told: "host.ZONE A was deleted by someone else after the plan was made: it was 192.0.2.20",
          kept: ["nxrrset host.ZONE A"],
        },
      ],
      [
        "a record of another type at a name that is to be a CNAME",
        {
          ours: (text) => `${text.replace(/^www .*\n/gm, "")}www CNAME host\n`,
          theirs: "add www.ZONE TXT theirs",
          told: 'www.ZONE TXT was created by someone else after the plan was made: it is "theirs"',
          kept: ["yxrrset www.ZONE A 192.0.2.10", "yxrrset www.ZONE A 192.0.2.11", "yxrrset www.ZONE TXT theirs"],
        },
      ],
      [
        "a record at the new name of a CNAME",
        {
          ours: (text) => `${text}new CNAME host\n`,
          theirs: "add new.ZONE TXT theirs",
          told: 'new.ZONE TXT was created by someone else after the plan was made: it is "theirs"',
          kept: ["nxrrset new.ZONE CNAME", "yxrrset new.ZONE TXT theirs"],
        },
      ],
      [
        "a CNAME at the new name of an address",
        {
          ours: (text) => `${text}new A 192.0.2.40\n`,
          theirs: "add new.ZONE CNAME host.ZONE",
          told: "new.ZONE CNAME was created by someone else after the plan was made: it is host.ZONE",
          kept: ["yxrrset new.ZONE CNAME host.ZONE"],
        },
      ],
    ])("%s, written by another client meanwhile, is kept and told", async (_, { ours, theirs, told, kept }) => {
      const zone = zoneOfNumber(++number);
      const first = withOtherSoa.has(configuration) ? 2 : 1;
      const { failures, updates } = await overtake(server, zone, ours(zoneRecords), (sent) =>
        sent === first ? [`update ${theirs}`] : undefined,
      );
      expect(failures).toEqual([`ProblemError: ${told}`.replaceAll("ZONE", zone)]);
      expect(updates).toBeLessThanOrEqual(first);
      expect(
        await nsupdate(
          server,
          zone,
          kept.map((set) => `prereq ${set}`),
        ),
      ).toBe("NOERROR");
    });

    test("an update takes effect while another client writes other names all the time", async () => {
      const zone = zoneOfNumber(++number);
      const { failures, updates } = await overtake(server, zone, `${zoneRecords}new A 192.0.2.40\n`, (sent) => [
        `update add other-${sent}.ZONE TXT theirs`,
      ]);
      expect(failures).toEqual([]);
      expect(updates).toBeLessThanOrEqual(4);
      expect(
        await nsupdate(server, zone, [
          "prereq yxrrset new.ZONE A 192.0.2.40",
          "prereq yxrrset other-1.ZONE TXT theirs",
        ]),
      ).toBe("NOERROR");
    });

    test("an edit of the RRset that follows ours is told at once: the server is not waited for", async () => {
      const zone = zoneOfNumber(++number);
      await server.untilServed(zone);
      const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
      onTestFinished(() => relay.stop());
      relay.onUpdate = async ({ forward, reply }) => {
        const octets = await forward();
        if (readHead(octets)?.head.rcode === rcode.NOERROR)
          expect(await nsupdate(server, zone, ["update add www.ZONE A 198.51.100.7"])).toBe("NOERROR");
        reply(octets);
      };
      const waits: number[] = [];
      const desk = openDesk(newFolder(), relay, zone, {
        sleep: async (ms) => {
          waits.push(ms);
          await sleep(ms);
        },
      });
      const { plan } = await desk.run(`$TTL 300\n${zoneRecords.replace("192.0.2.10", "192.0.2.12")}`);
      expect(plan.writes).toBe(1);
      expect(await desk.left(), "the other value").toBe(1);
      // A server that signs in between serves both edits some moments later; all waits are 13 seconds.
      const seconds = waits.reduce((sum, ms) => sum + ms, 0) / 1000;
      if (configuration.includes("inline")) expect(seconds).toBeLessThan(6);
      else expect(waits).toEqual([]);
    });

    test("a CNAME is added at the name above other names", async () => {
      const zone = zoneOfNumber(++number);
      const { desk, failures } = await overtake(server, zone, `${zoneRecords}tree CNAME host\n`, () => undefined);
      expect(failures).toEqual([]);
      expect(await desk.left()).toBe(0);
    });

    test("of an update in parts, the first stays, and the second is refused if its sets were changed", async () => {
      const zone = zoneOfNumber(++number);
      const names = Array.from({ length: 2_000 }, (_, index) => `n${String(index).padStart(4, "0")}`);
      const second = withOtherSoa.has(configuration) ? 3 : 2;
      const text = `${zoneRecords}${names.map((name) => `${name} A 192.0.2.40\n`).join("")}`;
      const { failures } = await overtake(server, zone, text, (sent) =>
        sent === second ? ["update add n1999.ZONE A 198.51.100.7"] : undefined,
      );
      expect(failures).toEqual([
        `ProblemError: n1999.${zone} A was created by someone else after the plan was made: it is 198.51.100.7`,
      ]);
      const kept = ["n0000.ZONE A 192.0.2.40", "n1999.ZONE A 198.51.100.7"];
      expect(
        await nsupdate(
          server,
          zone,
          kept.map((set) => `prereq yxrrset ${set}`),
        ),
      ).toBe("NOERROR");
    });
  });
}

describe.skipIf(isMissing("named", "knotd", "pdns_server", "nsupdate", "venv"))("locks", () => {
  for (const configuration of Object.keys(configurations) as Configuration[]) testLocks(configuration);
});
