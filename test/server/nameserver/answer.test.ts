import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { asName, labels, type Name, parent } from "../../../src/dns/name/name.ts";
import { rcodeName } from "../../../src/dns/transfer/codes.ts";
import { type MessageQuestion, type MessageRecord, readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { binaries, type Program, programs, type Running, startNameServer } from "../../dns/transfer/nameservers.ts";
import { linesOf } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName, inUpperCase } from "../../names.ts";
import { answerTo, askAll, file, other, zone, zones } from "./served.ts";

/** Every name of the zone, names above, below and beside them, each for these types. */
const types = ["A", "AAAA", "NS", "SOA", "MX", "TXT", "CNAME", "DS", "SRV", "DNAME", "CAA", "TYPE65280"];
const owners = [...new Set(zone.records.flatMap(({ owner }) => [owner, ...above(owner)]))];
const beside = owners.flatMap((owner) =>
  [`x.${owner}`, `x.y.${owner}`, `*.${owner}`, `zz${owner.replace(/^\*/, "")}`].map(asName),
);
const names = [...new Set([...owners, ...beside, ...owners.map((owner) => inUpperCase(owner))])].filter(
  (name) => name !== "zz." && labels(name).at(-1)?.toLowerCase().endsWith("example"),
);
const questions = names.flatMap((name) => types.map((type) => ({ name, type, class: 1 })));

function above(owner: Name): Name[] {
  return owner === "." || owner === "example." ? [] : [parent(owner), ...above(parent(owner))];
}

interface Shown {
  readonly rcode: string;
  readonly aa: boolean;
  readonly tc: boolean;
  readonly questions: readonly MessageQuestion[];
  readonly answers: readonly string[];
  readonly authorities: readonly string[];
  readonly additionals: readonly string[];
}

function shown(octets: Buffer | undefined): Shown {
  if (octets === undefined) return expect.fail("no answer");
  const { rcode, aa, tc, questions, answers, authorities, additionals } = readMessage(octets);
  return {
    ...{ rcode: rcodeName(rcode), aa, tc, questions },
    ...{ answers: lines(answers), authorities: lines(authorities), additionals: lines(additionals) },
  };
}

function lines(records: readonly MessageRecord[]): string[] {
  return linesOf(records).filter((line) => line !== "");
}

/** The parts of answers that are compared with each program. */
const compared: Record<Program, (answer: Shown) => Partial<Shown>> = {
  knot: (answer) => answer,
  // It leaves out addresses that only help, and calls an alias of itself a failure.
  bind: ({ additionals, rcode, ...answer }) => (isLoop(answer) ? answer : { ...answer, rcode }),
  // It says the zone's servers with each answer, and follows aliases into other zones.
  nsd: ({ additionals, authorities, answers, ...answer }) => {
    if (answers.some((line) => line.startsWith("to-other"))) return answer;
    return answers.length > 0 && answer.aa ? { ...answer, answers } : { ...answer, answers, authorities };
  },
};

function isLoop({ questions }: Pick<Shown, "questions">): boolean {
  return questions.some(({ name }) => /^loop/i.test(name));
}

for (const program of programs)
  describe.skipIf(isMissing(binaries[program]))(program, () => {
    let server: Running;

    beforeAll(async () => {
      server = await startNameServer(program, { zones: { "example.": file, "other.example.org.": other } });
    });
    afterAll(() => server?.stop());

    // BIND answers NOTIMP or FORMERR to some of these; RFC 3597 §3 and RFC 6895 §3.1 leave it open.
    if (program !== "bind")
      test("answers are the same for types without records", async () => {
        const metaTypes = [41, 100, 127, 128, 200, 248, 249, 250, 253, 254, 256, 65_280, 65_535].map(
          (code) => `TYPE${code}`,
        );
        const names = ["example.", "www.example.", "no.such.example.", "x.sub.example."].map(domainName);
        const asked = names.flatMap((name) => metaTypes.map((type) => ({ name, type, class: 1 })));
        const messages = asked.map((question, id) => writeMessage({ id, rd: true, questions: [question] }));
        const theirs = await askAll(server, messages);
        const ours = messages.map((message) => answerTo(message, zones, "udp"));
        expect(ours.map((octets) => compared[program](shown(octets)))).toEqual(
          theirs.map((octets) => compared[program](shown(octets))),
        );
      });

    test("answers are the same for every name and type", async () => {
      const messages = questions.map((question, id) => writeMessage({ id, rd: true, questions: [question] }));
      const theirs = await askAll(server, messages);
      const ours = messages.map((message) => answerTo(message, zones, "udp"));
      expect(messages.length).toBeGreaterThan(4000);
      expect(ours.map((octets) => compared[program](shown(octets)))).toEqual(
        theirs.map((octets) => compared[program](shown(octets))),
      );
    });
  });
