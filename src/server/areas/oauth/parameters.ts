import { type ApiRequest, readBodyOctets } from "../../kit/request.ts";
import { OAuthError } from "./errors.ts";

/** Limit on the body of a form, in octets. */
const largestForm = 64 * 1024;

/**
 * The value of a parameter; undefined if it is absent or empty (RFC 6749 §3.1).
 * @throws {OAuthError} if it is given more than once.
 */
export function readParameter(parameters: URLSearchParams, name: string): string | undefined {
  const [value, ...others] = parameters.getAll(name);
  if (others.length > 0) throw new OAuthError("invalid_request", `${name} is given more than once`);
  return value === "" ? undefined : value;
}

/**
 * The scopes of a request, named `scope` or `scopes`.
 * @throws {OAuthError} if both names are given.
 */
export function readScopeParameter(parameters: URLSearchParams): string | undefined {
  const [scope, ...others] = ["scope", "scopes"]
    .map((name) => readParameter(parameters, name))
    .filter((text) => text !== undefined);
  if (others.length > 0) throw new OAuthError("invalid_request", "scope and scopes are both given");
  return scope;
}

/**
 * Reads the fields of a form.
 * @throws {OAuthError} for another media type, a file, more than 64 KiB, or a client that disconnects.
 */
export async function readFields(request: ApiRequest): Promise<URLSearchParams> {
  const type = request.headers.get("Content-Type") ?? "";
  if (!/^(?:application\/x-www-form-urlencoded|multipart\/form-data) *(?:;|$)/i.test(type))
    throw new OAuthError(
      "invalid_request",
      "the body must be a form: application/x-www-form-urlencoded or multipart/form-data",
    );
  const body = await readBodyOctets(request, largestForm, {
    tooLarge: () => new OAuthError("invalid_request", "the form is larger than 64 KiB"),
    incomplete: () => new OAuthError("invalid_request", "the form is incomplete"),
  });
  const fields = new URLSearchParams();
  for (const [name, value] of await parseForm(body, type)) {
    if (typeof value !== "string") throw new OAuthError("invalid_request", "the form contains a file");
    fields.append(name, value);
  }
  return fields;
}

async function parseForm(body: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { "Content-Type": type } }).formData();
  } catch {
    throw new OAuthError("invalid_request", "the form is not valid");
  }
}
