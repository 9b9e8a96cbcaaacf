import { escapeControl } from "../../diagnostics/escape.ts";
import { problemError } from "../../diagnostics/problem.ts";
import { Fault } from "../name/fault.ts";
import { type NameKey, nameKey, readExactName } from "../name/name.ts";
import { type AlgorithmName, algorithms, type Key } from "./tsig.ts";

/** A word, string or sign of BIND's configuration; lines and columns count from 1. */
export interface ConfigToken {
  readonly text: string;
  readonly kind: "word" | "string" | "sign" | "unclosed comment" | "unclosed string";
  readonly line: number;
  readonly column: number;
}

/**
 * The keys of a file: statements as in BIND's configuration, `key "name" { algorithm hmac-sha256; secret "…"; };`; a
 * section `key:` as in Knot's, which `keymgr -t` prints; or words of the form `name:hmac-sha256:secret`, or as dig and
 * kdig take them, `hmac-sha256:name:secret` and `name:secret` for HMAC-SHA256. Comments are those of BIND.
 * @throws {ProblemError} `tsig-key`, which never repeats a secret.
 */
export function readKeys(text: string, file: string): Key[] {
  const tokens = [...configTokens(text)];
  const keys = new Map<NameKey, Key>();
  let at = 0;
  let line = 1;
  const fail = (summary: string): never => {
    const fix =
      'Write key "name" { algorithm hmac-sha256; secret "…"; }; as `tsig-keygen` does, the section key: that `keymgr -t` prints, or hmac-sha256:name:secret in one word.';
    // Without a place: the text there may be the secret, and would be shown.
    throw problemError("tsig-key", `${escapeControl(file)}:${line}: ${summary}`, { fix });
  };
  const next = (): string => {
    const token = tokens[at++];
    line = token?.line ?? line;
    return token?.text ?? "";
  };
  const expect = (text: string) => next() === text || fail(`the key statement lacks a "${text}"`);
  const add = (key: KeyStatement) => {
    const read = readKey(key, fail);
    if (keys.has(nameKey(read.name))) fail(`the key "${escapeControl(read.name)}" is defined twice`);
    keys.set(nameKey(read.name), read);
  };
  while (at < tokens.length) {
    const word = next();
    if (word === "key") add(statement(next, expect, fail));
    else if (word === "key:")
      do add(section(next, () => tokens[at]?.text, fail));
      while (tokens[at]?.text === "-");
    else add(words(word) ?? fail(otherForm(text)));
  }
  if (keys.size === 0) fail("the file contains no key");
  return [...keys.values()];
}

/** The content of a file without a TSIG key, as far as it is known. */
function otherForm(text: string): string {
  const found = otherForms.find(([pattern]) => pattern.test(text))?.[1];
  return found ?? "neither a key statement nor name:algorithm:secret";
}

const otherForms: readonly (readonly [RegExp, string])[] = [
  [/^Private-key-format:/m, "a private key as dnssec-keygen writes it, without the name of a TSIG key"],
  [/^\S+(?:\s+\d+)?\s+IN\s+(?:DNS)?KEY\s/im, "a KEY record as dnssec-keygen writes it, not a TSIG key"],
  [/^-----BEGIN /m, "a key or certificate of TLS or SSH, not a TSIG key"],
];

interface KeyStatement {
  readonly name: string | undefined;
  readonly algorithm: string | undefined;
  readonly secret: string | undefined;
}

/** A key in one word; undefined if the word is none. */
function words(word: string): KeyStatement | undefined {
  const parts = word.split(":");
  const [first = "", second = "", secret] = parts;
  if (parts.includes("")) return undefined;
  if (parts.length === 2) return { name: first, algorithm: "hmac-sha256", secret: second };
  if (parts.length !== 3) return undefined;
  const isOfDig = isAlgorithm(algorithmName(first)) && !isAlgorithm(algorithmName(second));
  return isOfDig ? { name: second, algorithm: first, secret } : { name: first, algorithm: second, secret };
}

/** An entry of a section `key:` in Knot's configuration. */
function section(next: () => string, peek: () => string | undefined, fail: (summary: string) => never): KeyStatement {
  if (next() !== "-") fail('the section "key:" consists of entries that start with "- id:"');
  const settings = new Map<string, string>();
  while (peek()?.endsWith(":")) {
    const setting = next();
    if (!["id:", "algorithm:", "secret:", "comment:"].includes(setting) || settings.has(setting))
      fail("a key consists of an id, an algorithm and a secret only");
    settings.set(setting, next());
  }
  const [name, algorithm, secret] = ["id:", "algorithm:", "secret:"].map((setting) => settings.get(setting));
  return { name, algorithm, secret };
}

function statement(
  next: () => string,
  expect: (text: string) => unknown,
  fail: (summary: string) => never,
): KeyStatement {
  const name = next();
  expect("{");
  const clauses = new Map<string, string>();
  for (let word = next(); word !== "}"; word = next()) {
    if (word !== "algorithm" && word !== "secret") fail("a key statement consists of an algorithm and a secret only");
    clauses.set(word, next());
    expect(";");
  }
  expect(";");
  return { name, algorithm: clauses.get("algorithm"), secret: clauses.get("secret") };
}

function readKey({ name = "", algorithm = "", secret = "" }: KeyStatement, fail: (summary: string) => never): Key {
  const known = algorithmName(algorithm);
  if (!isAlgorithm(known)) return fail(`the algorithm is not one of ${Object.keys(algorithms).join(", ")}`);
  if (!/^(?:[\w+/-]{4})*(?:[\w+/-]{2}==|[\w+/-]{3}=)?$/.test(secret) || secret === "")
    return fail("the secret is not base64");
  return { name: keyName(name, fail), algorithm: known, secret: Buffer.from(secret, "base64") };
}

function keyName(text: string, fail: (summary: string) => never): NameKey {
  try {
    return nameKey(readExactName(text));
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return fail(`the name of the key is invalid: ${error.message}`);
  }
}

/** The name of an algorithm in key files, which BIND also writes as it is on the wire. */
function algorithmName(text: string): string {
  return text.toLowerCase().replace(/\.sig-alg\.reg\.int\.?$/, "");
}

function isAlgorithm(text: string): text is AlgorithmName {
  return Object.hasOwn(algorithms, text);
}

/**
 * The tokens of a file in the syntax of BIND's configuration; comments are skipped, strings have no quotes, and `\"` in
 * them is a quote. A string may have several lines.
 */
export function* configTokens(text: string): Generator<ConfigToken> {
  const pattern = /\n|#.*|\/\/.*|\/\*[\s\S]*?(\*\/|$)|"((?:[^"\\]|\\[\s\S])*)(?:\\?$|("))|([{};])|([^\s{};"]+)/g;
  let line = 1;
  let lineStart = 0;
  for (const { 0: whole, 1: commentEnd, 2: quoted, 3: quote, 4: sign, 5: word, index } of text.matchAll(pattern)) {
    const at = { line, column: index - lineStart + 1 };
    if (commentEnd === "") yield { text: "/*", kind: "unclosed comment", ...at };
    else if (quoted !== undefined)
      yield { text: quoted.replaceAll('\\"', '"'), kind: quote ? "string" : "unclosed string", ...at };
    else if (sign !== undefined) yield { text: sign, kind: "sign", ...at };
    else if (word !== undefined) yield { text: word, kind: "word", ...at };
    const newlines = whole.split("\n").length - 1;
    line += newlines;
    if (newlines > 0) lineStart = index + whole.lastIndexOf("\n") + 1;
  }
}
