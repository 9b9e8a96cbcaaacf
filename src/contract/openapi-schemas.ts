import * as z from "zod";
import type { Endpoint } from "./endpoint.ts";
import { apiErrorEntry, apiErrors } from "./errors.ts";
import { documentation } from "./meta.ts";
import { account, accountSettings } from "./resources/account.ts";
import { domain, domainClone, domainImport, domainUpdate, newDomain, zoneFile } from "./resources/domain.ts";
import { entity, event } from "./resources/event.ts";
import { image } from "./resources/image.ts";
import { login } from "./resources/login.ts";
import { nodeType } from "./resources/node-type.ts";
import { nothing } from "./resources/nothing.ts";
import { newOAuthClient, oauthClient, oauthClientUpdate } from "./resources/oauth-client.ts";
import { openNewRecord, openRecord, openRecordUpdate } from "./resources/open-record.ts";
import { grants, profile as userProfile } from "./resources/profile.ts";
import { newRecord, record, recordUpdate } from "./resources/record.ts";
import { region } from "./resources/region.ts";
import { newTag, tag, taggedObject } from "./resources/tag.ts";
import { newAttachment, newTicket, newTicketReply, ticket, ticketReply } from "./resources/ticket.ts";
import { token } from "./resources/token.ts";
import { user } from "./resources/user.ts";
import type { TtlProfile } from "./ttl.ts";
import { liveKey, spell } from "./words.ts";

/** An object of a JSON document. */
export type Json = Record<string, unknown>;

/** Every named schema is defined once in the document, and referred to everywhere else. */
const bodies = {
  NewDomain: newDomain,
  DomainUpdate: domainUpdate,
  DomainImport: domainImport,
  DomainClone: domainClone,
  NewDomainRecord: newRecord,
  DomainRecordUpdate: recordUpdate,
  NewOpenRecord: openNewRecord,
  OpenRecordUpdate: openRecordUpdate,
  NewTicket: newTicket,
  NewTicketReply: newTicketReply,
  NewAttachment: newAttachment,
  NewOAuthClient: newOAuthClient,
  OAuthClientUpdate: oauthClientUpdate,
  NewTag: newTag,
};

const replies = {
  Account: account,
  AccountSettings: accountSettings,
  Domain: domain,
  DomainRecord: record,
  OpenRecord: openRecord,
  ZoneFile: zoneFile,
  Login: login,
  OAuthClient: oauthClient,
  Tag: tag,
  TaggedObject: taggedObject,
  Event: event,
  Ticket: ticket,
  TicketReply: ticketReply,
  Entity: entity,
  Profile: userProfile,
  Grants: grants,
  Token: token,
  User: user,
  NodeType: nodeType,
  Image: image,
  Region: region,
  Nothing: nothing,
  Errors: apiErrors,
  ErrorEntry: apiErrorEntry,
};

/** The named schemas that these endpoints use, and a function that refers to one of them or inlines any other. */
export interface Schemas {
  readonly components: Json;
  reference(type: z.ZodType): Json;
}

export function schemasOf(endpoints: readonly Endpoint[], profile: TtlProfile): Schemas {
  const taken = registryOf(bodies);
  const given = registryOf({ ...replies, ...pagesOf(endpoints) });
  const used = new Set<z.ZodType>([
    apiErrors,
    ...endpoints.flatMap(({ body, reply }) => (body ? [body, reply] : [reply])),
  ]);
  const components = {
    ...convertSchemas(taken, "input", profile),
    ...convertSchemas(given, "output", profile),
  };
  return {
    components: Object.fromEntries(
      [
        ...findReferenced(
          [...used].map((type) => nameIn([taken, given], type)),
          components,
        ),
      ]
        .sort()
        .map((name) => [name, components[name]]),
    ),
    reference: (type) => {
      const name = nameIn([taken, given], type);
      return name === undefined
        ? tidy(z.toJSONSchema(type, { io: "input", override: document(profile) }))
        : reference(name);
    },
  };
}

type Registry = z.core.$ZodRegistry<{ id: string }>;

const at = "#/components/schemas/";

function reference(name: string): Json {
  return { $ref: at + name };
}

function registryOf(named: Record<string, z.ZodType>): Registry {
  const registry: Registry = z.registry<{ id: string }>();
  for (const [id, type] of Object.entries(named)) registry.add(type, { id });
  return registry;
}

/** A page of domains is a `DomainPage`. */
function pagesOf(endpoints: readonly Endpoint[]): Record<string, z.ZodType> {
  const names = new Map<unknown, string>(Object.entries(replies).map(([name, type]) => [type, name]));
  return Object.fromEntries(
    endpoints.flatMap(({ reply }) => {
      const items = reply instanceof z.ZodObject && "pages" in reply.shape ? reply.shape.data : undefined;
      const name = items instanceof z.ZodArray ? names.get(items.element) : undefined;
      return name === undefined ? [] : [[`${name}Page`, reply]];
    }),
  );
}

function nameIn(registries: readonly Registry[], type: z.ZodType): string | undefined {
  return registries.map((registry) => registry.get(type)?.id).find((id) => id !== undefined);
}

function convertSchemas(registry: Registry, io: "input" | "output", profile: TtlProfile): Record<string, Json> {
  const { schemas } = z.toJSONSchema(registry, { uri: (id) => at + id, io, override: document(profile) });
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, tidy(schema)]));
}

/** The names, and all schemas that they refer to. */
function findReferenced(names: readonly (string | undefined)[], components: Record<string, Json>): Set<string> {
  const found = new Set<string>();
  const visit = (name: string) => {
    if (found.has(name)) return;
    found.add(name);
    for (const [, other = ""] of JSON.stringify(components[name]).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      visit(other);
  };
  for (const name of names) if (name !== undefined) visit(name);
  return found;
}

/**
 * Adds the documentation of a schema, and for an object lists as required the fields that this profile sends. Words are
 * those of the profile.
 */
function document(profile: TtlProfile) {
  return ({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    const { keywords, narrow } = documentation.get(zodSchema as unknown as z.ZodType) ?? {};
    if (narrow !== undefined && profile === "documented") {
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      const { $schema, ...json } = z.toJSONSchema(narrow as z.ZodType, { io: "input", override: document(profile) });
      Object.assign(jsonSchema, json);
      return;
    }
    Object.assign(jsonSchema, keywords);
    // All names of properties are texts; OpenAPI 3.0 has no such keyword.
    delete jsonSchema.propertyNames;
    if (profile === "live") spellValues(zodSchema, jsonSchema);
    const { properties } = jsonSchema;
    if (!(zodSchema instanceof z.ZodObject) || properties === undefined) return;
    // Other versions may send further fields.
    delete jsonSchema.additionalProperties;
    for (const [name, type] of Object.entries(zodSchema.shape)) {
      const sent = documentation.get(type as z.ZodType)?.sent;
      if (sent === "live" && profile !== "live") delete properties[name];
      else if (sent !== undefined)
        jsonSchema.required = Object.keys(properties).filter(
          (key) => key === name || jsonSchema.required?.includes(key),
        );
    }
    if (profile === "live") spellKeys(jsonSchema);
  };
}

/** Spells the values of an enumeration live, and their list in the description of an open one. */
function spellValues(schema: z.core.$ZodType, json: z.core.JSONSchema.BaseSchema): void {
  const { word, values } = documentation.get(schema) ?? {};
  if (word === undefined || word === "entityId") return;
  if (json.enum) json.enum = json.enum.map((value) => (typeof value === "string" ? spell(word, value, "live") : value));
  if (values && json.description === values.join(", "))
    json.description = values.map((value) => spell(word, value, "live")).join(", ");
}

function spellKeys(json: z.core.JSONSchema.BaseSchema): void {
  const { properties = {}, required } = json;
  json.properties = Object.fromEntries(Object.entries(properties).map(([key, type]) => [liveKey(key), type]));
  if (required) json.required = required.map(liveKey);
}

/**
 * A schema as OpenAPI writes it: `["string", "null"]` for a nullable string, and a format for the width of a number.
 */
function tidy(schema: object): Json {
  const { $schema, $id, contentEncoding, ...rest } = schema as Json; // the format `binary` says the same
  const parts = Object.entries(rest).map(([key, value]) => [key, tidyPart(key, value)]);
  return withWidth(withNull(Object.fromEntries(parts)));
}

function tidyPart(key: string, value: unknown): unknown {
  if (key === "properties")
    return Object.fromEntries(Object.entries(value as Json).map(([name, part]) => [name, tidy(part as Json)]));
  if (key === "items") return tidy(value as Json);
  return key === "anyOf" ? (value as Json[]).map(tidy) : value;
}

function withNull({ anyOf, ...rest }: Json): Json {
  const parts = anyOf as Json[] | undefined;
  const [other, ...more] = parts?.filter(({ type }) => type !== "null") ?? [];
  if (parts === undefined || other === undefined || more.length + 1 === parts.length)
    return anyOf ? { anyOf, ...rest } : rest;
  if (more.length > 0 || other.$ref !== undefined) return { anyOf, ...rest };
  if (other.anyOf !== undefined) return { ...other, anyOf: [...(other.anyOf as Json[]), { type: "null" }], ...rest };
  return {
    ...other,
    type: [other.type, "null"],
    ...(other.enum ? { enum: [...(other.enum as unknown[]), null] } : {}),
    ...rest,
  };
}

const safe = Number.MAX_SAFE_INTEGER;

/** Adds the width of an integer: int64 for ids, int32 for bounded numbers. JavaScript's own bounds are omitted. */
function withWidth({ minimum, maximum, ...rest }: Json): Json {
  if (![rest.type].flat().includes("integer"))
    return { ...rest, ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) };
  return {
    ...rest,
    format: maximum === undefined || maximum === safe ? "int64" : "int32",
    ...(minimum !== undefined && minimum !== -safe && { minimum }),
    ...(maximum !== undefined && maximum !== safe && { maximum }),
  };
}
