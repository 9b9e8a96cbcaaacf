import type { Document, Node } from "yaml";
import * as z from "zod";
import { nearest } from "../diagnostics/nearest.ts";
import { type Place, type Problem, ProblemError, problem, problemError } from "../diagnostics/problem.ts";
import { decodeText, findConflict, SourceText } from "../diagnostics/source-text.ts";
import { findYamlExcess } from "../diagnostics/yaml-excess.ts";
import { explainYamlFault } from "../diagnostics/yaml-message.ts";
import { yamlLibrary } from "../lazy-packages.ts";
import { readPlainSettings } from "./plain-settings.ts";
import { configKinds, kindNames, secretOf, secretVariable } from "./target-kinds.ts";

export interface ReadSettings<T> {
  readonly value: T;
  /** Path of a setting, such as `defaults`, `soa_email`. */
  readonly placeOf: (...path: (string | number)[]) => Place | undefined;
}

interface SettingsFormat<T> {
  readonly schema: z.ZodType<T>;
  /** The value of an empty file. */
  readonly empty: unknown;
  /**
   * Finds what the schema cannot see, in a file that may have any other error. `params.fix` of an issue is the fix, or
   * a function that finds it once the issue is reported.
   */
  readonly check?: (value: unknown) => readonly z.core.$ZodIssue[];
}

/**
 * Reads a YAML file of settings; an empty one is `empty`.
 * @throws {ProblemError} that names the wrong keys and values, up to 200, with their places.
 */
export function readSettings<T>(
  file: string,
  content: string | Uint8Array,
  { schema, empty, check = () => [] }: SettingsFormat<T>,
): ReadSettings<T> {
  const { text, undecodable } =
    typeof content === "string" ? { text: content, undecodable: undefined } : decodeText(content);
  const source = new SourceText(file, text);
  if (undecodable !== undefined) {
    const summary = "the file is not valid UTF-8 from this character on";
    const at = source.place(undecodable);
    throw problemError("encoding", summary, { place: at, fix: "Save it as UTF-8." });
  }
  // The library reads and explains files with mistakes.
  const plain = text === "" ? { value: empty, placeOf: () => undefined } : readPlainSettings(source);
  const read = plain && schema.safeParse(plain.value);
  if (plain && read?.success && check(plain.value).length === 0) return { value: read.data, placeOf: plain.placeOf };
  const conflict = findConflict(source);
  if (conflict) throw new ProblemError(conflict);
  const excess = findYamlExcess(text);
  if (excess) {
    const { at, summary, fix } = excess;
    throw problemError("config-syntax", `invalid YAML: ${summary}`, { place: source.place(at), fix });
  }
  const document = yamlLibrary().parseDocument(text, { uniqueKeys: false, logLevel: "error" });
  const syntax = [...syntaxFaults(document, source), ...findMisuse(document, source)];
  if (syntax.length > 0) throw new ProblemError(explainFirst(syntax));
  const value = values(document, source) ?? empty;
  const parsed = schema.safeParse(value);
  const found = [...(parsed.error?.issues ?? []), ...check(value)];
  if (parsed.success && found.length === 0)
    return { value: parsed.data, placeOf: (...path) => placeOf(document.getIn(path, true), source) };
  const issues = new Map(found.map((issue) => [JSON.stringify([issue.path, issue.message]), issue]));
  const faults = [...issues.values()].flatMap((issue) =>
    findFaults(issue, document, source, (path) => schemaAt(schema, path, value)),
  );
  throw new ProblemError(explainFirst(faults));
}

/** Maximum number of reported problems of a file, whose explanations take time. */
const mostProblems = 200;

/** The first problems in the order of the file; further ones are counted. */
function explainFirst(faults: readonly SettingFault[]): Problem[] {
  const sorted = faults.toSorted(({ place: a }, { place: b }) => a.line - b.line || a.column - b.column);
  const problems = sorted.slice(0, mostProblems).map(({ explain }) => explain());
  const omitted = sorted[mostProblems];
  if (omitted === undefined) return problems;
  const summary = `only the first ${mostProblems} of ${sorted.length} problems are shown`;
  return [...problems, problem("too-many-errors", summary, { place: omitted.place, fix: "Fix these first." })];
}

/** A problem that is not explained yet. */
interface SettingFault {
  readonly place: Place;
  readonly explain: () => Problem;
}

function syntaxFaults({ errors }: Document.Parsed, source: SourceText): SettingFault[] {
  return errors.slice(0, 1).map((fault) => {
    const isSecond = fault.code === "MULTIPLE_DOCS";
    const { start, end, cause, fix } = explainYamlFault(source.text, fault);
    const summary = isSecond ? "the file contains more than one YAML document" : `invalid YAML: ${cause}`;
    const place = source.place(Math.min(start, Math.max(0, source.text.length - 1)), end);
    return { place, explain: () => problem("config-syntax", summary, { place, fix: isSecond ? "Keep one." : fix }) };
  });
}

/** Errors that are valid YAML but not valid settings: duplicate keys, aliases without an anchor. */
function findMisuse(document: Document.Parsed, source: SourceText): SettingFault[] {
  const { isScalar, visit } = yamlLibrary();
  const found: SettingFault[] = [];
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document)) return;
      const summary = `the anchor &${alias.source} is not defined before this alias`;
      const place = placeOf(alias, source) ?? source.place(0);
      found.push({ place, explain: () => problem("yaml-alias", summary, { place, fix: "Write the value itself." }) });
    },
    Map(_, { items }) {
      const first = new Map<string, Place>();
      for (const { key } of items) {
        const place = placeOf(key, source);
        if (!isScalar(key) || !place) continue;
        const before = first.get(String(key.value));
        if (!before) first.set(String(key.value), place);
        else {
          const summary = `the key "${key.value}" is already set in line ${before.line}`;
          const fix = "Merge the two, or remove one.";
          found.push({ place, explain: () => problem("duplicate-key", summary, { place, fix }) });
        }
      }
    },
  });
  return found;
}

function values(document: Document.Parsed, source: SourceText): unknown {
  try {
    return document.toJS();
  } catch (error) {
    // Aliases that would expand beyond the memory limit.
    const summary = `invalid YAML: ${(error as Error).message}`;
    const fix = "Write the values themselves instead of aliases.";
    throw problemError("config-syntax", summary, { place: source.place(0), fix });
  }
}

function findFaults(
  issue: z.core.$ZodIssue,
  document: Document.Parsed,
  source: SourceText,
  schemaOf: SchemaOf,
): SettingFault[] {
  if (issue.code !== "unrecognized_keys") {
    // A missing setting is reported at the nearest parent that exists.
    const around = [...issue.path, ""].map((_, index) => issue.path.slice(0, issue.path.length - index));
    const place =
      (issue.code === "invalid_key" ? keyPlace(issue.path, document, source) : undefined) ??
      around.map((path) => placeOf(document.getIn(path, true), source)).find(Boolean) ??
      source.place(0);
    return [{ place, explain: () => valueProblem(issue, around, place, schemaOf) }];
  }
  // A zone file in the place of the config is one mistake; its settings are no others.
  const unknown = issue.keys.includes("records") ? ["records"] : issue.keys;
  return unknown.map((key) => {
    const place = keyPlace([...issue.path, key], document, source) ?? source.place(0);
    return { place, explain: () => unknownKeyProblem(key, issue.path, place, schemaOf) };
  });
}

/** `around` are the path and those of its parents. */
function valueProblem(
  issue: z.core.$ZodIssue,
  around: readonly (readonly PropertyKey[])[],
  place: Place,
  schemaOf: SchemaOf,
): Problem {
  const summary = `${settingName(issue.path) || "the file"} ${issue.message}`;
  const given: unknown = issue.code === "custom" ? issue.params?.fix : undefined;
  const fix: unknown = typeof given === "function" ? given() : given;
  // The advice on a value would repeat its wrong key.
  const paths = issue.code === "invalid_key" ? around.slice(1) : around;
  const advice = paths.map((path) => adviceOf(schemaOf(path), path.at(-1))).find(Boolean);
  return problem("config-value", summary, { place, ...advice, ...(typeof fix === "string" && { fix }) });
}

function unknownKeyProblem(key: string, path: readonly PropertyKey[], place: Place, schemaOf: SchemaOf): Problem {
  const isInEntry = typeof path.at(-1) === "number";
  const setting = isInEntry ? `${settingName(path)}: "${key}"` : `"${settingName([...path, key])}"`;
  const fix = unknownKeyFix(key, path, schemaOf(path));
  return problem("unknown-key", `${setting} is not a setting`, { place, fix });
}

function keyPlace(path: readonly PropertyKey[], document: Document.Parsed, source: SourceText): Place | undefined {
  const { isMap, isScalar } = yamlLibrary();
  const parent = document.getIn(path.slice(0, -1), true);
  const key = String(path.at(-1));
  const pair = isMap(parent)
    ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === key)
    : undefined;
  return placeOf(pair?.key, source);
}

/** The schema of the setting at a path; undefined where there is no single one. */
type SchemaOf = (path: readonly PropertyKey[]) => z.core.$ZodType | undefined;

/** The schema of a setting. Of a union, the member of its kind counts, or else the map or list. */
function schemaAt(
  schema: z.core.$ZodType | undefined,
  [key, ...rest]: readonly PropertyKey[],
  value: unknown,
): typeof schema {
  const all = unwrap(schema);
  if (all instanceof z.ZodDiscriminatedUnion)
    return schemaAt(memberOf(all, value), key === undefined ? [] : [key, ...rest], value);
  if (key === undefined) return schema;
  const wanted = typeof key === "number" ? z.ZodArray : z.ZodObject;
  const within = all instanceof z.ZodUnion ? unionMember(all, wanted) : all;
  const inside = (value as Readonly<Record<PropertyKey, unknown>> | null | undefined)?.[key];
  if (within instanceof z.ZodObject) return schemaAt(within.shape[String(key)], rest, inside);
  if (within instanceof z.ZodRecord) return schemaAt(within.valueType, rest, inside);
  return within instanceof z.ZodArray ? schemaAt(within.element, rest, inside) : undefined;
}

/** The member of a union for a value; the first one if the value has no kind. */
function memberOf({ options, def }: z.ZodDiscriminatedUnion, value: unknown): z.core.$ZodType | undefined {
  const kind = (value as Readonly<Record<string, unknown>> | null | undefined)?.[def.discriminator];
  const isOfKind = (option: z.core.$ZodType) =>
    option instanceof z.ZodObject && option.shape[def.discriminator]?.safeParse(kind).success;
  return options.find(isOfKind) ?? options[0];
}

function unionMember(
  { options }: z.ZodUnion,
  kind: typeof z.ZodArray | typeof z.ZodObject,
): z.core.$ZodType | undefined {
  const members = options.flatMap((option) => (option instanceof z.ZodUnion ? [...option.options] : [option]));
  return members.find((option) => option instanceof kind);
}

function isWrapped(schema: z.core.$ZodType | undefined) {
  return (
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional
  );
}

function unwrap(schema: z.core.$ZodType | undefined): typeof schema {
  return isWrapped(schema) ? unwrap(schema.unwrap()) : schema;
}

function keysOf(schema: z.core.$ZodType | undefined): string[] {
  const all = unwrap(schema);
  const map = all instanceof z.ZodUnion ? unionMember(all, z.ZodObject) : all;
  return map instanceof z.ZodObject ? Object.keys(map.shape) : [];
}

/** An example to write; without one, the description. Either may be that of the schema without a default. */
function adviceOf(schema: z.core.$ZodType | undefined, key: PropertyKey | undefined): Partial<Problem> | undefined {
  const { description, examples } = (schema && z.globalRegistry.get(schema)) ?? {};
  if (Array.isArray(examples) && typeof key === "string") return { fix: `Write \`${key}: ${flowYaml(examples[0])}\`.` };
  if (description === undefined) return isWrapped(schema) ? adviceOf(schema.unwrap(), key) : undefined;
  return { detail: description.endsWith(".") ? description : `${description}.` };
}

/** An example, whose texts need no quotes. */
function flowYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(flowYaml).join(", ")}]`;
  if (typeof value !== "object" || value === null) return String(value);
  return `{ ${Object.entries(value)
    .map(([key, one]) => `${key}: ${flowYaml(one)}`)
    .join(", ")} }`;
}

/** List entries are named by their number, from 1. */
function settingName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === "number") return `${name}${name && " "}entry ${key + 1}`;
    return `${name}${name && (/entry \d+$/.test(name) ? ": " : ".")}${String(key)}`;
  }, "");
}

function unknownKeyFix(key: string, path: readonly PropertyKey[], schema: ReturnType<SchemaOf>): string {
  const known = keysOf(schema);
  const isSecret = /token|secret|password|_key$/i.test(key);
  const kind = kindNames.find((name) => configKinds[name].settings === schema);
  const secret = kind && secretOf(kind);
  if (isSecret && path[0] === "targets" && typeof path[1] === "string" && kind !== undefined && secret !== undefined)
    return `Set ${secretVariable(path[1], kind)}, or \`${secret.setting}\` to a file outside of git. Do not keep secrets in the config.`;
  if (isSecret)
    return "Set ZONEWRIGHT_TOKEN, or ZONEWRIGHT_TOKEN_FILE to a file that contains it. Do not keep secrets in the config.";
  if (key === "records") return "Records belong in a zone file, such as zones/example.com.yaml.";
  const near = nearest(key, known);
  return near ? `Did you mean "${near}"?` : `Known keys: ${known.join(", ")}.`;
}

function placeOf(node: unknown, source: SourceText): Place | undefined {
  const range = yamlLibrary().isNode(node) ? (node as Node).range : undefined;
  return range ? source.place(range[0], range[1]) : undefined;
}
