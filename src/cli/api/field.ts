import type { JsonSchema } from "../../contract/json-schema.ts";

/** A field that a request body may have, by its dotted path. */
export interface BodyField {
  readonly path: string;
  readonly schema: JsonSchema;
  readonly isRequired: boolean;
}

/**
 * All fields of an object, with those of the objects in it; `NAME` stands for any key. A nested field is required if
 * its object and it are. An object is a field itself if it is required and none of its fields is.
 */
export function listFields(schema: JsonSchema, prefix = "", isWithin = true): BodyField[] {
  return alternatives(schema).flatMap((one) => {
    const named = Object.entries(one.properties ?? {}).map(([key, inner]) => [key, toObject(inner)] as const);
    const any = toObject(one.additionalProperties ?? false);
    const open = Object.keys(any).length > 0 ? [["NAME", any] as const] : [];
    return [...named, ...open].flatMap(([key, inner]) => {
      const isRequired = isWithin && (one.required?.includes(key) ?? false);
      const nested = listFields(inner, `${prefix}${key}.`, isRequired);
      const own = { path: prefix + key, schema: inner, isRequired };
      if (nested.length === 0) return [own];
      return isRequired && !nested.some((field) => field.isRequired) ? [own, ...nested] : nested;
    });
  });
}

/** The schema at a path; undefined if the object has no such field. */
export function fieldAt(schema: JsonSchema, path: readonly string[]): JsonSchema | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  for (const one of alternatives(schema)) {
    const inner = Object.hasOwn(one.properties ?? {}, key) ? one.properties?.[key] : one.additionalProperties;
    const found = inner === undefined || inner === false ? undefined : fieldAt(toObject(inner), rest);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The schemas of which a value matches any. */
export function alternatives(schema: JsonSchema): JsonSchema[] {
  const parts = schema.anyOf ?? schema.oneOf;
  if (parts !== undefined) return parts.flatMap(alternatives);
  const { type } = schema;
  return Array.isArray(type) ? type.map((one) => ({ ...schema, type: one })) : [schema];
}

/** The description of a field, or of the type that it wraps. */
export function describeField(schema: JsonSchema): string {
  return [schema, ...alternatives(schema)].find(({ description }) => description)?.description ?? "";
}

/** A schema that is a boolean says nothing about the type. */
function toObject(schema: JsonSchema | boolean): JsonSchema {
  return typeof schema === "boolean" ? {} : schema;
}

/** The schema of the items of a list; undefined for any other type. */
export function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  const list = alternatives(schema).find(({ type }) => type === "array");
  return list && (Array.isArray(list.items) ? {} : toObject(list.items ?? {}));
}

/** The path of a secret in a value, such as a password; undefined if it has none. */
export function findSecret(schema: JsonSchema, value: unknown, path = ""): string | undefined {
  if (value === null || value === undefined) return undefined;
  if (isSecretSchema(schema)) return path;
  if (typeof value !== "object") return undefined;
  const items = Array.isArray(value) ? itemsOf(schema) : undefined;
  for (const [key, inner] of Object.entries(value)) {
    const field = Array.isArray(value) ? items : fieldAt(schema, [key]);
    const found = field && findSecret(field, inner, path === "" ? key : `${path}.${key}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The paths of all fields in a value that the schema does not have. */
export function listUnknown(schema: JsonSchema, value: unknown, path = ""): string[] {
  if (typeof value !== "object" || value === null) return [];
  const items = itemsOf(schema);
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((item, index) => listUnknown(items, item, `${path}.${index}`));
  if (!alternatives(schema).some(({ type }) => type === "object")) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = path === "" ? key : `${path}.${key}`;
    const field = fieldAt(schema, [key]);
    return field === undefined ? [at] : listUnknown(field, inner, at);
  });
}

/** Whether the values are secrets, as `secret` in the contract marks them. */
export function isSecretSchema(schema: JsonSchema): boolean {
  return schema.writeOnly === true || alternatives(schema).some(({ writeOnly }) => writeOnly === true);
}

/** Whether the values are files in a form. */
export function isFile(schema: JsonSchema): boolean {
  return alternatives(schema).some(({ format }) => format === "binary");
}

/** The type for people: `text`, `whole number`, `list of whole numbers`, or the words of an enumeration. */
export function typeWords(schema: JsonSchema): string {
  return wordsOf(schema, "one");
}

function wordsOf(schema: JsonSchema, number: "one" | "many"): string {
  const words = alternatives(schema)
    .filter(({ type }) => type !== "null")
    .map(({ type, format, enum: choices, const: only, items }) => {
      if (choices) return choices.filter((choice) => choice !== null).join(", ");
      if (only !== undefined) return String(only);
      const kind = format === "binary" ? "file" : typeof type === "string" ? type : "any";
      const name = names[kind]?.[number] ?? kind;
      const item = Array.isArray(items) ? {} : toObject(items ?? {});
      return kind === "array" ? `${name} of ${wordsOf(item, "many")}` : name;
    });
  return [...new Set(words)].join(" or ");
}

/** The limits on the values for people, such as `3 to 50 characters`; empty without any. */
export function limitWords(schema: JsonSchema): string {
  return alternatives(schema).map(limitsOf).filter(Boolean).join(" or ");
}

function limitsOf(schema: JsonSchema): string {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems } = schema;
  const items = itemsOf(schema);
  const each = items === undefined ? "" : limitWords(items);
  return [
    rangeOf(" characters", minLength, maxLength),
    rangeOf("", minimum, maximum),
    rangeOf(" entries", minItems, maxItems),
    each && `each ${each}`,
  ]
    .filter(Boolean)
    .join(", ");
}

/** A range with its unit; the bounds of all integers are none. */
function rangeOf(unit: string, least = Number.MIN_SAFE_INTEGER, most = Number.MAX_SAFE_INTEGER): string {
  const hasLeast = least > Number.MIN_SAFE_INTEGER;
  if (most >= Number.MAX_SAFE_INTEGER) return hasLeast ? `${least}${unit} or more` : "";
  return `${hasLeast ? `${least} to` : "up to"} ${most}${unit}`;
}

/** The type of a schema with its article, for a sentence: `a whole number`. */
export function typePhrase(schema: JsonSchema): string {
  const words = typeWords(schema);
  return /^(?:whole number|number|list|object)\b/.test(words) ? `a${words.startsWith("o") ? "n" : ""} ${words}` : words;
}

const names: Readonly<Record<string, { one: string; many: string }>> = {
  string: { one: "text", many: "texts" },
  integer: { one: "whole number", many: "whole numbers" },
  number: { one: "number", many: "numbers" },
  boolean: { one: "true or false", many: "true or false" },
  object: { one: "object", many: "objects" },
  array: { one: "list", many: "lists" },
  file: { one: "file", many: "files" },
  any: { one: "any value", many: "values" },
};

/**
 * Reads a text as a value of the schema's types: text stays text, even if it looks like a number. Undefined if it has
 * none of the types, or if it can mean null or the text "null".
 */
export function readTyped(schema: JsonSchema, text: string): string | number | boolean | null | undefined {
  const types = alternatives(schema);
  const hasText = types.some((one) => one.type === undefined || (one.type === "string" && !one.enum));
  if (hasText && text === "null" && types.some(({ type }) => type === "null")) return undefined;
  for (const { type } of types) {
    const value = readAs(type, text);
    if (value !== undefined) return value;
  }
  return types.some(({ type }) => type === undefined || type === "string") ? text : undefined;
}

function readAs(type: JsonSchema["type"], text: string): number | boolean | null | undefined {
  const number = Number(text);
  if (type === "integer" && /^-?\d+$/.test(text) && Number.isSafeInteger(number)) return number;
  if (type === "number" && /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return number;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  return type === "null" && text === "null" ? null : undefined;
}
