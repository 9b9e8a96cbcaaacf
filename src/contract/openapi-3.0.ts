import { openApi } from "./openapi.ts";
import type { Json } from "./openapi-schemas.ts";
import type { TtlProfile } from "./ttl.ts";

/** The same document in OpenAPI 3.0.3, whose schemas are an older JSON Schema, for generators that know no other. */
export function openApi30(profile?: TtlProfile): Json {
  return { ...(older(openApi(profile)) as Json), openapi: "3.0.3" };
}

function older(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(older);
  if (typeof value !== "object" || value === null) return value;
  const node = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, key === "example" ? part : older(part)]),
  );
  if (isSchema(node)) return olderSchema(node);
  // A licence has no identifier yet.
  if (node.identifier !== undefined) return { name: node.name, url: node.url ?? licence(String(node.identifier)) };
  return node;
}

/** Nothing else in the document has a `type` that is no text, or these keywords. */
function isSchema(node: Json): boolean {
  return Array.isArray(node.type) || Array.isArray(node.anyOf) || Array.isArray(node.examples);
}

/** Null is no type, but a mark on a type; a schema has one example; and beside a `$ref` nothing counts. */
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
  // References lead to objects: only whole resources have names.
  if (parts.length === 1) return { type: "object", allOf: parts, ...nullable };
  return { anyOf: parts.map((part) => ({ ...part, ...nullable })) };
}

function licence(identifier: string): string {
  return `https://spdx.org/licenses/${identifier}.html`;
}
