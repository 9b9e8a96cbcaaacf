import * as z from "zod";
import { documented, moment, sent, word } from "../meta.ts";

/**
 * An account (first document, Account). Plans are bound to the three fields that every service sends. Other fields are
 * `""` when unset, and the members of `credit_card` are null without a card.
 */
export const account = z.object({
  company: documented(z.string().describe("Company name"), { maxLength: 128 }),
  email: sent(documented(z.string().describe("E-mail address of the account's owner"), { maxLength: 128 })),
  first_name: sent(documented(z.string().describe("First name of the owner"), { maxLength: 50 })),
  last_name: sent(documented(z.string().describe("Last name of the owner"), { maxLength: 50 })),
  address_1: sent(documented(z.string().describe("First line of the billing address"), { maxLength: 64 })),
  address_2: sent(documented(z.string().describe("Second line of the billing address"), { maxLength: 64 })),
  city: sent(documented(z.string().describe("City of the billing address"), { maxLength: 24 })),
  state: sent(documented(z.string().describe("State or province"), { maxLength: 24 })),
  zip: sent(z.string().describe("Postal code")),
  country: sent(z.string().describe("Two-letter ISO 3166 code")),
  phone: sent(documented(z.string().describe("Phone number of the owner"), { maxLength: 32 })),
  balance: sent(z.number().describe("US dollars")),
  tax_id: sent(documented(z.string().describe("Tax identification number"), { maxLength: 100 })),
  credit_card: sent(
    z
      .object({
        last_four: z.union([z.int(), z.string()]).nullable().describe("Last digits of the card number"),
        expiry: z.string().nullable().describe("Month and year, such as 11/2031"),
      })
      .describe("Credit card; its members are null if none is set"),
  ),
  balance_uninvoiced: sent(z.number().describe("US dollars since the last invoice")),
  active_since: moment("When the account was created"),
  capabilities: sent(z.array(word("capability", z.string())).describe("Features of the account other than domains")),
  active_promotions: sent(z.array(z.object({})).describe("Always empty")),
  euuid: z.string().describe("External unique identifier"),
});

export type Account = z.output<typeof account>;
