import type { YamlNode } from "../yaml/tree.ts";

/** A plain scalar that PyYAML reads as something else than its text. */
export interface PyYamlScalar {
  /** The value in words, as in a message. */
  readonly shown: string;
  /** Its text in Python, which octoDNS uses for names and fields; undefined for a time, of which it uses nothing. */
  readonly text: string | undefined;
  /** Its integer in Python, which octoDNS uses for TTLs and numbers; undefined if there is none. */
  readonly integer: string | undefined;
}

/** The patterns of PyYAML's resolver for YAML 1.1, in its order. */
const patterns: readonly (readonly [pattern: RegExp, read: (text: string) => PyYamlScalar | undefined])[] = [
  [/^(?:[Yy]es|YES|[Tt]rue|TRUE|[Oo]n|ON)$/, () => ({ shown: "true", text: "True", integer: "1" })],
  [/^(?:[Nn]o|NO|[Ff]alse|FALSE|[Oo]ff|OFF)$/, () => ({ shown: "false", text: "False", integer: "0" })],
  [
    /^(?:[-+]?\d[\d_]*\.[\d_]*(?:[eE][-+]\d+)?|\.\d[\d_]*(?:[eE][-+]\d+)?|[-+]?\d[\d_]*(?::[0-5]?\d)+\.[\d_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/,
    readFloat,
  ],
  [
    /^(?:[-+]?0b[01_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][\d_]*)|[-+]?0x[\da-fA-F_]+|[-+]?[1-9][\d_]*(?::[0-5]?\d)+)$/,
    readInteger,
  ],
  [/^(?:~|[Nn]ull|NULL)$/, () => ({ shown: "null", text: "None", integer: undefined })],
  [/^\d{4}-\d\d-\d\d$/, (text) => ({ shown: "a date", text, integer: undefined })],
  [
    /^\d{4}-\d\d?-\d\d?(?:[Tt]|[ \t]+)\d\d?:\d\d:\d\d(?:\.\d*)?(?:[ \t]*(?:Z|[-+]\d\d?(?::?\d\d)?))?$/,
    () => ({ shown: "a time", text: undefined, integer: undefined }),
  ],
];

/** Reads a plain scalar as PyYAML does; undefined for a text. */
export function readScalar(text: string): PyYamlScalar | undefined {
  for (const [pattern, read] of patterns) if (pattern.test(text)) return read(text);
  return undefined;
}

/** Reads an integer: decimal, octal after `0`, binary, hexadecimal, or of base 60. */
function readInteger(written: string): PyYamlScalar | undefined {
  const sign = signOf(written);
  const digits = written.replaceAll(/_|^[-+]/g, "");
  const number = /^0[bx]$/.test(digits)
    ? undefined
    : digits.includes(":")
      ? digits.split(":").reduce((sum, part) => sum * 60n + BigInt(part), 0n)
      : BigInt(digits.replace(/^0(?=[0-7]+$)/, "0o"));
  if (number === undefined) return undefined;
  const text = `${sign * number}`;
  return { shown: text, text, integer: text };
}

function readFloat(written: string): PyYamlScalar {
  const sign = written.startsWith("-") ? -1 : 1;
  const digits = written.replaceAll(/_|^[-+]/g, "").toLowerCase();
  const parts = digits.split(":").map(Number);
  const number = digits === ".inf" ? Number.POSITIVE_INFINITY : parts.reduce((sum, part) => sum * 60 + part, 0);
  const value = sign * number;
  const text = floatText(value);
  return { shown: text, text, integer: Number.isFinite(value) ? `${BigInt(Math.trunc(value))}` : undefined };
}

/** A float as Python prints it. */
function floatText(value: number): string {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value < 0 ? "-inf" : "inf";
  const [digits = "", exponent = ""] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 16) return `${digits}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  const text = Object.is(value, -0) ? "-0" : String(value);
  return text.includes(".") ? text : `${text}.0`;
}

/** The warning about a scalar that is not its text in YAML 1.1, or not in any version of YAML. */
export function describeScalar(text: string, { shown }: PyYamlScalar): string {
  const in12 = readCoreSchema(text) ?? `"${text}"`;
  return in12 === shown
    ? `${text} is ${shown} in YAML, not the text "${text}"`
    : `${text} is ${shown} in YAML 1.1, which octoDNS reads, and ${in12} in YAML 1.2`;
}

/** The warning about a text of YAML 1.1 that is a number in YAML 1.2, or that PyYAML refuses; undefined for others. */
export function describeText(text: string): string | undefined {
  if (text === "=" || text === "<<") return `${text} is no text in YAML 1.1, and octoDNS refuses the file`;
  const in12 = readCoreSchema(text);
  return in12 === undefined
    ? undefined
    : `${text} is the text "${text}" in YAML 1.1, which octoDNS reads, and ${in12} in YAML 1.2`;
}

/** The value of a scalar in the core schema of YAML 1.2 (§10.3.2), in words; undefined for a text. */
function readCoreSchema(text: string): string | undefined {
  if (/^(?:~|null|Null|NULL)$/.test(text)) return "null";
  if (/^(?:true|True|TRUE|false|False|FALSE)$/.test(text)) return text.toLowerCase();
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+)$/.test(text))
    return String(BigInt(text.replace(/^[-+]/, "")) * signOf(text));
  const isFloat = /^(?:[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(
    text,
  );
  return isFloat ? readFloat(text).shown : undefined;
}

function signOf(text: string): bigint {
  return text.startsWith("-") ? -1n : 1n;
}

/** Whether a scalar is written without quotes and without the tag of a text. */
export function isPlain({ start, end }: Pick<YamlNode, "start" | "end">, source: string): boolean {
  const before = source.slice(Math.max(0, start - 40), start);
  return end > start && !/["'|>]/.test(source.charAt(start)) && !/!(?:!str)?[ \t]+(?:&\S+[ \t]+)?$/.test(before);
}
