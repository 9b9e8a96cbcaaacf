import { addressOctets, readAddress4, readAddress6 } from "../name/address.ts";
import { Fault } from "../name/fault.ts";
import { quote } from "./field.ts";
import { WireReader } from "./wire-reader.ts";

/** A kind of service parameter: converts its value between text and wire octets, one character for each. */
export interface ParamKind {
  readonly name: string;
  /** Noun phrase that completes "must be …". */
  readonly about: string;
  /** A valid value as text; undefined for a parameter without one. */
  readonly example?: string;
  /**
   * The octets of a value from its text; undefined if it is invalid.
   * @throws {Fault} `rdata-parameter`
   */
  encode(text: string, keyOf: (name: string) => number): string | undefined;
  /** Whether the octets are a valid value. Without it, all are. */
  isValid?(octets: string): boolean;
  /**
   * The value as text, quoted if necessary; empty for parameters without a value. Without it, the parameter is written
   * as keyNNNNN with its octets, which programs read that do not know its name yet.
   */
  format?(octets: string, keyName: (key: number) => string): string;
}

const mandatory: ParamKind = {
  name: "mandatory",
  about: "a list of other keys, each once",
  example: "alpn",
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
  example: '"h2,h3"',
  encode: (text) => encodeEach(splitList(text)),
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

const withoutValue: Pick<ParamKind, "about" | "encode"> = {
  about: "without a value",
  encode: (text) => (text === "" ? text : undefined),
};

const noDefaultAlpn: ParamKind = {
  name: "no-default-alpn",
  ...withoutValue,
  isValid: (octets) => octets === "",
  format: () => "",
};

const port: ParamKind = {
  name: "port",
  about: "a whole number from 0 to 65535",
  example: "8443",
  encode: encodeNumber,
  isValid: (octets) => octets.length === 2,
  format: (octets) => uint16s(octets).join(""),
};

const ipv4hint: ParamKind = {
  name: "ipv4hint",
  about: "a list of IPv4 addresses",
  example: "192.0.2.1",
  encode: (text) =>
    text
      .split(",")
      .map((address) => addressOctets(readAddress4(address)))
      .join(""),
  isValid: (octets) => octets.length % 4 === 0 && octets !== "",
  format: (octets) => readEach(octets, (wire) => wire.address4()),
};

/** RFC 9848 §3. BIND, NSD and ldns read it without a value, too. */
const ech: ParamKind = {
  name: "ech",
  about: "a list of configurations in base64",
  example: "AAAA",
  encode(text) {
    const octets = Buffer.from(text, "base64");
    return octets.toString("base64") === text ? octets.toString("latin1") : undefined;
  },
  format: (octets) => Buffer.from(octets, "latin1").toString("base64"),
};

const ipv6hint: ParamKind = {
  name: "ipv6hint",
  about: "a list of IPv6 addresses",
  example: "2001:db8::1",
  encode: (text) =>
    text
      .split(",")
      .map((address) => addressOctets(readAddress6(address)))
      .join(""),
  isValid: (octets) => octets.length % 16 === 0 && octets !== "",
  format: (octets) => readEach(octets, (wire) => wire.address6()),
};

/** RFC 9461 §5: a template with the variable `dns` (RFC 6570 §2). */
const dohpath: ParamKind = {
  name: "dohpath",
  about: "a path with {?dns}",
  example: "/dns-query{?dns}",
  encode: (text) => text,
  isValid: (octets) => /\{[+#./;?&=,!@|]?(?:[^{},]*,)*dns(?::\d+|\*)?(?:,[^{}]*)?\}/.test(octets),
};

/** RFC 9540 §4 */
const ohttp: ParamKind = { name: "ohttp", ...withoutValue };

/** draft-ietf-tls-key-share-prediction §3.1 */
const tlsSupportedGroups: ParamKind = {
  name: "tls-supported-groups",
  about: "a list of numbers from 0 to 65535, each once",
  example: "29,23",
  encode: (text) => joinDistinct(text.split(",").map(encodeNumber)),
};

/** RFC 9953 §5: the segments of a path, none for the root. */
const docpath: ParamKind = {
  name: "docpath",
  about: "a list of path segments of 1 to 255 octets",
  example: '"dns,query"',
  encode: (text) => (text === "" ? "" : encodeEach(splitList(text))),
};

/** draft-ietf-intarea-proxy-config §2.1 */
const pvd: ParamKind = { name: "pvd", ...withoutValue };

/** draft-johani-dnsop-svcb-oots §2.2 */
const oots: ParamKind = {
  name: "oots",
  about: "a list of transports with their percentages, each once",
  example: '"do53:100,dot:10"',
  encode(text) {
    const pairs = splitList(text).map((pair) => /^([^:]{1,255}):(\d{1,3})$/.exec(pair));
    const names = pairs.map((pair) => encodeEach([pair?.[1] ?? ""]));
    const octets = pairs.map((pair, index) =>
      pair && Number(pair[2]) <= 100 ? `${names[index]}${String.fromCharCode(Number(pair[2]))}` : undefined,
    );
    return joinDistinct(names) === undefined ? undefined : joinDistinct(octets);
  },
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
  ohttp,
  tlsSupportedGroups,
  docpath,
  pvd,
  oots,
];

/** A decimal number up to 65535 in two octets. */
function encodeNumber(text: string): string | undefined {
  return /^\d{1,5}$/.test(text) && Number(text) < 65536 ? uint16(Number(text)) : undefined;
}

/** The items, each after an octet with its length; undefined if one is longer than 255 octets. */
function encodeEach(items: readonly string[]): string | undefined {
  return items.every(({ length }) => length <= 255)
    ? items.map((item) => String.fromCharCode(item.length) + item).join("")
    : undefined;
}

/** The items as one text; undefined if one is, or if one occurs twice. */
function joinDistinct(items: readonly (string | undefined)[]): string | undefined {
  return items.includes(undefined) || new Set(items).size < items.length ? undefined : items.join("");
}

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
export function parameterFault(
  summary: string,
  fix = 'Write parameters such as alpn="h2,h3" port=8443 ipv4hint=192.0.2.1.',
): Fault {
  return new Fault("rdata-parameter", summary, fix);
}
