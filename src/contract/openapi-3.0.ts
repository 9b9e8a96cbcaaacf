import { openApi } from "./openapi.ts";
import type { Json } from "./openapi-schemas.ts";
import type { RecordsSetting } from "./resources/open-record.ts";
import type { TtlProfile } from "./ttl.ts";

/**
 * The same document in OpenAPI 3.0.3, whose schemas are an older JSON Schema, for generators that do not support 3.1.
 */
export function openApi30(profile?: TtlProfile, authUrl?: string, records?: RecordsSetting): Json {
  return { ...(toOpenApi30(openApi(profile, authUrl, records)) as Json), openapi: "3.0.3" };
}

function toOpenApi30(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toOpenApi30);
  if (typeof value !== "object" || value === null) return value;
  const node = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === "example" ? part : toOpenApi30(part)]),
  );
  if (isSchema(node)) return olderSchema(node);
  // In 3.0 a license has a URL instead of an identifier.
  if (node.identifier !== undefined) return { name: node.name, url: node.url ?? licence(String(node.identifier)) };
  return node;
}

/** Only schemas have these keywords, or a `type` that is not a string. */
function isSchema(node: Json): boolean {
  return Array.isArray(node.type) || Array.isArray(node.anyOf) || Array.isArray(node.examples);
}

/** In 3.0, null is a keyword of a type, a schema has one example, and keywords next to `$ref` are ignored. */
function olderSchema({ type, anyOf, examples, ...rest }: Json): Json {
  const types = [type].flat().filter((name) => name !== undefined);
  const [kind] = types.filter((name) => name !== "null");
  return {
    ...(kind !== undefined && { type: kind }),
    ...(anyOf !== undefined && olderUnion(anyOf as Json[])),
    ...rest,
    ...(types.includes("null") && { nullable: true }),
    ...(Array.isArray(examples) && { example: examples[0] }),
  };
}

/** Null as an alternative: the only place where generators and linters keep the null of a named schema. */
const onlyNull: Json = { type: "object", nullable: true, enum: [null] };

function olderUnion(union: readonly Json[]): Json {
  const parts = union.filter(({ type }) => type !== "null");
  if (parts.length === union.length) return { anyOf: parts };
  // Keywords next to a reference are ignored, and a single part needs no union.
  if (parts.some(({ $ref }) => $ref !== undefined)) return { anyOf: [...parts, onlyNull] };
  const nullable = parts.map((part) => ({ ...part, nullable: true }));
  return nullable.length === 1 ? (nullable[0] as Json) : { anyOf: nullable };
}

function licence(identifier: string): string {
  return `https://spdx.org/licenses/${identifier}.html`;
}
