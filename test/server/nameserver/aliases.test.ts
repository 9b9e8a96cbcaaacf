import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { rcodeName } from "../../../src/dns/transfer/codes.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { timeBounds } from "../../../src/dns-client/server-address.ts";
import { overTcp } from "../../../src/dns-client/tcp.ts";
import { ZonesByName } from "../../../src/server/nameserver/zones/served-zones.ts";
import { binaries, programs, type Running, startNameServer } from "../../dns/transfer/nameservers.ts";
import { apex, linesOf, readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { answerTo, served } from "./served.ts";

const lengths = Array.from({ length: 30 }, (_, index) => index + 1);
const links = (length: number, line: (from: number, to: number) => string) =>
  Array.from({ length }, (_, index) => line(index, index + 1)).join("");

/** Chains of each length to an address, to a name that does not exist, in a circle, and of DNAME records. */
const file = [
  apex,
  "own 300 DNAME a.own\n",
  ...lengths.flatMap((length) => [
    links(length, (from, to) => `c${from}.address${length} 300 CNAME c${to}.address${length}\n`),
    `c${length}.address${length} 300 A 192.0.2.1\n`,
    links(length, (from, to) => `c${from}.none${length} 300 CNAME c${to}.none${length}\n`),
    links(length, (from, to) => `c${from}.circle${length} 300 CNAME c${to % length}.circle${length}\n`),
    links(length, (from, to) => `d${from}-${length} 300 DNAME d${to}-${length}\n`),
    `c.d${length}-${length} 300 A 192.0.2.1\n`,
  ]),
].join("");
const zones = new ZonesByName([served(readZone(file))]);

/** The kinds of chains: the name that one begins with, and the records for each alias. */
const chains: Record<string, [(length: number) => string, records: number]> = {
  "to an address": [(length) => `c0.address${length}.example.`, 1],
  "to a name that does not exist": [(length) => `c0.none${length}.example.`, 1],
  "in a circle": [(length) => `c0.circle${length}.example.`, 1],
  "by DNAME records": [(length) => `c.d0-${length}.example.`, 2],
};

/** The aliases after which an answer ends, for the resolver to ask for the rest. */
const mostAliases = { ours: 21, bind: 12, knot: 5, nsd: Number.POSITIVE_INFINITY };

const query = (name: string) => writeMessage({ questions: [{ name: domainName(name), type: "A", class: 1 }] });

function shown(octets: Buffer | undefined) {
  const { rcode, aa, answers } = readMessage(octets ?? expect.fail("no answer"));
  return { rcode: rcodeName(rcode), aa, answers: answers.flatMap((record) => linesOf([record])[0] ?? []) };
}

const ours = (name: string) => shown(answerTo(query(name), zones, "tcp"));

test.each(Object.entries(chains))("an answer ends after 21 aliases: %s", (_, [nameOf, records]) => {
  for (const length of lengths) {
    const { rcode, answers } = ours(nameOf(length));
    const aliases = answers.filter((line) => line.includes(" CNAME "));
    expect([length, aliases.length]).toEqual([length, Math.min(length, mostAliases.ours)]);
    if (length >= mostAliases.ours) expect([rcode, answers.length]).toEqual(["NOERROR", records * mostAliases.ours]);
  }
});

test("a DNAME record is in an answer once, however many aliases it makes, as in BIND and Knot", () => {
  const [dname, ...aliases] = ours("c.own.example.").answers;
  expect(dname).toMatch(/ DNAME /);
  expect(aliases.map((line) => line.split(" ")[3])).toEqual(Array(mostAliases.ours).fill("CNAME"));
});

for (const program of programs)
  describe.skipIf(isMissing(binaries[program]))(program, () => {
    let server: Running;
    const theirs = async (name: string) => {
      for await (const octets of overTcp(query(name), server, timeBounds)) return shown(octets);
      return expect.fail("no answer");
    };
    const most = Math.min(mostAliases[program], mostAliases.ours);

    beforeAll(async () => {
      server = await startNameServer(program, { zones: { "example.": file } });
    });
    afterAll(() => server?.stop());

    test.each(Object.entries(chains))(
      `answers are the same up to ${most} aliases: %s`,
      async (kind, [nameOf, records]) => {
        for (const length of lengths) {
          const [own, other] = [ours(nameOf(length)), await theirs(nameOf(length))];
          // BIND calls a circle a failure.
          const rcode = program === "bind" && kind === "in a circle" ? "SERVFAIL" : own.rcode;
          if (length < most) expect([length, other]).toEqual([length, { ...own, rcode }]);
          else expect(other.answers.slice(0, most * records)).toEqual(own.answers.slice(0, most * records));
          const aliases = other.answers.filter((line) => line.includes(" CNAME "));
          expect([length, aliases.length]).toEqual([length, Math.min(length, mostAliases[program])]);
          if (length > mostAliases[program]) expect(other.answers.length).toBe(mostAliases[program] * records);
        }
      },
    );

    if (program !== "nsd")
      test("a DNAME record that leads to itself", async () => {
        const { answers } = await theirs("c.own.example.");
        expect(answers).toEqual(ours("c.own.example.").answers.slice(0, 1 + most));
      });
  });
