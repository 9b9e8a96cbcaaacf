import { type JsonSchema, toJsonSchema } from "../../contract/json-schema.ts";
import { packItems, wrap } from "../../report/columns.ts";
import { alternatives, describeField, isSecret, listFields, typeWords } from "./field.ts";
import { isDestructive, isList, itemSchema, kebabCase, listParameters, type Operation } from "./operation.ts";

const width = 80;

/** A call that sends what the operation requires; words in capitals stand for values. */
export function exampleOf({ name, endpoint }: Operation): string {
  const { params, body } = endpoint;
  const schema = params && toJsonSchema(params, "input").properties;
  const values = listParameters(endpoint).map((parameter) => sampleOf(parameter, schema?.[parameter]));
  const required = body ? listFields(toJsonSchema(body, "input")).filter((field) => field.isRequired) : [];
  const isHidden = required.some((field) => isSecret(field.schema));
  const file = endpoint.media ? "--file FILE" : isHidden ? "--body @FILE" : undefined;
  const fields = file
    ? [file]
    : required.map(({ path, schema }) => `--set ${path}=${sampleOf(path.split(".").at(-1) ?? path, schema)}`);
  const call = ["zonewright api", name, ...values].join(" ");
  const lines = packItems([call, ...fields, ...(isDestructive(endpoint) ? ["--yes"] : [])], " ", width - 6);
  return `  ${lines.join(" \\\n    ")}\n`;
}

/** A value of the type, or the name in capitals. */
function sampleOf(name: string, schema: JsonSchema | boolean = {}): string {
  for (const { enum: choices, type, examples } of typeof schema === "boolean" ? [] : alternatives(schema)) {
    const known = choices?.find((choice) => choice !== null) ?? examples?.[0];
    if (known !== undefined) return String(known);
    if (type === "integer" || type === "number") return "12";
    if (type === "boolean") return "true";
  }
  return kebabCase(name).replaceAll("-", "_").toUpperCase();
}

const users = { unrestricted: "an unrestricted user", account: "a user with access to the account" };

/** The lines at the end of the help: the request, the fields of its body, and the attributes of the list. */
export function notesOf({ endpoint }: Operation): string {
  const { method, path, scope, who, profile, body, filterable, orderable = [] } = endpoint;
  const token = `a token with the scope ${scope}${who === undefined ? "" : `, of ${users[who]}`}`;
  const server =
    profile === undefined ? "" : ` Only profile ${profile} has it: \`zonewright serve --profile ${profile}\`.`;
  const blocks = [wrap(`${method} ${path} needs ${scope === null ? "no token" : token}.${server}`, width)];
  if (body) blocks.push(fieldLines(toJsonSchema(body, "input"), endpoint.media ? "form" : "body"));
  const names = [
    ["Attributes for --filter", filterable ?? []],
    ["Attributes for --order-by", filterable ? [...new Set([...filterable, ...orderable])] : []],
    ["Columns", isList(endpoint) ? listFields(itemSchema(endpoint)).map((field) => field.path) : []],
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
    const secret = isSecret(schema) ? "secret, only in --body" : "";
    const about = [[typeWords(schema), secret].filter(Boolean).join("; "), describeField(schema)].filter(Boolean);
    return wrap(`  ${(names[index] ?? "").padEnd(indent - 2)}${about.join(". ")}`, width, indent);
  });
  const first = fields.find((field) => !isSecret(field.schema));
  const sample = first ? `, such as --set ${first.path}=VALUE` : "";
  const title = kind === "form" ? "Fields of the form" : `Fields for --set${sample}`;
  return [`${title} (* is required):`, ...lines];
}
