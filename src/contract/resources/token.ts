import * as z from "zod";
import { moment, redactedSecret, word } from "../meta.ts";

/** A personal access token of the caller, with the field names of the hosted service. */
export const token = z.object({
  id: z.int().describe("Id of the token"),
  label: z.string().describe("Purpose of the token; may be empty"),
  scopes: word("scopes", z.string().describe("Scopes, separated by spaces; * for everything")),
  created: moment("When the token was created"),
  expiry: moment("When the token expires; null for never").nullable(),
  token: z.string().describe(`Always ${redactedSecret}: the service does not store the value`),
});

export type Token = z.output<typeof token>;

/** Attributes of a token that `X-Filter` supports. */
export const tokenFilterable = ["label"] as const;
