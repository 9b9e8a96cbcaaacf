import { html } from "hono/html";
import * as z from "zod";
import { openApi } from "../../contract/openapi.ts";
import type { Settings } from "../entities/context.ts";
import type { EscapedHtml } from "../web/document.ts";
import { type ConsolePage, consoleTable, properties } from "./layout.ts";

const schema = z.object({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  description: z.string().optional(),
  get properties() {
    return z.record(z.string(), schema).optional();
  },
  required: z.array(z.string()).optional(),
  get items() {
    return schema.optional();
  },
  enum: z.array(z.unknown()).optional(),
  get anyOf() {
    return z.array(schema).optional();
  },
});
type Schema = z.output<typeof schema>;

const content = z.record(z.string(), z.object({ schema }));

const operation = z.object({
  operationId: z.string(),
  description: z.string(),
  tags: z.array(z.string()),
  deprecated: z.boolean().optional(),
  parameters: z.array(
    z.object({ name: z.string(), in: z.string(), required: z.boolean(), description: z.string().optional(), schema }),
  ),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.object({ content: content.optional() })),
});
type Operation = z.output<typeof operation>;

/** The parts of the OpenAPI document that the reference shows. */
const openApiDocument = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.object({ schemas: z.record(z.string(), schema) }),
});
type Document = z.output<typeof openApiDocument>;

/** The reference of the API, from its OpenAPI document: operations by tag, with parameters, bodies and replies. */
export function referencePage({ profile, records }: Pick<Settings, "profile" | "records">): ConsolePage {
  const document = openApiDocument.parse(openApi(profile, undefined, records));
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  );
  const { info, tags } = document;
  const groups = tags.map(({ name, description }) => {
    const own = operations.filter(({ operation }) => operation.tags.includes(name));
    return html`<h2 id="${anchorOf(name)}">${name}</h2><p>${description}.</p>
${own.map((each) => describeOperation(each, document))}`;
  });
  const body = html`<p>${info.description}</p>
<p>A request sends its token in the header <code>Authorization: Bearer TOKEN</code>.</p>
<p>Machine-readable:
<a href="/v4/openapi.json">OpenAPI 3.1</a>, <a href="/v4/openapi-3.0.json">OpenAPI 3.0</a>.</p>
<nav aria-label="Contents"><ul class="contents">
${[...tags.map(({ name }) => name), objects].map((name) => html`<li><a href="#${anchorOf(name)}">${name}</a></li>`)}
</ul></nav>
${groups}
<h2 id="${anchorOf(objects)}">${objects}</h2>
${Object.entries(document.components.schemas).map(([name, schema]) => describeSchema(name, schema, document))}`;
  return { title: `${info.title} ${info.version}`, body };
}

/** The section of the schemas that operations share. */
const objects = "Objects";

function anchorOf(section: string): string {
  return `section-${section.toLowerCase().replaceAll(" ", "-")}`;
}

function describeOperation(
  { path, method, operation }: { path: string; method: string; operation: Operation },
  document: Document,
): EscapedHtml {
  const { operationId, description, deprecated, parameters, requestBody, responses } = operation;
  const bodies = Object.values(requestBody?.content ?? {}).map(({ schema }) => schema);
  const replies = Object.values(responses[200]?.content ?? {}).map(({ schema }) => schema);
  const fields = [
    ...parameters.map((parameter) => [
      parameter.name,
      parameter.in,
      typeOf(parameter.schema, document),
      parameter.required ? "yes" : "no",
      parameter.description ?? "",
    ]),
    ...bodies.flatMap((schema) => fieldsOf(schema, document).map((field) => [field.name, "body", ...field.rest])),
  ];
  return html`<section aria-labelledby="${operationId}"><h3 id="${operationId}"><code>${method} ${path}</code></h3>
<p>${deprecated ? "Deprecated. " : ""}${withCode(description)}</p>
${fields.length === 0 ? "" : consoleTable(`Parameters of ${operationId}`, ["Name", "In", "Type", "Required", "Description"], fields)}
${properties(replies.map((schema) => ["Reply", typeLink(schema, document)] as const))}</section>`;
}

function describeSchema(name: string, schema: Schema, document: Document): EscapedHtml {
  const rows = fieldsOf(schema, document).map((field) => [field.name, ...field.rest]);
  if (rows.length === 0) return html``;
  return html`<section aria-labelledby="object-${name}"><h3 id="object-${name}"><code>${name}</code></h3>
${consoleTable(`Fields of ${name}`, ["Name", "Type", "Required", "Description"], rows)}</section>`;
}

/** A text whose code is in backticks. */
function withCode(text: string): EscapedHtml {
  return html`${text.split("`").map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

/** A type, with a link to the object that it names. */
function typeLink(schema: Schema, document: Document): EscapedHtml {
  const type = typeOf(schema, document);
  return type in document.components.schemas
    ? html`<a href="#object-${type}"><code>${type}</code></a>`
    : html`<code>${type}</code>`;
}

/** The fields of an object; those of objects in it follow with their paths, such as `grants[].label`. */
function fieldsOf(schema: Schema, document: Document, prefix = ""): { name: string; rest: string[] }[] {
  const { properties: fields = {}, required = [] } = resolve(schema, document);
  return Object.entries(fields).flatMap(([key, field]) => {
    const name = prefix + key;
    const rest = [
      typeOf(field, document),
      required.includes(key) ? "yes" : "no",
      field.description ?? resolve(field, document).description ?? "",
    ];
    const parts = field.anyOf ?? [field];
    const nested = parts.flatMap((part) => [
      ...(part.properties ? fieldsOf(part, document, `${name}.`) : []),
      ...(part.items?.properties ? fieldsOf(part.items, document, `${name}[].`) : []),
    ]);
    return [{ name, rest }, ...nested];
  });
}

function resolve(schema: Schema, { components }: Document): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return (name !== undefined && components.schemas[name]) || schema;
}

/** A type in a few words, such as `string | null`, `list of integers` or the name of a component. */
function typeOf(schema: Schema, document: Document): string {
  if (schema.$ref !== undefined) return schema.$ref.split("/").at(-1) ?? "";
  if (schema.anyOf) return schema.anyOf.map((part) => typeOf(part, document)).join(" | ");
  if (schema.enum) return schema.enum.map(String).join(" | ");
  const types = typeof schema.type === "string" ? [schema.type] : (schema.type ?? ["any"]);
  return types.map((type) => (type === "array" ? `list of ${itemsOf(schema.items, document)}` : type)).join(" | ");
}

/** The type of items in the plural, except for the name of a component and for a choice of types. */
function itemsOf(items: Schema | undefined, document: Document): string {
  const type = typeOf(items ?? {}, document);
  return ["string", "integer", "number", "boolean", "object"].includes(type) ? `${type}s` : type;
}
