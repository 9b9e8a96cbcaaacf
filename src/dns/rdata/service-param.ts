import { addressOctets, readAddress4, readAddress6 } from "../address.ts";
import { Fault } from "../fault.ts";
import { isUtf8 } from "../text.ts";
import { quote } from "./field.ts";
import { WireReader } from "./wire-reader.ts";

/** A kind of service parameter: converts its value between text and wire octets, one character for each. */
export interface ParamKind {
  readonly name: string;
  /** Whether it is written as keyNNNNN, although its name can be read. */
  readonly isNumbered?: boolean;
  /** Noun phrase that completes "must be …". */
  readonly about: string;
  /**
   * The octets of a value from its text.
   * @throws {Fault} `rdata-parameter`
   */
  encode(text: string, keyOf: (name: string) => number): string;
  /** Whether the octets are a valid value. */
  isValid(octets: string): boolean;
  /** The value as text, quoted if necessary; empty for parameters without a value. */
  format(octets: string, keyName: (key: number) => string): string;
}

const mandatory: ParamKind = {
  name: "mandatory",
  about: "a list of other keys, each once",
  encode: (text, keyOf) =>
    splitList(text)
      .map((name) => uint16(keyOf(name)))
      .sort()
      .join(""),
  isValid(octets) {
    const keys = uint16s(octets);
    return keys.length > 0 && octets.length % 2 === 0 && keys.every((key, index) => key > (keys[index - 1] ?? 0));
  },
  format: (octets, keyName) => uint16s(octets).map(keyName).join(","),
};

const alpn: ParamKind = {
  name: "alpn",
  about: "a list of protocol names of 1 to 255 octets",
  encode: (text) =>
    splitList(text)
      .map((id) => {
        if (id.length <= 255) return String.fromCharCode(id.length) + id;
        throw parameterFault("alpn contains a protocol name longer than 255 octets");
      })
      .join(""),
  isValid(octets) {
    let at = 0;
    while (at < octets.length && octets.charCodeAt(at) > 0) at += octets.charCodeAt(at) + 1;
    return at === octets.length && at > 0;
  },
  format(octets) {
    const wire = WireReader.ofData(octets);
    const ids: string[] = [];
    while (!wire.isAtEnd) ids.push(wire.shortText().replace(/[\\,]/g, "\\$&"));
    return quote(ids.join(",")).replaceAll(" ", "\\032"); // as BIND escapes them in lists, although quotes would suffice
  },
};

const noDefaultAlpn: ParamKind = {
  name: "no-default-alpn",
  about: "without a value",
  encode: (text) => text,
  isValid: (octets) => octets === "",
  format: () => "",
};

const port: ParamKind = {
  name: "port",
  about: "a whole number from 0 to 65535",
  encode: (text) => (/^\d{1,5}$/.test(text) && Number(text) < 65536 ? uint16(Number(text)) : text.slice(0, 1)),
  isValid: (octets) => octets.length === 2,
  format: (octets) => uint16s(octets).join(""),
};

const ipv4hint: ParamKind = {
  name: "ipv4hint",
  about: "a list of IPv4 addresses",
  encode: (text) =>
    text
      .split(",")
      .map((address) => addressOctets(readAddress4(address)))
      .join(""),
  isValid: (octets) => octets.length % 4 === 0 && octets !== "",
  format: (octets) => readEach(octets, (wire) => wire.address4()),
};

const ech: ParamKind = {
  name: "ech",
  about: "a list of configurations in base64",
  encode(text) {
    const octets = Buffer.from(text, "base64");
    return octets.toString("base64") === text ? octets.toString("latin1") : "";
  },
  isValid: (octets) => octets !== "",
  format: (octets) => Buffer.from(octets, "latin1").toString("base64"),
};

const ipv6hint: ParamKind = {
  name: "ipv6hint",
  about: "a list of IPv6 addresses",
  encode: (text) =>
    text
      .split(",")
      .map((address) => addressOctets(readAddress6(address)))
      .join(""),
  isValid: (octets) => octets.length % 16 === 0 && octets !== "",
  format: (octets) => readEach(octets, (wire) => wire.address6()),
};

/** RFC 9461 §5: a path with the variable `dns`. Written by number, which older programs can read. */
const dohpath: ParamKind = {
  name: "dohpath",
  isNumbered: true,
  about: "a path with {?dns}",
  encode: (text) => text,
  isValid: (octets) => /^\/.*\{[?&]?(?:[^{}]*,)?dns(?:,[^{}]*)?\}/s.test(octets) && isUtf8(octets),
  format: quote,
};

/** The kinds of parameter by their keys (RFC 9460 §14.3.2). Others are keyNNNNN with their octets as text. */
export const paramKinds: readonly ParamKind[] = [
  mandatory,
  alpn,
  noDefaultAlpn,
  port,
  ipv4hint,
  ech,
  ipv6hint,
  dohpath,
];

/** Splits a comma-separated list with escapes, without empty items (RFC 9460 appendix A.1). */
function splitList(text: string): string[] {
  const items: string[] = [];
  let item = "";
  for (let at = 0; at < text.length; at++) {
    if (text[at] === ",") {
      items.push(item);
      item = "";
    } else {
      if (text[at] === "\\" && ++at === text.length) throw parameterFault("a list ends with a backslash");
      item += text[at];
    }
  }
  items.push(item);
  if (items.includes("")) throw parameterFault("a list has an empty item");
  return items;
}

function readEach(octets: string, read: (wire: WireReader) => string): string {
  const wire = WireReader.ofData(octets);
  const items: string[] = [];
  while (!wire.isAtEnd) items.push(read(wire));
  return items.join(",");
}

/** The numbers of two octets each; a single last octet is skipped. */
export function uint16s(octets: string): number[] {
  const wire = WireReader.ofData(octets);
  return Array.from({ length: octets.length >> 1 }, () => wire.uint(2));
}

function uint16(value: number): string {
  return String.fromCharCode(value >> 8, value & 255);
}

/** The fault of a parameter. */
export function parameterFault(summary: string): Fault {
  return new Fault("rdata-parameter", summary, 'Write parameters such as alpn="h2,h3" port=8443 ipv4hint=192.0.2.1.');
}
