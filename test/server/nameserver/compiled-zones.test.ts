import fc from "fast-check";
import { expect, test } from "vitest";
import { compileZone } from "../../../src/dns/compiled/zone-compiler.ts";
import { wireName } from "../../../src/dns/rdata/wire-writer.ts";
import { questionCode } from "../../../src/dns/transfer/codes.ts";
import { largestMessage, readMessage } from "../../../src/dns/transfer/message.ts";
import { rdataText, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { answerFrom } from "../../../src/server/nameserver/answer.ts";
import { recordsOf } from "../../dns/compiled.ts";
import { soaOf } from "../../dns/transfer/zones.ts";
import { samples } from "../../properties.ts";
import { generatedZone, nameInside, namesToAsk, questionTypes } from "./generated-zones.ts";
import { oracleOf } from "./oracle.ts";

/** With the spelling of names: it is kept, except for that of owners, which is the first of their name. */
const inOrder = (records: readonly ZoneRecord[]) =>
  records.map((record) => `${record.owner.toLowerCase()} ${record.ttl} ${record.type} ${rdataText(record)}`);
const shown = (records: readonly ZoneRecord[]) => inOrder(records).sort();

test("answers from fragments are those of the lookup that plans are checked with", () => {
  fc.assert(
    fc.property(generatedZone, fc.array(nameInside, { maxLength: 10 }), (records, others) => {
      const zone = compileZone(soaOf(records), records.slice(1), 0);
      const oracle = oracleOf(records);
      for (const name of namesToAsk(records, others))
        for (const type of questionTypes) {
          const code = questionCode(type);
          const question = { octets: wireName(name), at: 0, type: code, asked: code, edns: undefined };
          const head = { id: 7, rd: false, cd: false, transport: "tcp", room: largestMessage } as const;
          const message = readMessage(answerFrom(zone, { ...head, ...question }));
          const { rcode, aa, questions, answers, authorities, additionals } = message;
          const wanted = oracle(name, type);
          expect({
            ...{ rcode, aa, questions, answers: inOrder(answers) },
            ...{ authorities: shown(authorities), additionals: shown(additionals) },
          }).toEqual({
            ...{ rcode: wanted.rcode, aa: wanted.aa, questions: [{ name, type, class: 1 }] },
            answers: inOrder(wanted.answers),
            ...{ authorities: shown(wanted.authorities), additionals: shown(wanted.additionals) },
          });
        }
    }),
    samples(600),
  );
});

test("a transfer contains the records that a zone was compiled from", () => {
  fc.assert(
    fc.property(generatedZone, (records) => {
      const zone = compileZone(soaOf(records), records.slice(1), 0);
      expect(shown(recordsOf(zone))).toEqual(shown(records));
      expect(zone.size).toBe(records.length);
    }),
    samples(600),
  );
});
