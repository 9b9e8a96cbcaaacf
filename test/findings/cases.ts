import { readFileSync } from "node:fs";
import { resolve } from "node:path";

/** A record as it is written, with its owner as a full name in lower case. */
export interface CaseRecord {
  readonly zone: string;
  readonly owner: string;
  readonly ttl: number;
  readonly type: string;
  /** RDATA as text, with relative names. */
  readonly data: string;
  /** Whether a finding at its owner name is the expected one. */
  readonly isFaulty: boolean;
}

interface ZoneFile {
  /** Name without a final dot. */
  readonly name: string;
  readonly text: string;
  /** The record on each line; undefined for settings and directives. */
  readonly lines: readonly (CaseRecord | undefined)[];
}

export interface Case {
  readonly class: string;
  readonly title: string;
  readonly zones: readonly ZoneFile[];
  /** The records of the block, without those that each zone gets. */
  readonly records: readonly CaseRecord[];
  /** Whether the block has settings of zonewright, which other programs do not know. */
  readonly hasSettings: boolean;
}

/** Public keys as in `p=` of DKIM. Their private keys were not kept. */
const keys: Record<string, string> = {
  rsa512:
    "MFwwDQYJKoZIhvcNAQEBBQADSwAwSAJBAKZInfddY5hFo/caeAZMrnmfkEQ6mVT7eoB6sHTBbK+Lw3zaAX65dxt+AyakaqUCkL5lEY6XhTuJa3mO" +
    "qOD3vdkCAwEAAQ==",
  rsa1024:
    "MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQCfVv5QlYGAB5LSiKXuu1FYpZA2GXs0f0OtfXURvuWlNVRJI1vFdUUmtRRY5WPK5QtbIA0jzvl7" +
    "TISnFUcSgXB0VzY7wHp7bQd/mTAltEXwlD3VfmiES3JEE16yvGLs9rlG2E8Yp6UZUiWd9moB9U6mdZWKWW+LE72eADb3+ioc9QIDAQAB",
  rsa2048:
    "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA44fnpGFqEgsGKEwPa+GhUtLSNTextfApdPVJdSnm6ecHAOEZsY4NtCJ+EPraN3CHjITV" +
    "o2r8fMXqMNwEKC+QIW/PaapLo8UgztNl3HprgSc00qv0rn0Q4jxFqJxXrICkaBukeCc4Nbcf/adpYkN4YCKEIv0RM1dvlCnwhRZAdOs7/sXxoPlO" +
    "600YTeXJBe1THgf56wfczWQLEQpeB7LMsEOGbA59azb1n1ASt5Bejon+kSlqk80vGukR9CGIpeS+lZE0tTW+DxBW1fe1qR9pbT5gaPDY4PFl4n7n" +
    "YhdPLWdmQ4Z/zZ+T7Wal7o2L8OpCYVJEqD532V/VM1jhnPpy3QIDAQAB",
  ed25519: "sDsu6ILac509yDj6Pdi/lT6dmliRkXEeI1temmrKgks=",
};

const folder = resolve(import.meta.dirname, "../cases/findings");

/** The cases of a file; its first lines describe the format. */
export function readCases(file: "faulty.txt" | "odd.txt"): Case[] {
  const blocks = readFileSync(resolve(folder, file), "utf8").split(/^## /m).slice(1);
  return blocks.map((block) => readCase(block, file === "faulty.txt"));
}

/** Names a case in lists: class, and what is wrong. */
export function nameCase({ class: name, title }: Case): string {
  return `${name}: ${title}`;
}

function readCase(block: string, hasFault: boolean): Case {
  const [head = "", ...lines] = block
    .replace(/\n[ \t]+/g, " ")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const [, name = "", title = ""] = /^(\S+): (.*)$/.exec(head) ?? [];
  const texts = new Map<string, string[]>();
  let zone = "example.com";
  for (const line of lines) {
    const [, other] = /^;; zone (\S+)\.$/.exec(line) ?? [];
    if (other) zone = other;
    else texts.set(zone, [...(texts.get(zone) ?? []), line]);
  }
  const hasMarks = lines.some((line) => line.endsWith(";!"));
  const records: CaseRecord[] = [];
  const zones = [...texts].map(([zone, lines]) => {
    const read = lines.map((line) => {
      const record = readRecord(zone, line, hasFault && (hasMarks ? line.endsWith(";!") : records.length === 0));
      if (record) records.push(record);
      return { text: splitTexts(expand(line.replace(/ *;!$/, ""))), record };
    });
    return zoneFile(zone, read);
  });
  return { class: name, title, zones, records, hasSettings: lines.some((line) => line.startsWith(";@")) };
}

function zoneFile(name: string, lines: readonly { text: string; record: CaseRecord | undefined }[]): ZoneFile {
  const apex = `${name}.`;
  const has = (type: string) => lines.some(({ record }) => record?.type === type && record.owner === apex);
  const added = [
    ...(has("SOA") ? [] : ["@ SOA ns1.example.net. hostmaster.example.com. 1 14400 3600 1209600 3600"]),
    ...(has("NS") ? [] : ["@ NS ns1.example.net.", "@ NS ns2.example.net."]),
  ].map((text) => ({ text, record: readRecord(name, text, false) }));
  // BIND wants the SOA record first.
  const all = [...added, ...lines].sort((a, b) => Number(b.record?.type === "SOA") - Number(a.record?.type === "SOA"));
  const text = ["$TTL 3600", ...all.map(({ text }) => text), ""].join("\n");
  return { name, text, lines: [undefined, ...all.map(({ record }) => record)] };
}

function readRecord(zone: string, line: string, isFaulty: boolean): CaseRecord | undefined {
  const text = splitTexts(expand(line.replace(/ *;!$/, "")));
  const [, owner = "", ttl = "3600", type = "", data = ""] = /^([^;$]\S*) (?:(\d+) )?(\S+) (.*)$/.exec(text) ?? [];
  return owner === "" ? undefined : { zone, owner: absolute(owner, zone), ttl: Number(ttl), type, data, isFaulty };
}

/** The full name of a name in a zone file. */
export function absolute(name: string, zone: string): string {
  if (name === "@") return `${zone}.`;
  return (name.endsWith(".") ? name : `${name}.${zone}.`).toLowerCase();
}

/** Replaces {rsa2048} and the like. */
function expand(line: string): string {
  return line.replaceAll(/\{(\w+)(?::(\d+)(?::(\d+))?)?\}/g, (whole, word: string, a?: string, b?: string) => {
    if (a === undefined && keys[word] === undefined) return whole;
    if (word === "hex") return "0123456789abcdef".repeat(8).slice(0, 2 * Number(a));
    if (word === "x") return "x".repeat(Number(a));
    return keys[word]?.slice(Number(a ?? 0), b === undefined ? undefined : Number(b)) ?? whole;
  });
}

/** Splits strings that are longer than 255 octets. */
function splitTexts(line: string): string {
  return line.replaceAll(/"((?:[^"\\]|\\.){256,})"/g, (_, text: string) => {
    const parts = text.match(/(?:[^"\\]|\\.){1,250}/g) ?? [];
    return parts.map((part) => `"${part}"`).join(" ");
  });
}
