import { Fault } from "../name/fault.ts";
import { checkDataLength, type FieldKind, quote } from "./field.ts";
import { type ParamKind, parameterFault, paramKinds, uint16s } from "./service-param.ts";
import type { TokenTable } from "./token-table.ts";

/** One parameter of a service binding: its key and its value as octets of the wire. */
export interface ServiceParam {
  readonly key: number;
  readonly value: string;
}

/** The parameters of SVCB and HTTPS records, in the order of their keys (RFC 9460 §2.1). */
export const serviceParams: FieldKind<readonly ServiceParam[]> = {
  json: "words",
  mayBeEmpty: true,
  read(tokens) {
    const params: ServiceParam[] = [];
    const ends = new Map<number, number>();
    while (!tokens.isAtEnd) {
      const param = readParam(tokens);
      params.push(param);
      ends.set(param.key, tokens.next);
    }
    return checkParams(
      params.sort((a, b) => a.key - b.key),
      (key) => {
        tokens.next = ends.get(key) ?? tokens.next;
      },
    );
  },
  format: (params) => params.map(formatParam).join(" "),
  decode(wire) {
    const params: ServiceParam[] = [];
    while (!wire.isAtEnd) params.push({ key: wire.uint(2), value: wire.take(wire.uint(2)) });
    if (params.some(({ key }, index) => key <= (params[index - 1]?.key ?? -1)))
      throw new Fault("rdata-wire", "the parameters in the RDATA are not in ascending order of their keys, each once");
    return checkParams(params);
  },
  encode(params, wire) {
    for (const { key, value } of params) {
      wire.uint(2, key);
      wire.uint(2, value.length);
      wire.octets(value);
    }
  },
};

function readParam(tokens: TokenTable): ServiceParam {
  const start = tokens.next;
  const word = tokens.unquoted("a parameter");
  const at = word.indexOf("=");
  const name = at === -1 ? word : word.slice(0, at);
  // A quoted value is a separate token directly after the equals sign.
  const isQuoted = at === word.length - 1 && tokens.isQuoted && tokens.starts[tokens.next] === tokens.endOf(start) + 1;
  const text = isQuoted ? tokens.octets() : at === -1 ? "" : octetsFrom(tokens, start, at + 1);
  const key = keyOf(name);
  const kind = /^key\d/.test(name) ? undefined : paramKinds[key];
  if (kind === undefined) return { key, value: text };
  const value = encodeValue(kind, text);
  if (value === undefined) throw invalidParam(kind);
  return { key, value };
}

function encodeValue(kind: ParamKind, text: string): string | undefined {
  try {
    return kind.encode(text, keyOf);
  } catch (error) {
    const isOfValue = error instanceof Fault && error.problem.id === "rdata-parameter";
    throw isOfValue ? parameterFault(error.message, adviseForm(kind)) : error;
  }
}

function invalidParam(kind: ParamKind): Fault {
  return parameterFault(`${kind.name} must be ${kind.about}`, adviseForm(kind));
}

function adviseForm(kind: ParamKind): string {
  return `Write ${exampleOf(kind)}.`;
}

function exampleOf({ name, example }: ParamKind): string {
  return example === undefined ? `\`${name}\`` : `a value such as \`${name}=${example}\``;
}

/** The text of an unquoted token from a position on. */
function octetsFrom(tokens: TokenTable, token: number, from: number): string {
  const { next } = tokens;
  const start = tokens.starts[token] ?? 0;
  tokens.next = token;
  tokens.starts[token] = start + from;
  const octets = tokens.octets();
  tokens.starts[token] = start;
  tokens.next = next;
  return octets;
}

function formatParam({ key, value }: ServiceParam): string {
  const name = keyName(key);
  const text = paramKinds[key]?.format?.(value, keyName) ?? (value === "" ? "" : quote(value));
  return text === "" ? name : `${name}=${text}`;
}

function keyOf(name: string): number {
  const number = /^key(0|[1-9]\d{0,4})$/.exec(name)?.[1];
  const key = number === undefined ? paramKinds.findIndex((kind) => kind.name === name) : Number(number);
  if (key >= 0 && key <= 65535) return key;
  throw parameterFault(`"${name}" is not a service parameter`);
}

function keyName(key: number): string {
  const kind = paramKinds[key];
  return kind?.format ? kind.name : `key${key}`;
}

/**
 * Checks parameters in the order of their keys. `goTo` is called with the key of the wrong one before an error.
 * @throws {Fault} for duplicate keys, missing mandatory keys, and keys that require `alpn`.
 */
function checkParams(params: readonly ServiceParam[], goTo?: (key: number) => void): readonly ServiceParam[] {
  for (const { key, value } of params) {
    const kind: ParamKind | undefined = paramKinds[key];
    if (kind?.isValid?.(value) === false) throw invalidParam(kind);
  }
  checkDataLength(params.map(({ value }) => `    ${value}`).join(""), "the list of parameters");
  const keys = new Set(params.map(({ key }) => key));
  const twice = params.find(({ key }, index) => params.findIndex((other) => other.key === key) < index);
  if (twice) {
    goTo?.(twice.key);
    throw parameterFault("a parameter occurs twice", `Keep one of the parameters "${keyName(twice.key)}".`);
  }
  const absent = uint16s(params.find(({ key }) => key === 0)?.value ?? "").find((key) => !keys.has(key));
  if (absent !== undefined) {
    goTo?.(0);
    const kind = paramKinds[absent];
    const form = kind ? exampleOf(kind) : `\`${keyName(absent)}\``;
    throw parameterFault(`${keyName(absent)} is mandatory but missing`, `Add ${form}, or remove it from mandatory.`);
  }
  if (keys.has(2) && !keys.has(1)) {
    goTo?.(2);
    throw parameterFault("no-default-alpn needs alpn", 'Add a value such as `alpn="h2,h3"`.');
  }
  return params;
}
