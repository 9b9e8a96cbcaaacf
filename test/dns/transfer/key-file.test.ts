import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { ProblemError } from "../../../src/diagnostics/problem.ts";
import { readKeys } from "../../../src/dns/transfer/key-file.ts";
import { isMissing } from "../../judges.ts";

const good = 'key "a" { algorithm hmac-sha256; secret "c2VjcmV0"; };';

/** Name, algorithm and secret of each key, or where and why there is none. */
function read(text: string): string[] {
  try {
    return readKeys(text, "keys.conf").map(
      ({ name, algorithm, secret }) => `${name} ${algorithm} ${Buffer.from(secret)}`,
    );
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    expect(JSON.stringify(error.problems)).not.toMatch(/c2VjcmV0|plain-secret/);
    expect(error.problems.map(({ id: rule, place: at }) => [rule, at])).toEqual([["tsig-key", undefined]]);
    return error.problems.map(({ summary }) => summary);
  }
}

test.each<[string, string[]]>([
  [good, ["a. hmac-sha256 secret"]],
  ["key X.Example.NET. {\n\tsecret c2VjcmV0;\n\talgorithm HMAC-SHA512;\n};", ["x.example.net. hmac-sha512 secret"]],
  ['key a { algorithm hmac-md5.sig-alg.reg.int; secret "c2VjcmV0"; };', ["a. hmac-md5 secret"]],
  [
    "// one\n# two\n/* three\n four */ a:hmac-sha256:c2VjcmV0 // five\nb.example:hmac-sha1:c2VjcmV0\n",
    ["a. hmac-sha256 secret", "b.example. hmac-sha1 secret"],
  ],
  [`${good}\nb:hmac-sha256:c2VjcmV0`, ["a. hmac-sha256 secret", "b. hmac-sha256 secret"]],
  [
    "# hmac-sha384:a:c2VjcmV0\nkey:\n  - id: a\n    algorithm: hmac-sha384\n    secret: c2VjcmV0\n",
    ["a. hmac-sha384 secret"],
  ],
  [
    `key:\n  - id: "B.example."\n    comment: "two words"\n    secret: "c2VjcmV0"\n    algorithm: hmac-sha1\n  - id: c\n    algorithm: hmac-md5\n    secret: c2VjcmV0\nd:c2VjcmV0`,
    ["b.example. hmac-sha1 secret", "c. hmac-md5 secret", "d. hmac-sha256 secret"],
  ],
  ["key:\n  id: a\n", ['keys.conf:2: the section "key:" consists of entries that start with "- id:"']],
  [
    "key:\n  - id: a\n    algorithm: hmac-sha256\n    file: x\n",
    ["keys.conf:4: a key consists of an id, an algorithm and a secret only"],
  ],
  ["key:\n  - id: a\n    algorithm: hmac-sha256\n", ["keys.conf:3: the secret is not base64"]],
  ["key:\n  - id: a\n    secret: c2VjcmV0\n", [expect.stringMatching(/^keys.conf:3: the algorithm is not one of/)]],
  ["hmac-sha512:a:c2VjcmV0", ["a. hmac-sha512 secret"]],
  ["hmac-sha1:hmac-sha512:c2VjcmV0", ["hmac-sha1. hmac-sha512 secret"]],
  ["a:c2VjcmV0", ["a. hmac-sha256 secret"]],
  ["a::c2VjcmV0", ["keys.conf:1: neither a key statement nor name:algorithm:secret"]],
  ["", ["keys.conf:1: the file contains no key"]],
  [`${good}\n${good}`, ['keys.conf:2: the key "a." is defined twice']],
  [
    "\n\nkey a { algorithm hmac-sha3; secret c2VjcmV0; };",
    [
      "keys.conf:3: the algorithm is not one of hmac-md5, hmac-sha1, hmac-sha224, hmac-sha256, hmac-sha256-128, hmac-sha384, hmac-sha384-192, hmac-sha512, hmac-sha512-256",
    ],
  ],
  ['key a { algorithm hmac-sha256; secret "plain-secret!"; };', ["keys.conf:1: the secret is not base64"]],
  ["key a { algorithm hmac-sha256; };", ["keys.conf:1: the secret is not base64"]],
  [
    "key a..b { algorithm hmac-sha256; secret c2VjcmV0; };",
    ["keys.conf:1: the name of the key is invalid: the name has an empty label"],
  ],
  ['key a { algorithm hmac-sha256; secret "c2VjcmV0; };', ['keys.conf:1: the key statement lacks a ";"']],
  ["key a { algorithm hmac-sha256; secret c2VjcmV0; }", ['keys.conf:1: the key statement lacks a ";"']],
  ["key a {", ["keys.conf:1: a key statement consists of an algorithm and a secret only"]],
  [
    "Private-key-format: v1.3\nAlgorithm: 163 (HMAC_SHA256)\nKey: c2VjcmV0\n",
    ["keys.conf:1: a private key as dnssec-keygen writes it, without the name of a TSIG key"],
  ],
  ["office. IN KEY 512 3 163 c2VjcmV0\n", ["keys.conf:1: a KEY record as dnssec-keygen writes it, not a TSIG key"]],
  [
    "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----\n",
    ["keys.conf:1: a key or certificate of TLS or SSH, not a TSIG key"],
  ],
  ["options { };", ["keys.conf:1: neither a key statement nor name:algorithm:secret"]],
])("%j", (text, expected) => {
  expect(read(text)).toEqual(expected);
});

test.skipIf(isMissing("knotd"))("reads the output of keymgr", () => {
  const { stdout } = spawnSync("keymgr", ["-t", "transfer.example.net", "hmac-sha384"], { encoding: "utf8" });
  const [key] = readKeys(stdout, "keys.conf");
  expect(key).toMatchObject({ name: "transfer.example.net.", algorithm: "hmac-sha384" });
  expect(stdout).toContain(`secret: ${Buffer.from(key?.secret ?? []).toString("base64")}`);
});

test.skipIf(isMissing("tsig-keygen"))("reads the output of tsig-keygen", () => {
  const { stdout } = spawnSync("tsig-keygen", ["-a", "hmac-sha384", "transfer.example.net"], { encoding: "utf8" });
  const [key] = readKeys(stdout, "keys.conf");
  expect(key).toMatchObject({ name: "transfer.example.net.", algorithm: "hmac-sha384" });
  expect(stdout).toContain(Buffer.from(key?.secret ?? []).toString("base64"));
});
