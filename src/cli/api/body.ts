import type { JsonSchema } from "../../contract/json-schema.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { readText } from "../../workflow/project/files.ts";
import type { Terminal } from "../terminal.ts";
import { fieldAt, findSecret, itemsOf, listFields, listUnknown, readTyped, typePhrase } from "./field.ts";
import { isObject, parseJson } from "./json.ts";

/** The files and the standard input that `--body` can name; on a terminal the user types the input. */
type Source = Pick<Terminal, "cwd" | "ask" | "log" | "readInput">;

export interface BodyOptions {
  readonly set?: readonly string[];
  readonly body?: string;
}

/**
 * The body of a request from `--body`, changed by each `--set`; an empty object without them.
 * @throws {ProblemError} `usage`
 */
export async function readBody(
  terminal: Source,
  schema: JsonSchema,
  options: BodyOptions,
): Promise<Record<string, unknown>> {
  const { set = [], body: given } = options;
  const body = given === undefined ? {} : await readJsonBody(terminal, schema, given);
  const assigned = new Set<string>();
  for (const assignment of set) assign(body, schema, assignment, assigned);
  return body;
}

async function readJsonBody(terminal: Source, schema: JsonSchema, given: string): Promise<Record<string, unknown>> {
  const isInline = given !== "-" && !given.startsWith("@");
  const file = given.replace(/^@/, "");
  if (file === "-" && terminal.ask) terminal.log("body as JSON, then Ctrl-D:\n");
  const text = isInline ? given : file === "-" ? await terminal.readInput() : readText(terminal.cwd, file);
  const body = parseJson(text);
  if (body === undefined)
    throw usageError(`--body is not valid JSON.${isInline ? " To read a file, write --body @FILE." : ""}`);
  if (!isObject(body)) throw usageError("--body is not a JSON object.");
  if (isInline) refuseSecret(findSecret(schema, body), "--body");
  return body;
}

/** Applies `a.b=text`, which the schema types, or `a.b:=JSON`. A list that is set again gets further items. */
function assign(body: Record<string, unknown>, schema: JsonSchema, assignment: string, assigned: Set<string>): void {
  const [, path = "", operator, text = ""] = /^([^=:]+)(:?=)(.*)$/s.exec(assignment) ?? [];
  if (operator === undefined) throw usageError(`--set ${escapeControl(assignment)}: write FIELD=VALUE.`);
  const keys = path.split(".");
  const field = fieldAt(schema, keys);
  if (field === undefined) throw unknownField(schema, path);
  const value = operator === ":=" ? readLiteral(path, text) : readField(path, field, text);
  refuseSecret(findSecret(field, value, path), "--set");
  const isAgain = assigned.has(path);
  assigned.add(path);
  const parent = objectAt(body, keys.slice(0, -1), path);
  const key = keys.at(-1) ?? "";
  const before = parent[key];
  if (isAgain && !(Array.isArray(before) && Array.isArray(value)))
    throw usageError(`--set gives "${escapeControl(path)}" two values.`);
  setOwn(parent, key, isAgain && Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value);
}

/** Sets a field; an assignment would set the prototype for the key `__proto__`. */
function setOwn(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, configurable: true, enumerable: true, writable: true });
}

/** The object that contains a field; it is made if it is missing. */
function objectAt(body: Record<string, unknown>, keys: readonly string[], path: string): Record<string, unknown> {
  let object = body;
  for (const key of keys) {
    const inner = Object.hasOwn(object, key) ? object[key] : {};
    if (!isObject(inner))
      throw usageError(`--set ${escapeControl(path)}: "${escapeControl(key)}" is not an object in the body.`);
    setOwn(object, key, inner);
    object = inner;
  }
  return object;
}

function readLiteral(path: string, text: string): unknown {
  const value = parseJson(text);
  if (value === undefined)
    throw usageError(`--set ${escapeControl(path)}:= needs JSON. For text, write ${escapeControl(path)}=VALUE.`);
  return value;
}

function readField(path: string, field: JsonSchema, text: string): unknown {
  const items = itemsOf(field);
  if (items === undefined) return readScalar(path, field, text);
  return text === "" ? [] : text.split(",").map((item) => readScalar(path, items, item));
}

function readScalar(path: string, field: JsonSchema, text: string): unknown {
  const value = readTyped(field, text);
  if (value !== undefined) return value;
  const name = escapeControl(path);
  if (text === "null")
    throw usageError(`--set ${name}=null can mean null or a text. Write ${name}:=null, or ${name}:='"null"'.`);
  const [nested] = listFields(field);
  if (nested !== undefined) throw usageError(`"${name}" is an object. Set its fields, such as ${name}.${nested.path}.`);
  throw usageError(`--set ${name} needs ${typePhrase(field)}, not "${escapeControl(text)}".`);
}

/**
 * Names the unknown fields of `--body`. They are sent, because other services may have further ones, but a misspelt one
 * would be ignored without a word.
 */
export function warnOfUnknown(
  terminal: Pick<Terminal, "log">,
  schema: JsonSchema,
  body: Readonly<Record<string, unknown>>,
): void {
  const unknown = listUnknown(schema, body);
  if (unknown.length === 0) return;
  const named = unknown.map((path) => {
    const near = nearField(schema, path);
    return `"${escapeControl(path)}"${near === undefined ? "" : ` (did you mean "${near}"?)`}`;
  });
  const [fields, them] = unknown.length === 1 ? ["field", "it"] : ["fields", "them"];
  const warning = `warning: the operation has no known ${fields} ${named.join(", ")}; the service may ignore ${them}`;
  terminal.log(`${warning}\n`);
}

/** The error for a field that the operation does not have, with the most similar one that it has. */
export function unknownField(schema: JsonSchema, path: string): Error {
  const near = nearField(schema, path);
  const hint = near === undefined ? "--help lists the fields." : `Did you mean "${near}"?`;
  return usageError(`the operation has no field "${escapeControl(path)}". ${hint}`);
}

function nearField(schema: JsonSchema, path: string): string | undefined {
  return nearest(
    path,
    listFields(schema).map((field) => field.path),
  );
}

function refuseSecret(path: string | undefined, flag: string): void {
  if (path === undefined) return;
  throw usageError(
    `${flag} would show the secret "${escapeControl(path)}" to other users of this machine. Write JSON into a file and pass --body @FILE, or pipe it to --body @-.`,
  );
}
