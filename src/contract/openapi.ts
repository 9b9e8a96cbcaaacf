import * as z from "zod";
import type { Endpoint } from "./endpoint.ts";
import { endpoints } from "./endpoints/index.ts";
import { apiErrors } from "./errors.ts";
import { scopes } from "./scopes.ts";
import { documentedTtls } from "./ttl.ts";

/** The level of the interface that the contract describes (first document, Versioning). */
export const specVersion = "4.119.0";

type Json = Record<string, unknown>;

/** The table of endpoints as an OpenAPI 3.1 document. Deterministic: the same table gives the same text. */
export function openApi(): Json {
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(endpoints)) {
    paths[endpoint.path] = { ...paths[endpoint.path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "zonewright DNS API",
      version: specVersion,
      description: `Times are stored as one of ${documentedTtls.join(", ")} seconds.`,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/v4" }, { url: "/v4beta" }],
    paths,
    components: {
      securitySchemes: {
        personalAccessToken: { type: "http", scheme: "bearer" },
        oauth: {
          type: "oauth2",
          flows: {
            authorizationCode: {
              authorizationUrl: "/oauth/authorize",
              tokenUrl: "/oauth/token",
              scopes: Object.fromEntries(scopes.map((scope) => [scope, scope])),
            },
          },
        },
      },
      responses: {
        error: { description: "The request was refused", content: json(schema(apiErrors, "output")) },
      },
    },
  };
}

function operation(name: string, endpoint: Endpoint): Json {
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.tag],
    parameters: parameters(endpoint),
    ...(endpoint.body && { requestBody: { required: true, content: json(schema(endpoint.body, "input")) } }),
    responses: {
      200: { description: "Success", content: json(schema(endpoint.reply, "output")) },
      default: { $ref: "#/components/responses/error" },
    },
    security: endpoint.scope === null ? [] : [{ personalAccessToken: [] }, { oauth: [endpoint.scope] }],
  };
}

function parameters(endpoint: Endpoint): Json[] {
  const of = (place: "path" | "query", object: z.ZodObject | undefined) =>
    Object.entries(object?.shape ?? {}).map(([name, type]) => ({
      name,
      in: place,
      required: place === "path",
      schema: schema(type as z.ZodType, "input"),
    }));
  const filter = {
    name: "X-Filter",
    in: "header",
    required: false,
    description: `JSON object; filters on ${endpoint.filterable?.join(", ")}`,
    schema: { type: "string" },
  };
  return [...of("path", endpoint.params), ...of("query", endpoint.query), ...(endpoint.filterable ? [filter] : [])];
}

function json(schema: Json): Json {
  return { "application/json": { schema } };
}

function schema(type: z.ZodType, io: "input" | "output"): Json {
  const { $schema, ...rest } = z.toJSONSchema(type, { io });
  return rest;
}
