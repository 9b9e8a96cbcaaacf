import { timingSafeEqual } from "node:crypto";
import type { PublicContext } from "../../entities/context.ts";
import type { OAuthClientRow } from "../../store/tables.ts";
import { hashSecret } from "../users/tokens-rows.ts";
import { OAuthError } from "./errors.ts";
import { findActiveOAuthClient } from "./oauth-clients-rows.ts";
import { readParameter } from "./parameters.ts";

/**
 * The client of a request, by the fields `client_id` and `client_secret` or by HTTP Basic (RFC 6749 §2.3.1). A public
 * client needs no secret, but one that is sent must be right.
 * @throws {OAuthError}
 */
export async function authenticateClient(
  form: URLSearchParams,
  authorization: string | null,
  { store }: PublicContext,
): Promise<OAuthClientRow> {
  const { id, secret } = readCredentials(form, authorization);
  const client = await store.read((db) => findActiveOAuthClient(db, id));
  if (client === undefined || !(secret === undefined ? client.public === 1 : hasSecret(client, secret)))
    throw new OAuthError("invalid_client", "the client is not known, is disabled, or its secret is wrong");
  return client;
}

function hasSecret({ secret_hash }: OAuthClientRow, secret: string): boolean {
  return timingSafeEqual(Buffer.from(hashSecret(secret)), Buffer.from(secret_hash));
}

interface Credentials {
  readonly id: string;
  readonly secret: string | undefined;
}

function readCredentials(form: URLSearchParams, authorization: string | null): Credentials {
  const id = readParameter(form, "client_id");
  const secret = readParameter(form, "client_secret");
  if (authorization === null) {
    if (id === undefined) throw new OAuthError("invalid_client", "client_id is missing");
    return { id, secret };
  }
  const basic = readBasic(authorization);
  if (basic === undefined) throw new OAuthError("invalid_client", "the Authorization header is not that of a client");
  if (secret !== undefined || (id !== undefined && id !== basic.id))
    throw new OAuthError("invalid_request", "the client is given both in the header and in the form");
  return basic;
}

/** Both parts are encoded as in a form. */
function readBasic(authorization: string): Credentials | undefined {
  const [, encoded] = /^Basic +([\w+/]+=*)$/i.exec(authorization) ?? [];
  if (encoded === undefined) return undefined;
  const [, id, secret] = /^([^:]+):(.*)$/s.exec(Buffer.from(encoded, "base64").toString("utf8")) ?? [];
  if (id === undefined || secret === undefined) return undefined;
  const decode = (text: string) => new URLSearchParams(`x=${text.replaceAll("&", "%26")}`).get("x") ?? "";
  return { id: decode(id), secret: decode(secret) };
}
