import * as z from "zod";
import type { Endpoint } from "../../contract/endpoint.ts";
import { translationOf } from "../../contract/translation.ts";
import { liveKey } from "../../contract/words.ts";
import { hostedRequests } from "./hosted-requests.ts";

/** Methods and paths of the hosted service; parameters are `{}`, as in `/domains/{}`. */
export const hostedEndpoints: readonly { readonly method: string; readonly path: string }[] = hostedRequests.map(
  (row) => {
    const [method = "", path = ""] = row.split(" ");
    return { method, path };
  },
);

/** The path with the parameters without names. */
export function withoutNames(path: string): string {
  return path.replace(/\{\w+\}/g, "{}");
}

/**
 * The keys of a body that the hosted service supports and this endpoint does not, as the caller spelled them. If a key
 * and its parts are unsupported, only the key is listed. Keys that are null are left out: most clients send them for
 * unset values.
 */
export function findIgnoredKeys(endpoint: Endpoint, body: unknown): string[] {
  return (
    unservedKeys(endpoint)
      .filter((key) => isSent(body, key.split(".")))
      // A key comes before its parts.
      .filter((key, _, all) => !all.some((other) => key.startsWith(`${other}.`)))
  );
}

const known = new WeakMap<Endpoint, readonly string[]>();

/** Found once for each endpoint. */
function unservedKeys(endpoint: Endpoint): readonly string[] {
  const found = known.get(endpoint) ?? findUnservedKeys(endpoint);
  known.set(endpoint, found);
  return found;
}

function findUnservedKeys(endpoint: Endpoint): readonly string[] {
  const { method, body, reply } = endpoint;
  const request = `${method} ${withoutNames(translationOf(endpoint, "live").path)}`;
  const row = hostedRequests.find((row) => row === request || row.startsWith(`${request} `)) ?? "";
  const [, , ...keys] = row.split(" ");
  // Clients send a whole object back to change a part of it.
  const schemas = [body, method === "PUT" ? reply : undefined];
  return keys.filter((key) => !schemas.some((schema) => schema && hasKey(schema, key.split("."))));
}

/** Whether a schema has this key of the hosted service. Schemas other than objects accept any key. */
function hasKey(schema: z.core.$ZodType, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return true;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return hasKey(schema._zod.def.innerType, [key, ...rest]);
  if (schema instanceof z.ZodArray) return hasKey(schema._zod.def.element, [key, ...rest]);
  if (!(schema instanceof z.ZodObject)) return true;
  const [, part] = Object.entries(schema._zod.def.shape).find(([name]) => liveKey(name) === key) ?? [];
  return part !== undefined && hasKey(part, rest);
}

function isSent(value: unknown, [key, ...rest]: readonly string[]): boolean {
  if (key === undefined) return value !== null && value !== undefined;
  if (Array.isArray(value)) return value.some((entry) => isSent(entry, [key, ...rest]));
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return false;
  return isSent((value as Readonly<Record<string, unknown>>)[key], rest);
}
