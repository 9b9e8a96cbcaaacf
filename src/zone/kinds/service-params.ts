import { readAddress4, readAddress6 } from "../address.ts";
import { Fault } from "../fault.ts";
import { type FieldKind, quote } from "../field.ts";
import type { TokenTable } from "../token-table.ts";
import { WireReader } from "../wire-reader.ts";

/** One parameter of a service binding: its key and its value as octets of the wire. */
export interface ServiceParam {
  readonly key: number;
  readonly value: string;
}

/** The parameters of SVCB and HTTPS records, in the order of their keys (RFC 9460 §2.1). */
export const serviceParams: FieldKind<readonly ServiceParam[]> = {
  json: "texts",
  mayBeEmpty: true,
  read(tokens) {
    const params: ServiceParam[] = [];
    while (!tokens.isAtEnd) params.push(readParam(tokens));
    return checked(params.sort((a, b) => a.key - b.key));
  },
  format: (params) => params.map(formatParam).join(" "),
  decode(wire) {
    const params: ServiceParam[] = [];
    while (!wire.isAtEnd) params.push({ key: wire.uint(2), value: wire.take(wire.uint(2)) });
    return checked(params);
  },
};

interface ParamKind {
  readonly name: string;
  /** The value's octets from the decoded text. */
  encode(text: string): string;
  /** The value as it is written, with quotes where it needs them. */
  format(octets: string): string;
}

const none: ParamKind = {
  name: "no-default-alpn",
  encode(text) {
    if (text !== "") throw wrong("no-default-alpn takes no value");
    return "";
  },
  format: () => "",
};

/** RFC 9460 §7 and §14.3.2. Other keys are keyNNNNN with their octets as a text. */
const kinds: readonly ParamKind[] = [
  {
    name: "mandatory",
    encode: (text) =>
      splitList(text)
        .map((name) => uint16(keyOf(name)))
        .sort()
        .join(""),
    format: (octets) => pairs(octets).map(keyName).join(","),
  },
  {
    name: "alpn",
    encode: (text) =>
      splitList(text)
        .map((id) => {
          if (id === "" || id.length > 255) throw wrong("alpn holds protocol names of 1 to 255 octets");
          return String.fromCharCode(id.length) + id;
        })
        .join(""),
    format: (octets) =>
      quote(
        shortTexts(octets)
          .map((id) => id.replace(/[\\,]/g, "\\$&"))
          .join(","),
      ),
  },
  none,
  {
    name: "port",
    encode(text) {
      if (!/^\d{1,5}$/.test(text) || Number(text) > 65535) throw wrong("port is not a whole number from 0 to 65535");
      return uint16(Number(text));
    },
    format: (octets) => String(new WireReader(octets).uint(2)),
  },
  {
    name: "ipv4hint",
    encode: (text) => addresses(text, readAddress4, (address) => address.split(".").map(Number)),
    format: (octets) => each(octets, 4, (wire) => wire.address4()),
  },
  {
    name: "ech",
    encode(text) {
      const octets = Buffer.from(text, "base64");
      if (text === "" || octets.toString("base64") !== text) throw wrong("ech is not base64");
      return octets.toString("latin1");
    },
    format: (octets) => Buffer.from(octets, "latin1").toString("base64"),
  },
  {
    name: "ipv6hint",
    encode: (text) => addresses(text, readAddress6, octets6),
    format: (octets) => each(octets, 16, (wire) => wire.address6()),
  },
];

function readParam(tokens: TokenTable): ServiceParam {
  const end = tokens.ends[tokens.next];
  const word = tokens.unquoted("a parameter");
  const at = word.indexOf("=");
  const name = at === -1 ? word : word.slice(0, at);
  // A quoted value is a token of its own that starts right behind the sign.
  const isQuoted =
    at === word.length - 1 && !tokens.isAtEnd && tokens.isQuoted && tokens.starts[tokens.next] === (end ?? 0) + 1;
  const text = isQuoted ? tokens.octets() : at === -1 ? "" : unescaped(word.slice(at + 1));
  const key = keyOf(name.toLowerCase());
  return { key, value: kinds[key]?.encode(text) ?? text };
}

function formatParam({ key, value }: ServiceParam): string {
  const kind = kinds[key];
  if (kind === none) return kind.name;
  if (kind) return `${kind.name}=${kind.format(value)}`;
  return value === "" ? keyName(key) : `${keyName(key)}=${quote(value)}`;
}

function keyOf(name: string): number {
  const number = /^key(\d{1,5})$/.exec(name)?.[1];
  const known: Readonly<Record<string, number>> = { dohpath: 7, ohttp: 8 };
  const index = kinds.findIndex((kind) => kind.name === name);
  const key = index >= 0 ? index : (known[name] ?? (number === undefined ? -1 : Number(number)));
  if (key >= 0 && key < 65535) return key;
  throw wrong(`${name} is no parameter of a service`);
}

function keyName(key: number): string {
  return kinds[key]?.name ?? `key${key}`;
}

/** @throws {Fault} for a key that is there twice, a mandatory key that is not there, and what only goes with `alpn`. */
function checked(params: readonly ServiceParam[]): readonly ServiceParam[] {
  const keys = new Set(params.map(({ key }) => key));
  if (keys.size < params.length) throw wrong("a parameter is there twice");
  const mandatory = pairs(params.find(({ key }) => key === 0)?.value ?? "");
  if (mandatory.some((key, index) => key === 0 || mandatory.indexOf(key) < index))
    throw wrong("mandatory names itself, or a key twice");
  const absent = mandatory.find((key) => !keys.has(key));
  if (absent !== undefined) throw wrong(`${keyName(absent)} is mandatory but not there`);
  if (keys.has(2) && !keys.has(1)) throw wrong("no-default-alpn goes with alpn");
  return params;
}

/** A comma-separated list with its own escapes (RFC 9460 appendix A.1). */
function splitList(text: string): string[] {
  const items = [...text.matchAll(/((?:\\.|[^,\\])*)(,|$)/gs)].slice(0, text === "" ? 1 : undefined);
  const last = items.at(-1);
  if (items.length > 1 && last?.[0] === "" && items.at(-2)?.[2] === "") items.pop();
  return items.map(([, item = ""]) => item.replace(/\\(.)/gs, "$1"));
}

function unescaped(raw: string): string {
  return raw.replace(/\\(?:(\d{3})|(.))/gs, (_, code, character) =>
    code ? String.fromCharCode(Number(code)) : character,
  );
}

function addresses(text: string, read: (text: string) => string, octets: (address: string) => number[]): string {
  return text
    .split(",")
    .flatMap((address) => octets(read(address)))
    .map((octet) => String.fromCharCode(octet))
    .join("");
}

function octets6(address: string): number[] {
  const full = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = full.split("::");
  const words = (half: string) => (half === "" ? [] : half.split(":").map((word) => Number.parseInt(word, 16)));
  const [before, after] = [words(head), words(tail ?? "")];
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => 0), ...after];
  return all.flatMap((word) => [word >> 8, word & 255]);
}

function each(octets: string, size: number, read: (wire: WireReader) => string): string {
  const wire = new WireReader(octets);
  const items: string[] = [];
  for (let left = octets.length; left >= size; left -= size) items.push(read(wire));
  return items.join(",");
}

function pairs(octets: string): number[] {
  const wire = new WireReader(octets);
  return Array.from({ length: octets.length >> 1 }, () => wire.uint(2));
}

function shortTexts(octets: string): string[] {
  const wire = new WireReader(octets);
  const texts: string[] = [];
  while (!wire.isAtEnd) texts.push(wire.shortText());
  return texts;
}

function uint16(value: number): string {
  return String.fromCharCode(value >> 8, value & 255);
}

function wrong(summary: string): Fault {
  return new Fault("rdata-parameter", summary, 'Write parameters such as alpn="h2,h3" port=8443 ipv4hint=192.0.2.1.');
}
