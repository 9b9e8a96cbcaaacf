import { type PlainNode, type PlainText, readPlainYaml } from "../diagnostics/plain-yaml.ts";
import type { Place } from "../diagnostics/problem.ts";
import type { SourceText } from "../diagnostics/source-text.ts";
import { mostTokens } from "../diagnostics/yaml-excess.ts";

/** The value of a file of settings, and the places of its parts. */
export interface PlainSettings {
  readonly value: unknown;
  readonly placeOf: (...path: (string | number)[]) => Place | undefined;
}

/** Reads a file like the YAML library; undefined for a file or scalar that only the library reads. */
export function readPlainSettings(source: SourceText): PlainSettings | undefined {
  const root = source.text.length <= mostTokens ? readPlainYaml(source)?.root : undefined;
  if (!root) return undefined;
  try {
    return { value: settingOf(root), placeOf: (...path) => nodeAt(root, path)?.at };
  } catch (error) {
    if (error === unusual) return undefined;
    throw error;
  }
}

/** Thrown at the first scalar whose value only the library knows. */
const unusual = new Error("a scalar that the YAML library has to read");

function settingOf(node: PlainNode): unknown {
  if (node.kind === "list") return node.items.map(settingOf);
  if (node.kind === "text") return scalarOf(node);
  return Object.fromEntries(
    node.entries.map(({ key, value }) => {
      if (key === "__proto__" || typeof wordOf(key) !== "string") throw unusual;
      return [key, settingOf(value)];
    }),
  );
}

function scalarOf({ text, start, verbatimAt }: PlainText): unknown {
  return verbatimAt === start ? wordOf(text) : text;
}

const words = new Map<string, boolean | null>([
  ...["~", "null", "Null", "NULL"].map((word) => [word, null] as const),
  ...["true", "True", "TRUE"].map((word) => [word, true] as const),
  ...["false", "False", "FALSE"].map((word) => [word, false] as const),
]);

/** A scalar without quotes in the core schema (YAML 1.2.2 §10.3.2). */
function wordOf(text: string): unknown {
  const word = words.get(text);
  if (word !== undefined) return word;
  if (!/^[-+]?[.\d]/.test(text)) return text;
  if (/^(?:0|[1-9]\d{0,14})$/.test(text)) return Number(text);
  if (/^[-+]?(?:\.[a-z]|0[ox])/i.test(text) || !Number.isNaN(Number(text.replaceAll("_", "")))) throw unusual;
  return text;
}

function nodeAt(node: PlainNode | undefined, [key, ...rest]: readonly (string | number)[]): PlainNode | undefined {
  if (key === undefined || node === undefined || node.kind === "text") return key === undefined ? node : undefined;
  if (node.kind === "list") return nodeAt(node.items[Number(key)], rest);
  return nodeAt(node.entries.find((entry) => entry.key === String(key))?.value, rest);
}
