import { attributesOf, type Endpoint, isList } from "../../contract/endpoint.ts";
import { type JsonSchema, toJsonSchema } from "../../contract/json-schema.ts";
import { packItems, wrap } from "../../report/text/columns.ts";
import {
  alternatives,
  type BodyField,
  describeField,
  isSecretSchema,
  itemsOf,
  limitWords,
  listFields,
  typeWords,
} from "./field.ts";
import { isDestructive, kebabCase, listColumns, listParameters, type Operation } from "./operation.ts";

const width = 80;

/** A call that sends what the operation requires, and what has an example; words in capitals stand for values. */
export function exampleOf({ name, endpoint }: Operation): string {
  const { params } = endpoint;
  const schema = params && toJsonSchema(params, "input").properties;
  const values = listParameters(endpoint).map((parameter, index) =>
    sampleOf(parameter, schema?.[parameter], String(index + 1)),
  );
  const call = ["zonewright api", name, ...values].join(" ");
  const lines = packItems(
    [call, ...bodyExample(endpoint), ...(isDestructive(endpoint) ? ["--yes"] : [])],
    " ",
    width - 6,
  );
  return `  ${lines.join(" \\\n    ")}\n`;
}

/**
 * The flags for the body of an example: the required fields, and those that have an example. An update of nothing is
 * refused, so that of an update has at least one field.
 */
export function bodyExample({ method, body, media }: Endpoint): string[] {
  if (body === undefined) return [];
  if (media) return ["--file FILE"];
  const all = listFields(toJsonSchema(body, "input"));
  const telling = all.filter(({ isRequired, schema }) => isRequired || exampleValue(schema) !== undefined);
  const fields = telling.length === 0 && method === "PUT" ? all.slice(0, 1) : telling;
  if (fields.some(({ schema }) => isSecretSchema(schema))) return ["--body @FILE"];
  return fields.map((field) => `--set ${sampleField(field)}`);
}

function sampleField({ path, schema }: BodyField): string {
  const [inner] = listFields(schema, `${path}.`);
  if (inner !== undefined) return sampleField(inner);
  return `${path}=${sampleOf(path.split(".").at(-1) ?? path, schema)}`;
}

/** A value of the schema: its example, one of its words, or its name in capitals. `number` stands for any number. */
function sampleOf(name: string, schema: JsonSchema | boolean = {}, number = "1"): string {
  if (typeof schema === "boolean") return nameInCapitals(name);
  const parts = alternatives(schema);
  const word = parts.flatMap((part) => part.enum ?? []).find((choice) => choice !== null);
  const known = exampleValue(schema) ?? word;
  if (known !== undefined) return String(known);
  const items = itemsOf(schema);
  if (items !== undefined) return sampleOf(name, items, number);
  const types = parts.map(({ type }) => type);
  if (types.includes("integer") || types.includes("number"))
    return String(Math.max(Number(number), ...parts.map(({ minimum = 0 }) => minimum)));
  return types.includes("boolean") ? "true" : nameInCapitals(name);
}

function nameInCapitals(name: string): string {
  return kebabCase(name).replaceAll("-", "_").toUpperCase();
}

/** The example that the contract gives for a field, or for the type that it wraps. */
function exampleValue(schema: JsonSchema): unknown {
  return [schema, ...alternatives(schema)].find(({ examples }) => examples)?.examples?.[0];
}

const users = { unrestricted: "an unrestricted user", account: "a user with access to the account" };

/** The lines at the end of the help: the request, the fields of its body, and the attributes of the list. */
export function notesOf({ endpoint, openEndpoint }: Operation): string {
  const { method, path, scope, who, profile, conflict, body, filterable = [] } = endpoint;
  const token = `a token with the scope ${scope}${who === undefined ? "" : `, of ${users[who]}`}`;
  const server =
    profile === undefined ? "" : ` Only profile ${profile} has it: \`zonewright serve --profile ${profile}\`.`;
  const refusal = conflict === undefined ? "" : ` It answers 409, and changes nothing, if ${conflict}.`;
  const blocks = [wrap(`${method} ${path} needs ${scope === null ? "no token" : token}.${server}${refusal}`, width)];
  if (body) blocks.push(fieldLines(toJsonSchema(body, "input"), endpoint.media ? "form" : "body"));
  if (body && openEndpoint?.body) {
    const more = Object.keys(openEndpoint.body.shape).filter((field) => !Object.hasOwn(body.shape, field));
    const what = `A server with open records takes every type and TTL, and the fields ${more.join(", ")}`;
    blocks.push(wrap(`${what}: \`zonewright serve --records open\`.`, width));
  }
  const names = [
    ["Attributes for --filter and --order-by", filterable],
    ["In profile live also", attributesOf(endpoint, "live").filter((name) => !filterable.includes(name))],
    ["Columns", isList(endpoint) ? listColumns(endpoint) : []],
  ] as const;
  const named = names.filter(([, all]) => all.length > 0);
  if (named.length > 0) blocks.push(named.flatMap(([what, all]) => wrap(`${what}: ${all.join(", ")}`, width, 2)));
  return blocks.map((lines) => `${lines.join("\n")}\n`).join("\n");
}

function fieldLines(schema: JsonSchema, kind: "body" | "form"): string[] {
  const fields = listFields(schema);
  if (fields.length === 0) return ["The body is an empty object."];
  const names = fields.map(({ path, isRequired }) => `${path}${isRequired ? "*" : ""}`);
  const indent = Math.max(...names.map((name) => name.length)) + 4;
  const lines = fields.flatMap(({ schema }, index) => {
    const secret = isSecretSchema(schema) ? "secret, only in --body" : "";
    const type = [typeWords(schema), limitWords(schema)].filter(Boolean).join(", ");
    const about = [[type, secret].filter(Boolean).join("; "), describeField(schema)].filter(Boolean);
    return wrap(`  ${(names[index] ?? "").padEnd(indent - 2)}${about.join(". ")}`, width, indent);
  });
  const shown = fields.filter((field) => !isSecretSchema(field.schema));
  const first = shown.find((field) => exampleValue(field.schema) !== undefined) ?? shown[0];
  const sample = first ? `, such as --set ${sampleField(first)}` : "";
  const title = kind === "form" ? "Fields of the form" : `Fields for --set${sample}`;
  const legend = fields.some(({ isRequired }) => isRequired) ? " (* is required)" : "";
  return [...wrap(`${title}${legend}:`, width), ...lines];
}
