import { openApi } from "./openapi.ts";
import type { Json } from "./openapi-schemas.ts";
import type { TtlProfile } from "./ttl.ts";

/**
 * The same document in OpenAPI 3.0.3, whose schemas are an older JSON Schema, for generators that do not support 3.1.
 */
export function openApi30(profile?: TtlProfile, authUrl?: string): Json {
  return { ...(toOpenApi30(openApi(profile, authUrl)) as Json), openapi: "3.0.3" };
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

function olderUnion(union: readonly Json[]): Json {
  const parts = union.filter(({ type }) => type !== "null");
  const nullable = parts.length < union.length && { nullable: true };
  // References point to objects: only whole resources are named.
  if (parts.length === 1) return { type: "object", allOf: parts, ...nullable };
  return { anyOf: parts.map((part) => ({ ...part, ...nullable })) };
}

function licence(identifier: string): string {
  return `https://spdx.org/licenses/${identifier}.html`;
}
