import fc from "fast-check";
import { expect, test } from "vitest";
import { asName } from "../../../src/dns/name/name.ts";
import { rcodeName } from "../../../src/dns/transfer/codes.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { writeTsig } from "../../../src/dns/transfer/tsig-record.ts";
import { answerFast } from "../../../src/server/nameserver/plain-answers.ts";
import { ZonesByName } from "../../../src/server/nameserver/zones/served-zones.ts";
import { useNameServer } from "../../dns/transfer/use-name-server.ts";
import { linesOf, readZone } from "../../dns/transfer/zones.ts";
import { isMissing } from "../../judges.ts";
import { domainName } from "../../names.ts";
import { samples } from "../../properties.ts";
import { answerTo, askAll, file, other, served, stored, zone, zones } from "./served.ts";

const edns = { udpSize: 4096, version: 0, do: false, options: [] };
const www = { name: domainName("www.example."), type: "A", class: 1 };
const many = { name: domainName("many.other.example.org."), type: "A", class: 1 };
const tsig = {
  key: domainName("k."),
  algorithm: domainName("hmac-sha256."),
  time: 1,
  fudge: 300,
  mac: "x".repeat(32),
  originalId: 0,
  error: 0,
  other: "",
};
const withTsig = Buffer.concat([writeMessage({ questions: [www] }), writeTsig(tsig)]);
withTsig.writeUInt16BE(1, 10);
const withBoth = Buffer.concat([writeMessage({ questions: [www], edns }), writeTsig(tsig)]);
withBoth.writeUInt16BE(2, 10);

/** Messages out of the ordinary: what is answered, and what BIND answers where it does otherwise. */
const edges: [string, Buffer, string, string?][] = [
  ["a question", writeMessage({ questions: [www] }), "NOERROR aa 2 answers"],
  ["recursion asked for", writeMessage({ rd: true, questions: [www] }), "NOERROR aa rd 2 answers"],
  ["checking disabled", writeMessage({ cd: true, questions: [www] }), "NOERROR aa cd 2 answers"],
  [
    "letters in any case (0x20)",
    writeMessage({ questions: [{ ...www, name: domainName("wWw.ExAmPlE.") }] }),
    "NOERROR aa 2 answers",
  ],
  ["EDNS", writeMessage({ questions: [www], edns }), "NOERROR aa 2 answers edns 0"],
  ["EDNS with DO", writeMessage({ questions: [www], edns: { ...edns, do: true } }), "NOERROR aa 2 answers edns 0 do"],
  [
    "EDNS with NSID and an unknown option",
    writeMessage({
      questions: [www],
      edns: {
        ...edns,
        options: [
          { code: 3, data: "" },
          { code: 65001, data: "x" },
        ],
      },
    }),
    "NOERROR aa 2 answers edns 0",
  ],
  ["EDNS of version 1", writeMessage({ questions: [www], edns: { ...edns, version: 1 } }), "BADVERS edns 0"],
  ["an answer above 512 octets", writeMessage({ questions: [many] }), "NOERROR aa tc"],
  [
    "the same for a client that takes 512",
    writeMessage({ questions: [many], edns: { ...edns, udpSize: 512 } }),
    "NOERROR aa tc edns 0",
  ],
  [
    "the same for a client that announces 0, below the minimum",
    writeMessage({ questions: [many], edns: { ...edns, udpSize: 0 } }),
    "NOERROR aa tc edns 0",
  ],
  ["the same to who takes 4096", writeMessage({ questions: [many], edns }), "NOERROR aa 60 answers edns 0"],
  ["ANY", writeMessage({ questions: [{ ...www, type: "ANY" }] }), "NOERROR aa 2 answers", "NOERROR aa 3 answers"],
  [
    "ANY of a name with nothing",
    writeMessage({ questions: [{ ...www, name: domainName("b.c.example."), type: "ANY" }] }),
    "NOERROR aa SOA",
  ],
  [
    "ANY of no name",
    writeMessage({ questions: [{ ...www, name: domainName("no.example."), type: "ANY" }] }),
    "NXDOMAIN aa SOA",
  ],
  [
    "ANY below a cut",
    writeMessage({ questions: [{ ...www, name: domainName("x.sub.example."), type: "ANY" }] }),
    "NOERROR NS",
  ],
  ["class CH", writeMessage({ questions: [{ ...www, class: 3 }] }), "REFUSED"],
  [
    "version.bind",
    writeMessage({ questions: [{ name: domainName("version.bind."), type: "TXT", class: 3 }] }),
    "REFUSED",
    "NOERROR aa 1 answers",
  ],
  ["class ANY", writeMessage({ questions: [{ ...www, class: 255 }] }), "REFUSED", "FORMERR"],
  ["another zone", writeMessage({ questions: [{ ...www, name: domainName("example.com.") }] }), "REFUSED"],
  ["the root", writeMessage({ questions: [{ ...www, name: domainName(".") }] }), "REFUSED"],
  ["AXFR by UDP", writeMessage({ questions: [{ ...www, name: domainName("example."), type: "AXFR" }] }), "FORMERR"],
  [
    "IXFR by UDP",
    writeMessage({ questions: [{ ...www, name: domainName("example."), type: "IXFR" }] }),
    "NOERROR aa 1 answers",
    "FORMERR",
  ],
  ["type OPT", writeMessage({ questions: [{ ...www, type: "TYPE41" }] }), "NOERROR aa SOA", "FORMERR"],
  ["type MAILB", writeMessage({ questions: [{ ...www, type: "TYPE253" }] }), "NOERROR aa SOA", "NOTIMP"],
  ["no question", writeMessage({}), "FORMERR"],
  ["two questions", writeMessage({ questions: [www, www] }), "FORMERR"],
  ["opcode STATUS", writeMessage({ opcode: 2, questions: [www] }), "NOTIMP"],
  [
    "UPDATE",
    writeMessage({ opcode: 5, questions: [{ ...www, type: "SOA", name: domainName("example.") }] }),
    "NOTIMP",
    "REFUSED",
  ],
  ["opcode 15", writeMessage({ opcode: 15, questions: [www] }), "NOTIMP"],
  [
    "octets after the question",
    Buffer.concat([writeMessage({ questions: [www] }), Buffer.of(1)]),
    "FORMERR",
    "NOERROR aa 2 answers",
  ],
  ["a truncated question", writeMessage({ questions: [www] }).subarray(0, -1), "FORMERR"],
  ["an unknown TSIG key", withTsig, "NOTAUTH tsig BADKEY"],
  ["an unknown TSIG key, and EDNS", withBoth, "NOTAUTH edns 0 tsig BADKEY"],
  ["opcode STATUS with EDNS", writeMessage({ opcode: 2, questions: [www], edns }), "NOTIMP edns 0"],
  [
    "UPDATE with EDNS",
    writeMessage({ opcode: 5, questions: [{ ...www, type: "SOA", name: domainName("example.") }], edns }),
    "NOTIMP edns 0",
    "REFUSED edns 0",
  ],
  [
    "opcode STATUS with EDNS of version 1",
    writeMessage({ opcode: 2, questions: [www], edns: { ...edns, version: 1 } }),
    "BADVERS edns 0",
  ],
  [
    "AXFR by UDP with EDNS",
    writeMessage({ questions: [{ ...www, name: domainName("example."), type: "AXFR" }], edns }),
    "FORMERR edns 0",
  ],
  [
    "a name that a DNAME makes too long",
    writeMessage({ questions: [{ ...www, name: domainName(`${`${"b".repeat(60)}.`.repeat(3)}long.example.`) }] }),
    "YXDOMAIN aa 1 answers",
  ],
];
test.each(edges)("%s", (_, message, expected) => {
  expect(gist(answerTo(message, zones, "udp"))).toBe(expected);
});

/** The zones as those that need no read. */
const known = {
  version: () => 1,
  find: (key: string) => zones.find(asName(`${key}.`), "A") ?? ("none" as const),
};
const context = { zones: { ...stored, known } };
const plainly = (octets: Buffer, transport: "udp" | "tcp" = "udp") =>
  answerFast(octets, { transport, address: "192.0.2.1", version: 1 }, context);

test("plain queries are answered the same without a full reading", () => {
  const isPlain = edges.map(([title, message]) => [title, plainly(message) !== undefined]);
  expect(isPlain.filter(([, isPlain]) => isPlain).map(([title]) => title)).toEqual([
    "a question",
    "recursion asked for",
    "checking disabled",
    "letters in any case (0x20)",
    "EDNS",
    "EDNS with DO",
    "EDNS with NSID and an unknown option",
    "an answer above 512 octets",
    "the same for a client that takes 512",
    "the same for a client that announces 0, below the minimum",
    "the same to who takes 4096",
    "ANY",
    "ANY of a name with nothing",
    "ANY of no name",
    "ANY below a cut",
    "another zone",
    "the root",
    "type OPT",
    "type MAILB",
    "a name that a DNAME makes too long",
  ]);
  for (const [title, message] of edges)
    for (const transport of ["udp", "tcp"] as const)
      expect([title, plainly(message, transport) ?? answerTo(message, zones, transport)]).toEqual([
        title,
        answerTo(message, zones, transport),
      ]);
});

test("a name with any octet is plain, except with a dot within a label", () => {
  const octets = Array.from({ length: 256 }, (_, octet) => octet);
  const lines = octets.map((octet) => `x\\${String(octet).padStart(3, "0")}.y 300 IN TXT "${octet}"\n`);
  const apex = "$ORIGIN octets.example.\n@ 300 IN SOA a. b. 1 2 3 4 5\n@ 300 IN NS ns1.example.\n";
  const ofOctets = new ZonesByName([served(readZone(apex + lines.filter((_, octet) => !isUpper(octet)).join("")))]);
  const found = (key: string) => ofOctets.find(asName(`${key}.`), "TXT") ?? ("none" as const);
  const notPlain = octets.filter((octet) => {
    const message = writeMessage({ questions: [{ name: domainName("x0.y.octets.example."), type: "TXT", class: 1 }] });
    message[14] = octet;
    const expected = answerTo(message, ofOctets, "udp") ?? expect.fail();
    const text = `"${isUpper(octet) ? octet + 32 : octet}"`;
    expect([octet, linesOf(readMessage(expected).answers).join()]).toEqual([octet, expect.stringContaining(text)]);
    const context = { zones: { ...stored, known: { version: () => 1, find: found } } };
    const plain = answerFast(message, { transport: "udp", address: "192.0.2.1", version: 1 }, context);
    if (plain !== undefined) expect([octet, plain]).toEqual([octet, expected]);
    return plain === undefined;
  });
  expect(notPlain).toEqual([".".charCodeAt(0)]);
});

test.skipIf(isMissing("named"))("BIND answers them the same, or as the table says", async () => {
  const server = await useNameServer("bind", { zones: { "example.": file, "other.example.org.": other } });
  const messages = edges.map(([, message], id) => {
    const copy = Buffer.from(message);
    copy.writeUInt16BE(id, 0);
    return copy;
  });
  const theirs = await askAll(server, messages);
  expect(edges.map(([title], index) => [title, gist(theirs[index])])).toEqual(
    edges.map(([title, , expected, theirs]) => [title, theirs ?? expected]),
  );
});

test("answers and short datagrams are not answered", () => {
  expect(answerTo(writeMessage({ qr: true, questions: [www] }), zones, "udp")).toBeUndefined();
  expect(answerTo(Buffer.alloc(11), zones, "udp")).toBeUndefined();
});

test("an answer over TCP is complete", () => {
  expect(gist(answerTo(writeMessage({ questions: [many] }), zones, "tcp"))).toBe("NOERROR aa 60 answers");
});

test("names in a child zone served here are answered from it, except its DS (RFC 4035 §3.1.4.1)", () => {
  const child = readZone(
    "$ORIGIN sub.example.\n@ 300 IN SOA a. b. 1 2 3 4 5\n@ 300 IN NS ns1.example.\nx 300 IN A 192.0.2.7\n",
  );
  const both = new ZonesByName([zone, child].map(served));
  const ask = (name: string, type: string) =>
    gist(answerTo(writeMessage({ questions: [{ name: domainName(name), type, class: 1 }] }), both, "udp"));
  expect([ask("x.sub.example.", "A"), ask("sub.example.", "NS"), ask("sub.example.", "DS")]).toEqual([
    "NOERROR aa 1 answers",
    "NOERROR aa 1 answers",
    "NOERROR aa 1 answers",
  ]);
  const alone = new ZonesByName([served(child)]);
  expect(
    gist(
      answerTo(writeMessage({ questions: [{ name: domainName("sub.example."), type: "DS", class: 1 }] }), alone, "udp"),
    ),
  ).toBe("NOERROR aa SOA");
});

test("any octets get a valid answer or none, never an exception", () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 6 });
  const message = fc.constantFrom(...edges.map(([, message]) => message));
  const changed = fc.tuple(message, changes).map(([message, changes]) => {
    const octets = Buffer.from(message);
    for (const [at, octet] of changes) octets[at % octets.length] = octet;
    return octets;
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 100 }), changed), (octets) => {
      const found = answerTo(octets, zones, "udp");
      const plain = plainly(Buffer.from(octets));
      if (plain !== undefined) expect(plain).toEqual(found);
      if (found === undefined) return;
      expect(found.length).toBeLessThanOrEqual(1232);
      expect(readMessage(found)).toMatchObject({ id: Buffer.from(octets).readUInt16BE(0), qr: true });
    }),
    samples(3000),
  );
});

const isUpper = (octet: number) => octet >= 65 && octet <= 90;

/** The gist of an answer. */
function gist(octets: Buffer | undefined): string {
  if (octets === undefined) return "nothing";
  const { rcode, aa, tc, rd, cd, answers, authorities, edns, tsig } = readMessage(octets);
  const flags = Object.entries({ aa, tc, rd, cd }).filter(([, isSet]) => isSet);
  return [
    edns && rcode === 16 ? "BADVERS" : rcodeName(rcode),
    ...flags.map(([flag]) => flag),
    answers.length > 0 && !tc && `${answers.length} answers`,
    answers.length === 0 && !tc && authorities[0]?.type,
    edns && `edns ${edns.version}`,
    edns?.do && "do",
    edns && edns.options.length > 0 && "options",
    tsig && `tsig ${rcodeName(tsig.error)}`,
  ]
    .filter(Boolean)
    .join(" ");
}
