import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { rcode, rcodeName } from "../../../src/dns/transfer/codes.ts";
import { readMessage } from "../../../src/dns/transfer/message.ts";
import { type NewMessage, writeMessage } from "../../../src/dns/transfer/message-writer.ts";
import { AnswerSigner, AnswerVerifier } from "../../../src/dns/transfer/signed-answer.ts";
import {
  type AlgorithmName,
  algorithms,
  appendError,
  credentials,
  type Key,
  sign,
  timeOctets,
  tsigLength,
  verifyTsig,
} from "../../../src/dns/transfer/tsig.ts";
import { writeTsig } from "../../../src/dns/transfer/tsig-record.ts";
import { domainName } from "../../names.ts";

const names = Object.keys(algorithms) as AlgorithmName[];
const now = 1_700_000_000;
const secret = Buffer.from("a secret that two servers share");
const key: Key = { name: domainName("Key.example."), algorithm: "hmac-sha256", secret };
const question: NewMessage = { id: 7, questions: [{ name: domainName("example."), type: "AXFR", class: 1 }] };

/** The verdict of a server with these keys about the request. */
function judged(octets: Buffer, keys: readonly Key[] = [key], time = now) {
  const found = credentials(octets, readMessage(octets), keys, time);
  return found.kind === "refused" ? rcodeName(found.error) : found.kind;
}

describe.each(names)("%s", (algorithm) => {
  const mine: Key = { ...key, algorithm };

  test("signs with the announced number of bytes, and verifies", () => {
    const octets = writeMessage(question);
    const signed = sign(octets, mine, { time: now });
    expect(signed.mac.length).toBe(algorithms[algorithm].size);
    expect(signed.message.length).toBe(octets.length + tsigLength(mine));
    expect(judged(signed.message, [mine])).toBe("signed");
  });

  test("another algorithm with the same secret does not verify", () => {
    const { message } = sign(writeMessage(question), mine, { time: now });
    const others = names.filter((name) => name !== algorithm).map((algorithm) => ({ ...key, algorithm }));
    expect(judged(message, others)).toBe("BADKEY");
  });
});

describe("the server's verdict on a request", () => {
  const { message } = sign(writeMessage(question), key, { time: now });
  const changedAt = (at: number) => Buffer.from(message.map((octet, index) => (index === at ? octet ^ 1 : octet)));

  test.each<[string, string, Buffer, (readonly Key[])?, number?]>([
    ["no TSIG", "none", writeMessage(question)],
    ["a valid signature", "signed", message],
    ["a key in other letter case", "signed", message, [{ ...key, name: domainName("kEY.Example.") }]],
    ["one of several keys", "signed", message, [{ ...key, name: domainName("other.") }, key]],
    ["clocks that differ by the fudge", "signed", message, [key], now + 300],
    ["another id, which forwarders change", "signed", changedAt(1)],
    ["no such key", "BADKEY", message, []],
    ["a key of another name", "BADKEY", message, [{ ...key, name: domainName("other.") }]],
    ["another secret", "BADSIG", message, [{ ...key, secret: Buffer.from("another") }]],
    ["another question", "BADSIG", changedAt(13)],
    ["another flag", "BADSIG", changedAt(3)],
    ["another signature", "BADSIG", changedAt(message.length - 7)],
    ["too late", "BADTIME", message, [key], now + 301],
    ["too early", "BADTIME", message, [key], now - 301],
    ["too late, and the signature wrong too", "BADSIG", changedAt(13), [key], now + 301],
  ])("%s: %s", (_, expected, octets, keys, time) => {
    expect(judged(octets, keys, time)).toBe(expected);
  });

  test.each([
    [33, "FORMERR"],
    [31, "BADTRUNC"],
    [16, "BADTRUNC"],
    [15, "FORMERR"],
    [0, "FORMERR"],
  ])("a MAC of %i octets, where the algorithm has 32: %s", (length, expected) => {
    const octets = writeMessage(question);
    const { mac } = sign(octets, key, { time: now });
    const tsig = {
      key: key.name,
      algorithm: domainName("hmac-sha256."),
      time: now,
      fudge: 300,
      originalId: 7,
      error: 0,
      other: "",
    };
    const cut = Buffer.concat([octets, writeTsig({ ...tsig, mac: mac.padEnd(33, "x").slice(0, length) })]);
    cut.writeUInt16BE(1, 10);
    expect(judged(cut)).toBe(expected);
  });

  test("detects every changed byte except in the id and the spelling of names", () => {
    fc.assert(
      fc.property(fc.nat(message.length - 1), fc.integer({ min: 1, max: 255 }), (at, bits) => {
        const octets = Buffer.from(message.map((octet, index) => (index === at ? octet ^ bits : octet)));
        try {
          const isFree = at < 2 || (bits === 32 && at >= writeMessage(question).length);
          if (!isFree) expect(judged(octets)).not.toBe("signed");
        } catch (error) {
          expect(String(error)).toContain("the DNS message is invalid");
        }
      }),
    );
  });
});

/** The verdict of a receiver that asked with the key, about an answer in these messages. */
function received(messages: readonly Buffer[], requestMac: string, time = now): string {
  const verifier = new AnswerVerifier(key, requestMac, () => time);
  try {
    for (const message of messages) verifier.take(message, readMessage(message));
    verifier.end();
    return "holds";
  } catch (error) {
    return error instanceof Error ? error.message : "";
  }
}

describe("an answer of several messages", () => {
  const request = sign(writeMessage(question), key, { time: now });
  const plain = Array.from({ length: 205 }, (_, id) => writeMessage({ ...question, id, qr: true }));

  /** The answer, in which only these messages have a TSIG. */
  function answer(isSigned: (index: number) => boolean, messages = plain): Buffer[] {
    const unsigned: Buffer[] = [];
    let mac = request.mac;
    return messages.map((message, index) => {
      if (!isSigned(index)) {
        unsigned.push(message);
        return message;
      }
      const signed = sign(message, key, {
        time: now,
        prior: { mac, unsigned: [...unsigned], isSameAnswer: index > 0 },
      });
      unsigned.length = 0;
      mac = signed.mac;
      return signed.message;
    });
  }

  const all = answer(() => true);
  const noSuch = "the response is not signed with the TSIG key";

  test.each<[string, Buffer[], string]>([
    ["all signed", all, "holds"],
    ["one message", all.slice(0, 1), "holds"],
    ["every second", answer((index) => index % 2 === 0), "holds"],
    ["every hundredth", answer((index) => index % 100 === 0 || index === 204), "holds"],
    ["each 101st", answer((index) => index % 101 === 0), "100 messages of the response in a row are not signed"],
    ["not the first", answer((index) => index > 0), noSuch],
    ["not the last", answer((index) => index < 204), "the last message of the response is not signed"],
    ["none", plain, noSuch],
    ["one left out", all.toSpliced(3, 1), "the TSIG of the response is invalid (BADSIG)"],
    [
      "two exchanged",
      [all[0], all[2], all[1]].filter((one) => one !== undefined),
      "the TSIG of the response is invalid (BADSIG)",
    ],
    [
      "an unsigned message inserted",
      all.toSpliced(3, 0, plain[9] ?? Buffer.of()),
      "the TSIG of the response is invalid (BADSIG)",
    ],
    [
      "an unsigned message removed",
      answer((index) => index % 2 === 0).toSpliced(3, 1),
      "the TSIG of the response is invalid (BADSIG)",
    ],
  ])("%s", (_, messages, expected) => {
    expect(received(messages, request.mac)).toBe(expected);
  });

  test("accepts our own messages, each signed", () => {
    const signer = new AnswerSigner(key, { mac: request.mac }, () => now);
    expect(
      received(
        plain.map((message) => signer.sign(message)),
        request.mac,
      ),
    ).toBe("holds");
  });

  test("rejects the answer to another request", () => {
    const other = sign(writeMessage({ ...question, id: 8 }), key, { time: now });
    expect(received(all, other.mac)).toBe("the TSIG of the response is invalid (BADSIG)");
  });

  test("reports a clock that is far behind", () => {
    expect(received(all, request.mac, now - 301)).toBe("the TSIG of the response is invalid (BADTIME)");
  });
});

describe("TSIG errors from the server", () => {
  const request = sign(writeMessage(question), key, { time: now });
  const { tsig } = readMessage(request.message);
  const refusal = writeMessage({ ...question, qr: true, rcode: rcode.NOTAUTH });

  test.each([
    [rcode.BADKEY, "the server rejected the TSIG (BADKEY)"],
    [rcode.BADSIG, "the server rejected the TSIG (BADSIG)"],
  ])("does not sign %i", (error, expected) => {
    const octets = appendError(refusal, tsig ?? expect.fail(), error);
    expect(readMessage(octets).tsig).toMatchObject({ mac: "", error, originalId: 7 });
    expect(received([octets], request.mac)).toBe(expected);
  });

  test("signs BADTIME with the server's time", () => {
    const other = timeOctets(now + 1000);
    const prior = { mac: request.mac };
    const { message } = sign(refusal, key, { time: now, prior, error: rcode.BADTIME, other });
    expect(readMessage(message).tsig?.other).toBe("\0\0\x65\x53\xf4\xe8");
    expect(received([message], request.mac)).toBe(
      "the server rejected the TSIG (BADTIME); its clock says 2023-11-14T22:30:00.000Z",
    );
  });
});

test("verify compares name and algorithm before the signature", () => {
  const { message } = sign(writeMessage(question), key, { time: now });
  const tsig = readMessage(message).tsig ?? expect.fail();
  expect(verifyTsig(message, tsig, { ...key, name: domainName("other.") }, { time: now })).toBe(rcode.BADKEY);
  expect(verifyTsig(message, tsig, key, { time: now })).toBeUndefined();
});
