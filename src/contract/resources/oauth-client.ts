import * as z from "zod";
import { annotate, openEnum, redactedSecret } from "../meta.ts";
import { visibleLabel } from "./label.ts";

const statuses = ["active", "disabled", "suspended"] as const;
export type OAuthClientStatus = (typeof statuses)[number];

/** Digits of an id: hexadecimal. */
export const clientIdLength = 20;

const texts = {
  label: "Name of the application, shown to users when they are asked to grant access",
  redirect_uri: "URL to which users are sent with the code: http, https, or a scheme with a dot; no fragment",
  public: "Whether the application cannot keep a secret; it must use PKCE",
};

/** An OAuth client in replies of the API (decisions/documents#oauth-clients). */
export const oauthClient = z.object({
  id: z.string().describe("Public identifier"),
  redirect_uri: z.string().describe(texts.redirect_uri),
  label: annotate(z.string().describe(texts.label), { minLength: 1, maxLength: 512 }),
  status: openEnum(statuses),
  secret: z
    .string()
    .describe(`Secret of the client in the replies that create or reset it, otherwise ${redactedSecret}`),
  thumbnail_url: z.string().nullable().describe("Always null"),
  public: z.boolean().describe(texts.public),
});

const redirectUri = annotate(z.string(), { examples: ["https://app.example.com/callback"] });
const labelLength = "Length must be 1-512 characters";
const label = visibleLabel(z.string().min(1, { error: labelLength, abort: true }).max(512, labelLength));

/** `POST /account/oauth-clients`. */
export const newOAuthClient = z.object({
  label: label.describe(texts.label),
  redirect_uri: redirectUri.describe(texts.redirect_uri),
  public: z.boolean().nullish().describe(texts.public),
});

/** `PUT /account/oauth-clients/{clientId}`: a partial update; fields that are absent or null stay unchanged. */
export const oauthClientUpdate = z.object({
  label: label.nullish().describe(texts.label),
  redirect_uri: redirectUri.nullish().describe(texts.redirect_uri),
  public: z.boolean().nullish().describe(texts.public),
});

export type OAuthClient = z.output<typeof oauthClient>;
export type NewOAuthClient = z.input<typeof newOAuthClient>;
export type OAuthClientUpdate = z.input<typeof oauthClientUpdate>;

/** Attributes of a client that `X-Filter` supports. */
export const oauthClientFilterable = ["label", "public"] as const;

/** The columns that a table of OAuth clients begins with. */
export const oauthClientColumns = ["id", "label", "status", "redirect_uri", "public"] as const;
