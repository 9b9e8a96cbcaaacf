import * as z from "zod";
import { annotate, moment, secret, sent, word } from "../meta.ts";

const texts = {
  company: "Company name",
  email: "E-mail address of the account's owner",
  first_name: "First name of the owner",
  last_name: "Last name of the owner",
  address_1: "First line of the billing address",
  address_2: "Second line of the billing address",
  city: "City of the billing address",
  state:
    "State or province; for the countries US and CA a two-letter ISO 3166 code, for US military addresses AA, AE or AP",
  zip: "Postal code; up to nine letters and digits, with spaces and hyphens",
  country: "Two-letter ISO 3166 code",
  phone: "Phone number of the owner",
  tax_id: "Tax identification number",
};

/** Limits on the characters of an account's texts (decisions/documents#account; `zip` is this service's). */
const lengths = {
  company: 128,
  email: 128,
  first_name: 50,
  last_name: 50,
  address_1: 64,
  address_2: 64,
  city: 24,
  state: 24,
  zip: 20,
  phone: 32,
  tax_id: 100,
};

type LimitedText = keyof typeof lengths;

const replyText = (field: LimitedText) => annotate(z.string().describe(texts[field]), { maxLength: lengths[field] });

/** A promotion that pays invoices (decisions/documents#account). */
const promotion = z.object({
  credit_monthly_cap: sent(z.string().describe("US dollars that it pays in a month at most")),
  credit_remaining: sent(z.string().describe("US dollars left")),
  description: sent(z.string().describe("Conditions of the promotion")),
  expire_dt: sent(moment("When it ends")),
  image_url: sent(z.string().describe("URL of its picture")),
  service_type: sent(z.string().describe("Kind of service that it pays for")),
  summary: sent(z.string().describe("Name of the promotion")),
  this_month_credit_remaining: sent(z.string().describe("US dollars left in this month")),
});

/**
 * An account (decisions/documents#account). Plans are bound to the three fields that every service sends. Other fields
 * are `""` when unset, and the members of `credit_card` are null without a card.
 */
export const account = z.object({
  company: replyText("company"),
  email: sent(replyText("email")),
  first_name: sent(replyText("first_name")),
  last_name: sent(replyText("last_name")),
  address_1: sent(replyText("address_1")),
  address_2: sent(replyText("address_2")),
  city: sent(replyText("city")),
  state: sent(replyText("state")),
  zip: sent(replyText("zip")),
  country: sent(z.string().describe(texts.country)),
  phone: sent(replyText("phone")),
  balance: sent(z.number().describe("Amount due, in US dollars")),
  tax_id: sent(replyText("tax_id")),
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
  active_promotions: sent(z.array(promotion).describe("Always empty")),
  euuid: z.string().describe("External unique identifier"),
});

const inputText = (field: LimitedText, example?: string) =>
  annotate(z.string().max(lengths[field], `Length must be 0-${lengths[field]} characters`), {
    ...(example !== undefined && { examples: [example] }),
  })
    .nullish()
    .describe(field === "tax_id" ? `${texts[field]}; null removes it` : texts[field]);

/** `PUT /account`: a partial update; fields that are absent or null stay unchanged, but a null `tax_id` is cleared. */
export const accountUpdate = z.object({
  company: inputText("company"),
  email: inputText("email", "owner@example.com"),
  first_name: inputText("first_name"),
  last_name: inputText("last_name"),
  address_1: inputText("address_1"),
  address_2: inputText("address_2"),
  city: inputText("city"),
  state: inputText("state"),
  zip: inputText("zip"),
  country: z.string().nullish().describe(texts.country),
  phone: inputText("phone"),
  tax_id: inputText("tax_id"),
  active_promotions: z.array(promotion.partial()).nullish().describe("Accepted, but ignored"),
});

const monthReason = "Must be 1-12";
const yearReason = "Must be a year of four digits";

/** `POST /account/credit-card`. The service stores the last four digits of the number, and the expiry. */
export const creditCard = z.object({
  card_number: secret(
    z
      .string()
      .regex(/^\d{14,24}$/, "Must be 14-24 digits")
      .describe("Number of the card, without spaces and hyphens"),
  ),
  cvv: secret(
    z
      .string()
      .regex(/^\d{3,4}$/, "Must be 3-4 digits")
      .describe("Verification value of the card"),
  ),
  expiry_month: z.int().min(1, monthReason).max(12, monthReason).describe("Last month in which the card is valid"),
  expiry_year: z.int().min(1000, yearReason).max(9999, yearReason).describe("Year of that month"),
});

/** Limit on the characters of the comments on a cancellation: that of a ticket. */
const mostComments = 65000;

/** `POST /account/cancel`. */
export const cancellation = z.object({
  comments: z
    .string()
    .max(mostComments, `Length must be 0-${mostComments} characters`)
    .nullish()
    .describe("Reason for the cancellation, for the operator"),
});

/** The reply to a cancellation. */
export const cancelled = z.object({
  survey_link: z.string().describe("URL of an exit survey; empty if the service has none"),
});

/** Settings of new objects in the account, with the field names of the hosted service. */
export const accountSettings = z.object({
  backups_enabled: z.boolean().describe("Whether new nodes get backups"),
  managed: z.boolean().describe("Whether managed monitoring is enabled"),
  network_helper: z.boolean().describe("Whether new configurations of nodes get the network helper"),
  metrics_subscription: z.string().nullable().describe("Always null"),
  object_storage: z.string().describe("Always disabled"),
  interfaces_for_new_nodes: z.string().describe("Always legacy_config_only"),
  maintenance_policy: sent(word("id", z.string()).describe("Always that of nodes that migrate"), "live"),
});

export type Account = z.output<typeof account>;
export type AccountSettings = z.output<typeof accountSettings>;
export type AccountUpdate = z.input<typeof accountUpdate>;
export type CreditCard = z.input<typeof creditCard>;
export type CancelledAccount = z.output<typeof cancelled>;
