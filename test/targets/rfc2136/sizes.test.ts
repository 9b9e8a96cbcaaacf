// @suite nightly
import { describe, expect, onTestFinished, test } from "vitest";
import { adviceText } from "../../../src/diagnostics/advice.ts";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import { isMissing } from "../../judges.ts";
import { type Configuration, startUpdateServer, zoneOfNumber } from "../../updates/servers.ts";
import { newFolder } from "../conformance.ts";
import { openDesk } from "./desk.ts";
import { startUpdateRelay } from "./update-relay.ts";

const zone = zoneOfNumber(0);
const base = "$TTL 300\n@ NS ns1\n@ NS ns2\nns1 A 192.0.2.1\nns2 A 192.0.2.2\nhost A 192.0.2.20\n";
const lines = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => `${line(index)}\n`).join("");
const names = (count: number, rest: string) => lines(count, (index) => `n${String(index).padStart(4, "0")} ${rest}`);

/** A zone of a server, and the octets of each update that it got since it was asked last. */
async function open(configuration: Configuration) {
  const server = await startUpdateServer(configuration, 1);
  onTestFinished(server.stop);
  await server.untilServed(zone);
  const relay = await startUpdateRelay({ host: "127.0.0.1", port: server.port });
  onTestFinished(() => relay.stop());
  const sent: number[] = [];
  relay.onUpdate = async ({ octets, forward, reply }) => {
    sent.push(octets.length);
    reply(await forward());
  };
  const desk = openDesk(newFolder(), relay, zone);
  await desk.apply(base);
  return {
    /** The octets of the updates with which a zone becomes as a text; afterwards a plan is empty. */
    async apply(text: string): Promise<number[]> {
      sent.length = 0;
      const { failures, left } = await desk.apply(`${base}${text}`);
      expect({ failures, left }).toEqual({ failures: [], left: 0 });
      return [...sent];
    },
    async refusal(text: string): Promise<string[]> {
      sent.length = 0;
      const refused = await desk.run(`${base}${text}`).catch((error: unknown) => error);
      expect(sent).toEqual([]);
      if (!(refused instanceof ProblemError)) throw refused;
      return refused.problems.map(({ summary, fix }) => `${summary} · ${adviceText(fix ?? "", "cli")}`);
    },
  };
}

/** An RRset of this many records of 500 octets. */
const large = (count: number, { head = "TXT", text = "" } = {}) =>
  lines(count, (index) => `big ${head} "${`${text}${index}`.padEnd(240, "x")}" "${"y".repeat(240)}"`);

const servers = ["BIND", "Knot", "Knot, signed", "PowerDNS"] as const satisfies readonly Configuration[];

describe.skipIf(isMissing("named", "knotd", "pdns_server")).each(servers)("%s", (configuration) => {
  test("takes as many changes in one update as a message has room for", async () => {
    const { apply } = await open(configuration);
    expect(await apply(names(1_600, "A 192.0.2.1")), "1,600 new names").toEqual([58_752]);
    expect(
      await apply(names(1_600, "A 192.0.2.1") + names(820, "AAAA 2001:db8::1")),
      "820 new RRsets of the same names",
    ).toEqual([47_742]);
    expect(await apply(names(1_600, "600 A 192.0.2.1")), "as many TTLs, and deletions").toHaveLength(3);
    expect(await apply(""), "as many deletions").toHaveLength(2);
    expect(
      await apply(names(101, `TXT "${"x".repeat(240)}" "${"y".repeat(240)}"`)),
      "101 records of 500 octets",
    ).toEqual([53_106]);
  });

  test("1,500 names become aliases, in updates that require of each that it has no records of other types", async () => {
    const { apply } = await open(configuration);
    await apply(names(1_500, "A 192.0.2.1"));
    expect(await apply(names(1_500, "CNAME host"))).toHaveLength(33);
  });

  test("a large RRset changes in parts, or the plan refuses it", async () => {
    const { apply, refusal } = await open(configuration);
    expect(await apply(large(90)), "a new RRset").toEqual([44_670]);
    expect(await apply(large(90, { text: "other" })), "its values").toEqual([63_418, 63_345, 63_345, 63_345, 58_405]);
    expect(await refusal(large(90, { head: "600 TXT", text: "other" })), "its TTL").toEqual([
      "z01.example: the change of big TXT and the stored records that it replaces do not fit into one update · Remove the RRset with one apply, and add it with the next one; its name has no such records in between.",
    ]);
    expect(await apply(""), "the advice: its deletion").toEqual([63_912, 25_319]);
    expect(await apply(large(90, { head: "600 TXT" })), "and its addition").toEqual([44_670]);
    expect(await refusal(large(150)), "more than an answer has room for").toEqual([
      "big TXT: the RRset has 74,700 octets, more than an update has room for (64,300) · Remove records of it, or shorten them: no server can answer with the RRset, or take it in an update.",
    ]);
    await apply("");
    await apply(large(60));
    expect(await apply(large(60, { head: "600 TXT" })), "the TTL of a smaller one").toEqual([59_478]);
  });
});
