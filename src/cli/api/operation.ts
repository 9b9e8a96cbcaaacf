import { type Endpoint, isList } from "../../contract/endpoint.ts";
import { openRecordEndpoints } from "../../contract/endpoints/domains.ts";
import { endpoints } from "../../contract/endpoints/index.ts";
import { type JsonSchema, toJsonSchema } from "../../contract/json-schema.ts";
import { fieldAt, itemsOf, listFields } from "./field.ts";

/** An endpoint of the contract, as a command. */
export interface Operation {
  /** The contract's key in kebab case, such as `list-domains`. */
  readonly name: string;
  readonly endpoint: Endpoint;
  /** The endpoint of a server with open records, if it differs: its body has all fields of the other, and more. */
  readonly openEndpoint?: Endpoint | undefined;
}

const openEndpoints: Readonly<Record<string, Endpoint>> = openRecordEndpoints;

/** All operations, in the order of the contract. */
export const operations: readonly Operation[] = Object.entries<Endpoint>(endpoints).map(([key, endpoint]) => ({
  name: kebabCase(key),
  endpoint,
  openEndpoint: openEndpoints[key],
}));

/** `domainId` is `domain-id`, and `listOAuthClients` is `list-oauth-clients`. */
export function kebabCase(key: string): string {
  return key.replaceAll(/OAuth|[A-Z]/g, (word) => `-${word.toLowerCase()}`);
}

/** The names of the path parameters, in the order of the path. */
export function listParameters({ path }: Endpoint): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
}

/** The summary of the endpoint, marked if it is deprecated or if only one profile has it. */
export function summaryOf({ summary, deprecated, profile }: Endpoint): string {
  const marks = [...(deprecated ? ["deprecated"] : []), ...(profile === undefined ? [] : [`profile ${profile} only`])];
  return marks.length === 0 ? summary : `${summary} (${marks.join(", ")})`;
}

/** The operation that lists what a path parameter names; undefined if the API has none. */
export function findListOf({ path }: Endpoint, parameter: string): Operation | undefined {
  const parent = path.slice(0, path.indexOf(`/{${parameter}}`));
  return operations.find(({ endpoint }) => endpoint.path === parent && isList(endpoint));
}

/** The schema of the items of a list, or of the reply itself. */
export function itemSchema(endpoint: Endpoint): JsonSchema {
  const reply = toJsonSchema(endpoint.reply, "output");
  const data = isList(endpoint) ? fieldAt(reply, ["data"]) : undefined;
  return (data && itemsOf(data)) ?? reply;
}

/** All columns of a list as a table, the most telling first. */
export function listColumns(endpoint: Endpoint): string[] {
  const paths = listFields(itemSchema(endpoint)).map(({ path }) => path);
  return [...new Set([...(endpoint.columns ?? []), ...paths])];
}

/** Whether the operation destroys something, so that it needs a confirmation. */
export function isDestructive({ method, destructive }: Endpoint): boolean {
  return method === "DELETE" || destructive !== undefined;
}
