import type * as z from "zod";
import { attributesOf, type Endpoint, isRequired } from "./endpoint.ts";
import { endpointTags } from "./endpoint-tags.ts";
import { type EndpointName, endpointsIn } from "./endpoints/index.ts";
import { apiErrors } from "./errors.ts";
import { headers, refusals } from "./openapi-replies.ts";
import { type Json, type Schemas, schemasOf } from "./openapi-schemas.ts";
import { queryIn } from "./page.ts";
import type { RecordsSetting } from "./resources/open-record.ts";
import { describeScope, scopes } from "./scopes.ts";
import { translationOf } from "./translation.ts";
import { documentedTtls, liveTtls, type TtlProfile } from "./ttl.ts";
import { spell } from "./words.ts";

/** The version of the interface that the contract describes (decisions/documents#versions). */
export const specVersion = "4.119.0";

/**
 * The OpenAPI 3.1 document of a service with this profile and these records, whose pages of OAuth are at `authUrl`, by
 * default beside the document. The same arguments give the same text.
 */
export function openApi(
  profile: TtlProfile = "documented",
  authUrl = "",
  records: RecordsSetting = "documented",
): Json {
  const endpoints = endpointsIn(profile, records);
  const schemas = schemasOf(
    endpoints.map(([, endpoint]) => endpoint),
    profile,
  );
  const paths: Record<string, Json> = {};
  for (const [name, endpoint] of endpoints) {
    const method = endpoint.method.toLowerCase();
    const { path } = translationOf(endpoint, profile);
    paths[path] = { ...paths[path], [method]: operation(name, endpoint, schemas, profile) };
  }
  const used = new Set<string>(endpoints.map(([, { tag }]) => tag));
  return {
    openapi: "3.1.0",
    info: {
      title: "zonewright DNS API",
      version: specVersion,
      description: introduction(profile, records),
      contact: { name: "zonewright", url: "https://github.com/zonewright/zonewright" },
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [
      { url: "/v4", description: "The API" },
      { url: "/v4beta", description: "The API under its beta path" },
    ],
    tags: Object.entries(endpointTags)
      .filter(([name]) => used.has(name))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: {
      schemas: schemas.components,
      headers,
      responses: refusalResponses(schemas),
      securitySchemes: {
        personalAccessToken: {
          type: "http",
          scheme: "bearer",
          description: `A token with scopes: * for everything, or any of ${spell("scopes", scopes.join(", "), profile)}.`,
        },
        // openapi-generator orders schemes by a hash of their names, and its clients in TypeScript send the token of
        // the last one, without "Bearer" for OAuth 2.0: with this name, it is the personal access token.
        authorizationCode: {
          type: "oauth2",
          description: "Applications ask a user for access with an authorization code, with PKCE if they are public.",
          flows: {
            authorizationCode: {
              authorizationUrl: `${authUrl}/oauth/authorize`,
              tokenUrl: `${authUrl}/oauth/token`,
              refreshUrl: `${authUrl}/oauth/token`,
              scopes: Object.fromEntries(
                scopes.map((scope) => [spell("scopes", scope, profile), describeScope(scope)]),
              ),
            },
          },
        },
      },
    },
  };
}

function introduction(profile: TtlProfile, records: RecordsSetting): string {
  const as = profile === "live" ? "as the hosted service behaves" : "as specified";
  const rounding =
    profile === "live"
      ? `up to one of ${liveTtls.join(", ")} seconds`
      : `to the nearest of ${documentedTtls.join(", ")} seconds`;
  const times = `TTLs and other times of zones are ${records === "open" ? "stored as they are sent" : `rounded ${rounding}`}.`;
  const types = records === "open" ? " Records may have any type." : "";
  return `The API for DNS zones and the account that owns them, ${as}. ${times}${types}`;
}

function operation(name: EndpointName, endpoint: Endpoint, schemas: Schemas, profile: TtlProfile): Json {
  const { summary, tag, body, deprecated, media = "application/json" } = endpoint;
  const { scope } = translationOf(endpoint, profile);
  return {
    operationId: name,
    summary,
    description: description(endpoint, profile),
    tags: [tag],
    ...(deprecated && { deprecated }),
    parameters: parameters(endpoint, schemas, profile),
    ...(body && {
      requestBody: { required: isRequired(body), content: { [media]: { schema: schemas.reference(body) } } },
    }),
    responses: responses(endpoint, schemas),
    security: scope === null ? [] : [{ personalAccessToken: [] }, { authorizationCode: [scope] }],
  };
}

const userTexts: Readonly<Record<NonNullable<Endpoint["who"]>, string>> = {
  unrestricted: "Only unrestricted users may call it.",
  account: "Restricted users may call it only with access to the account.",
};

function description(endpoint: Endpoint, profile: TtlProfile): string {
  const { summary, who, beyond } = endpoint;
  const { scope } = translationOf(endpoint, profile);
  const needed = scope === null ? "No token is needed." : `The token needs the scope \`${scope}\`.`;
  const users = who === undefined ? "" : ` ${userTexts[who]}`;
  return `${summary}. ${needed}${users}${beyond ? " Not part of the specification, but used by clients of the hosted service." : ""}`;
}

function parameters(endpoint: Endpoint, schemas: Schemas, profile: TtlProfile): Json[] {
  const of = (place: "path" | "query", object: z.ZodObject | undefined) =>
    Object.entries(object?.shape ?? {}).map(([name, type]) => {
      const { description, ...schema } = schemas.reference(type as z.ZodType);
      return { name, in: place, required: place === "path", description, schema };
    });
  const attributes = attributesOf(endpoint, profile);
  const plain = [...of("path", endpoint.params), ...of("query", queryIn(profile, endpoint.query))];
  if (attributes.length === 0) return plain;
  const names = attributes.map(translationOf(endpoint, profile).attribute);
  const filter = {
    name: "X-Filter",
    in: "header",
    required: false,
    description:
      `A JSON object that filters by ${names.join(", ")} with +and, +or, +gt, +gte, +lt, +lte, +neq, +contains, ` +
      "and orders by one of them with +order_by and +order (asc, desc)",
    schema: { type: "string", examples: [JSON.stringify({ [names[0] ?? ""]: "example" })] },
  };
  return [...plain, filter];
}

/** The replies of the endpoint, by status. */
function responses(endpoint: Endpoint, schemas: Schemas): Json {
  const { reply, noContent } = endpoint;
  const success = { description: "Success", headers: headerReferences, content: json(schemas.reference(reply)) };
  return {
    200: success,
    ...(noContent !== undefined && { 204: { description: noContent, headers: headerReferences } }),
    ...Object.fromEntries(
      Object.entries(refusals)
        .filter(([, { of }]) => of(endpoint))
        .map(([status, { name }]) => [status, { $ref: `#/components/responses/${name}` }]),
    ),
  };
}

const headerReferences = Object.fromEntries(
  Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function refusalResponses(schemas: Schemas): Json {
  return Object.fromEntries(
    Object.values(refusals).map(({ name, description, example }) => [
      name,
      { description, headers: headerReferences, content: json(schemas.reference(apiErrors), { errors: [example] }) },
    ]),
  );
}

function json(schema: Json, example?: unknown): Json {
  return { "application/json": { schema, ...(example !== undefined && { example }) } };
}
