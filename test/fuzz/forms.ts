import * as fc from "fast-check";
import { type OAuthPath, oauthPaths } from "../../src/server/areas/oauth/answer.ts";
import { anyText, mostly } from "./texts.ts";

/** A user with a browser and an application; of each account there is one. */
export type Person = "owner" | "stranger";

/**
 * A request of a path outside of the API, as browsers and applications send it. Its values are texts, but for words
 * such as `@code`, which stand for the last such value that its sender received, and `@other-code` for the other's.
 */
export interface FormRequest {
  readonly sender: Person;
  readonly method: string;
  readonly path: OAuthPath;
  /** Of the query of a GET, of the form otherwise. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The media type of the body, if it is a form. */
  readonly encoding: "urlencoded" | "multipart" | "json";
  /** Whose session the browser has. */
  readonly session: "own" | "other" | "none" | "unknown";
  /** Whether the client is in the header Authorization instead of the fields. */
  readonly isBasic: boolean;
}

/** The fields of each path, by the method; those with a question mark are often left out. */
const fieldsOf: Readonly<Record<OAuthPath, Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>>> = {
  "/oauth/authorize": {
    GET: {
      client_id: ["@client", "@client", "@client", "none"],
      response_type: ["code", "code", "code", "token"],
      "scope?": ["domains:read_only", "*", "account:read_write, events:read_only", "nonsense"],
      "state?": ["xyz", "a b&c=d"],
      "redirect_uri?": [
        "https://@me.example/",
        "https://@me.example/below",
        "https://evil.example/",
        "javascript:alert(1)",
      ],
      "code_challenge?": ["E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "short"],
      "code_challenge_method?": ["S256", "plain"],
    },
    POST: {
      request: ["@request", "@request", "@request", "@other-request", "client_id=@client&response_type=code"],
      token: ["@consent", "@consent", "@consent", "@other-consent", "@signIn"],
      decision: ["allow", "allow", "deny", "maybe"],
    },
  },
  "/oauth/token": {
    POST: {
      client_id: ["@client", "@client", "@client", "@other-client"],
      client_secret: ["@secret", "@secret", "@secret", "@other-secret"],
      "grant_type?": ["authorization_code", "refresh_token", "password"],
      code: ["@code", "@code", "@other-code", "@refresh"],
      refresh_token: ["@refresh", "@refresh", "@other-refresh", "@access"],
      "redirect_uri?": ["https://@me.example/"],
      "code_verifier?": ["dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"],
      "scope?": ["domains:read_only", "*"],
    },
  },
  "/oauth/token/expire": { POST: ofRevocation() },
  "/oauth/revoke": { POST: ofRevocation() },
  "/sign-in": {
    GET: { to: ["/", "/oauth/authorize?client_id=@client", "//evil.example", "https://evil.example/"] },
    POST: {
      to: ["/", "/", "/\\evil.example"],
      token: ["@signIn", "@signIn", "@other-signIn", "@consent"],
      username: ["@user", "@user", "@user", "@other-user"],
      password: ["@password", "@password", "@other-password"],
    },
  },
  "/sign-out": { POST: { to: ["@leave", "@leave", "/"], token: ["@signOut", "@other-signOut"] } },
};

function ofRevocation() {
  return {
    client_id: ["@client", "@client", "@other-client"],
    client_secret: ["@secret", "@secret", "@other-secret"],
    token: ["@access", "@refresh", "@code", "@other-access", "@other-refresh"],
    "token_type_hint?": ["access_token", "refresh_token"],
  };
}

/** Requests of all paths outside of the API, with their own methods. */
export function formRequests(): fc.Arbitrary<FormRequest> {
  const templates = oauthPaths.flatMap(([path, methods]) => methods.map((method) => requestOf(path, method)));
  return fc.oneof(...templates);
}

function requestOf(path: OAuthPath, method: string): fc.Arbitrary<FormRequest> {
  const fields = Object.entries(fieldsOf[path][method] ?? {}).map(([key, values]) => {
    const [name = "", ...rest] = key.split("?");
    const value = mostly(fc.constantFrom(...values), anyText).map((value) => [name, value] as const);
    const copies = (count: number) => fc.array(value, { minLength: count, maxLength: count });
    return rest.length > 0
      ? fc.oneof(copies(1), copies(0), copies(0))
      : mostly(mostly(copies(1), copies(0)), copies(2));
  });
  return fc.record({
    sender: fc.constantFrom<Person>("owner", "stranger"),
    method: fc.constant(method),
    path: fc.constant(path),
    fields: fc.tuple(...fields).map((all) => all.flat()),
    encoding: mostly<FormRequest["encoding"]>(fc.constant("urlencoded"), fc.constantFrom("multipart", "json")),
    session: mostly<FormRequest["session"]>(fc.constant("own"), fc.constantFrom("other", "none", "unknown")),
    isBasic: path.startsWith("/oauth/") ? mostly(fc.constant(false), fc.constant(true)) : fc.constant(false),
  });
}
