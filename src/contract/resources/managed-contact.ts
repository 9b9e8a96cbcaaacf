import * as z from "zod";
import { annotate, moment } from "../meta.ts";
import { visibleLabel } from "./label.ts";

const texts = {
  name: "Name of the person",
  email: "E-mail address of the person",
  group: "Group of the person, which monitored services can name",
  primary: "First phone number",
  secondary: "Second phone number",
};

/** A person whom the operator contacts about managed services (decisions/documents#managed-monitoring). */
export const managedContact = z.object({
  id: z.int().describe("Id of the contact"),
  name: annotate(z.string().describe(texts.name), { minLength: 2, maxLength: 64 }),
  email: z.string().describe(texts.email),
  phone: z.object({
    primary: z.string().nullable().describe(`${texts.primary}; empty if unset, and in profile live null`),
    secondary: z.string().nullable().describe(texts.secondary),
  }),
  group: annotate(z.string().describe(texts.group), { minLength: 2, maxLength: 50 }).nullable(),
  updated: moment("When the contact was last changed"),
});

function boundText(field: string, least: number, most: number) {
  const length = `Length must be ${least}-${most} characters`;
  return z
    .string({ error: ({ input }) => (input == null ? `${field} is required` : "Must be of type String") })
    .min(least, { error: length, abort: true })
    .max(most, { error: length, abort: true });
}

const name = visibleLabel(
  boundText("name", 2, 64).regex(/^[\w -]*$/, "Must have only letters, digits, spaces, dashes and underscores"),
).describe(texts.name);
/** An address has at most 128 characters, as in accounts. */
const email = boundText("email", 0, 128).describe(texts.email);
const group = visibleLabel(boundText("group", 2, 50))
  .nullish()
  .describe(texts.group);

/** Limit on the length of a phone number, as in accounts. */
const longestNumber = 32;
const phoneNumber = (what: string) =>
  z.string().max(longestNumber, `Length must be 0-${longestNumber} characters`).nullish().describe(what);

const phone = z
  .object({ primary: phoneNumber(texts.primary), secondary: phoneNumber(texts.secondary) })
  .nullish()
  .describe("Phone numbers");

/** `POST /managed/contacts`. */
export const newManagedContact = z.object({ name, email, phone, group });

/**
 * `PUT /managed/contacts/{contactId}`: a partial update. Fields that are absent stay unchanged; null removes a group or
 * a phone number.
 */
export const managedContactUpdate = z.object({ name: name.nullish(), email: email.nullish(), phone, group });

export type ManagedContact = z.output<typeof managedContact>;
export type NewManagedContact = z.output<typeof newManagedContact>;
export type ManagedContactUpdate = z.output<typeof managedContactUpdate>;

/** Attributes of a contact that `X-Filter` supports. */
export const managedContactFilterable = ["group"] as const;

/** The columns that a table of contacts begins with. */
export const managedContactColumns = ["id", "name", "email", "phone.primary", "group"] as const;
