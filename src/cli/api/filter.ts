import { attributesOf, type Endpoint } from "../../contract/endpoint.ts";
import type { Filter } from "../../contract/filter.ts";
import type { JsonSchema } from "../../contract/json-schema.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest } from "../../diagnostics/nearest.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { fieldAt, itemsOf, readTyped, typePhrase } from "./field.ts";
import { isObject, parseJson } from "./json.ts";
import { itemSchema } from "./operation.ts";

export interface FilterOptions {
  readonly filter?: readonly string[];
  readonly orderBy?: string;
}

/** The words of `--filter` and the operators that they stand for. */
const operators = { ">=": "+gte", "<=": "+lte", "!=": "+neq", ">": "+gt", "<": "+lt", "~": "+contains" } as const;

/**
 * The filter of a list from `--filter` and `--order-by`; all conditions must match. Undefined without them.
 * @throws {ProblemError} `usage`
 */
export function readFilter(endpoint: Endpoint, { filter = [], orderBy }: FilterOptions): Filter | undefined {
  if (filter.length === 0 && orderBy === undefined) return undefined;
  const conditions = filter.map((text) => readCondition(endpoint, text));
  const [only = {}] = conditions;
  const where: Filter = conditions.length > 1 ? { "+and": conditions } : only;
  return orderBy === undefined ? where : { ...where, ...readOrder(endpoint, orderBy) };
}

function readCondition(endpoint: Endpoint, text: string): Filter {
  if (text.trimStart().startsWith("{")) return readJsonFilter(text);
  const [, attribute = "", word = "", value = ""] = /^([^=<>!~:]+)(:=|>=|<=|!=|=|>|<|~)(.*)$/s.exec(text) ?? [];
  const known = attributesOf(endpoint, "live");
  if (attribute === "")
    throw usageError(
      `--filter ${escapeControl(text)}: write ATTRIBUTE=VALUE, or a filter as JSON. Operators: = != < <= > >= ~.`,
    );
  if (!known.includes(attribute)) throw unknownAttribute("--filter", attribute, known);
  const operator = Object.entries(operators).find(([known]) => known === word)?.[1];
  const typed = operator === "+contains" ? value : readValue(endpoint, attribute, word, value);
  return { [attribute]: operator === undefined ? typed : { [operator]: typed } };
}

function readJsonFilter(text: string): Filter {
  const filter = parseJson(text);
  if (isFilter(filter)) return filter;
  throw usageError("--filter starts like JSON, but is not a JSON object.");
}

/** The service checks the language of filters: another one may support more of it. */
function isFilter(value: unknown): value is Filter {
  return isObject(value);
}

function readValue(
  endpoint: Endpoint,
  attribute: string,
  word: string,
  text: string,
): string | number | boolean | null {
  const value = word === ":=" ? parseJson(text) : readTyped(attributeSchema(endpoint, attribute), text);
  if (value === null || typeof value === "string" || typeof value === "number" || typeof value === "boolean")
    return value;
  if (word === ":=")
    throw usageError(`--filter ${escapeControl(attribute)}:= needs text, a number, true, false or null as JSON.`);
  if (text === "null")
    throw usageError(
      `--filter ${escapeControl(attribute)}=null can mean null or a text. Write ${escapeControl(attribute)}:=null, or ${escapeControl(attribute)}:='"null"'.`,
    );
  const type = typePhrase(attributeSchema(endpoint, attribute));
  throw usageError(`--filter ${escapeControl(attribute)} needs ${type}, not "${escapeControl(text)}".`);
}

/** The type of an attribute in the items of the list; that of the items if it is a list. */
function attributeSchema(endpoint: Endpoint, attribute: string): JsonSchema {
  const schema = fieldAt(itemSchema(endpoint), attribute.split(".")) ?? {};
  return itemsOf(schema) ?? schema;
}

/** `created` or `created:desc`. */
function readOrder(endpoint: Endpoint, text: string): Filter {
  const [, attribute = "", direction = "asc"] = /^(.*?)(?::(\w+))?$/s.exec(text) ?? [];
  const known = attributesOf(endpoint, "live");
  if (!known.includes(attribute)) throw unknownAttribute("--order-by", attribute, known);
  if (direction !== "asc" && direction !== "desc")
    throw usageError(
      `--order-by ${escapeControl(text)}: write ${escapeControl(attribute)}, or ${escapeControl(attribute)}:desc.`,
    );
  return { "+order_by": attribute, "+order": direction };
}

function unknownAttribute(flag: string, attribute: string, known: readonly string[]): Error {
  const near = nearest(attribute, known);
  const hint = near === undefined ? `Attributes: ${known.join(", ")}.` : `Did you mean "${near}"?`;
  return usageError(`${flag}: the list has no attribute "${escapeControl(attribute)}". ${hint}`);
}
