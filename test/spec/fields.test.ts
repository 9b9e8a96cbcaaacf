import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { openApi } from "../../src/contract/openapi.ts";

interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  pattern?: string;
  description?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
}

interface Media {
  content?: Record<string, { schema: Schema }>;
}

interface Document {
  paths: Record<
    string,
    Record<string, { requestBody?: Media; responses: Record<string, Media>; deprecated?: boolean }>
  >;
  components: { schemas: Record<string, Schema> };
}

const document: Document = JSON.parse(JSON.stringify(openApi()));

const resolve = ({ $ref, ...schema }: Schema): Schema =>
  $ref ? { ...document.components.schemas[$ref.split("/").at(-1) ?? ""], ...schema } : schema;

/** The schemas that a value may meet, without null. */
function branches(schema: Schema): Schema[] {
  const { anyOf, ...rest } = resolve(schema);
  if (anyOf) return anyOf.flatMap((part) => branches({ ...part, description: rest.description ?? "" }));
  const types = [rest.type ?? ""].flat();
  return types.filter((type) => type !== "null").map((type) => ({ ...rest, type }));
}

function isNullable(schema: Schema): boolean {
  const { anyOf, type } = resolve(schema);
  return anyOf ? anyOf.some(isNullable) : [type].flat().includes("null");
}

/** The words of an enumeration. Those of replies are open, so the document lists them in the description. */
function enumerationOf({ enum: values, description = "", type }: Schema): string | undefined {
  if (type !== "string") return undefined;
  const words = values ?? (/^\w+(, \w+)+$/.test(description) ? description.split(", ") : undefined);
  return (
    words &&
    `(${words
      .filter((word) => word !== null)
      .sort()
      .join(", ")})`
  );
}

function boundsOf({ type, pattern = "", minLength, maxLength, minimum, maximum }: Schema): string {
  const [, fewest, most] = /^\^\\d\{(\d+),(\d+)\}\$$/.exec(pattern) ?? [];
  if (fewest) return ` ${fewest}..${most} digits`;
  if (type === "string") return maxLength === undefined ? "" : ` ${minLength ?? ""}..${maxLength}`;
  return maximum === undefined || maximum > 70_000 ? "" : ` ${minimum ?? ""}..${maximum}`;
}

const isMoment = ({ pattern }: Schema) => pattern?.includes("T\\d{2}:\\d{2}:\\d{2}") ?? false;

function typeOf(schema: Schema): string {
  const texts = branches(schema).map((branch) => {
    if (branch.type === "array") return `${typeOf(branch.items ?? {})}[]`;
    return isMoment(branch) ? "moment" : (enumerationOf(branch) ?? `${branch.type}${boundsOf(branch)}`);
  });
  return [...new Set(texts)].sort().join("|");
}

/** A line for each field of an object and of the objects in it, in the order of their names. */
function linesOf(schema: Schema, kind: string, prefix = ""): string[] {
  return branches(schema).flatMap(({ properties = {}, required = [], items }) => {
    if (items) return linesOf(items, kind, `${prefix.slice(0, -1)}[].`);
    return Object.entries(properties).flatMap(([name, field]) => {
      const mark = kind === "body" && required.includes(name) ? "*" : "";
      const nothing = kind === "reply" && isNullable(field) ? "|null" : "";
      return [`${prefix}${name}${mark} ${typeOf(field)}${nothing}`, ...linesOf(field, kind, `${prefix}${name}.`)];
    });
  });
}

const blocks = readFileSync(new URL("fields.txt", import.meta.url), "utf8")
  .split("\n\n")
  .slice(1)
  .map((block) => block.trim().split("\n"));

describe("the OpenAPI document states the fields of the first document", () => {
  for (const [title = "", ...expected] of blocks) {
    const [method = "", path = "", kind = ""] = title.split(" ");
    test(title, () => {
      const operation = document.paths[path]?.[method.toLowerCase()];
      if (operation === undefined) throw new Error("the document has no such operation");
      const media = kind === "body" ? operation.requestBody : operation.responses[200];
      const found = linesOf(media?.content?.["application/json"]?.schema ?? {}, kind).sort();
      const open = expected.filter((line) => line.endsWith(" ?")).map((line) => line.slice(0, -1));
      const shown = found.map((line) => {
        const known = open.find((start) => `${line} `.startsWith(start));
        return known === undefined ? line : `${known}?`;
      });
      expect(shown).toEqual(expected.sort());
    });
  }
});

test("the endpoints that the document calls deprecated are so in the OpenAPI document, and no other", () => {
  const deprecated = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.deprecated)
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  expect(deprecated.sort()).toEqual([
    "DELETE /account/entity-transfers/{token}",
    "GET /account/entity-transfers",
    "GET /account/entity-transfers/{token}",
    "POST /account/credit-card",
    "POST /account/entity-transfers",
    "POST /account/entity-transfers/{token}/accept",
  ]);
});
