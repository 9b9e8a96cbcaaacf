import * as z from "zod";
import { annotate, moment, secret } from "../meta.ts";
import { visibleLabel } from "./label.ts";

const texts = { label: "Name of the credential, unique in the account" };

/**
 * A credential for the operator; its username and password are in no reply (decisions/documents#managed-monitoring).
 */
export const managedCredential = z.object({
  id: z.int().describe("Id of the credential"),
  label: annotate(z.string().describe(texts.label), { minLength: 2, maxLength: 75 }),
  last_decrypted: moment("When the operator last decrypted it; null if never").nullable(),
});

/** The public key of the operator for nodes and other servers of the account. */
export const managedSshKey = z.object({
  ssh_key: z.string().describe("Public key in OpenSSH format, for a file authorized_keys"),
});

const length = "Length must be 2-75 characters";
const label = visibleLabel(
  z
    .string({ error: ({ input }) => (input == null ? "label is required" : "Must be of type String") })
    .min(2, { error: length, abort: true })
    .max(75, { error: length, abort: true })
    .regex(/^[\w .-]*$/, "Must have only letters, digits, spaces, dots, dashes and underscores"),
).describe(texts.label);

/** Limit on the characters of a username (decisions/documents#managed-monitoring), and of a password. */
const longest = 5000;

const password = secret(
  z
    .string({ error: ({ input }) => (input == null ? "password is required" : "Must be of type String") })
    .min(1, { error: `Length must be 1-${longest} characters`, abort: true })
    .max(longest, `Length must be 1-${longest} characters`),
  "correct horse battery",
).describe("Password, which is stored encrypted and shown to the operator only");
const username = z
  .string()
  .max(longest, `Length must be 0-${longest} characters`)
  .nullish()
  .describe("Username, which is stored encrypted and shown to the operator only");

/** `POST /managed/credentials`. */
export const newManagedCredential = z.object({ label, password, username });

/** `PUT /managed/credentials/{credentialId}`: it changes neither username nor password. */
export const managedCredentialUpdate = z.object({ label: label.nullish() });

/** `POST /managed/credentials/{credentialId}/update`. */
export const managedPasswordUpdate = z.object({
  password,
  username: username.describe("Username; unchanged if absent or null"),
});

export type ManagedCredential = z.output<typeof managedCredential>;
export type NewManagedCredential = z.output<typeof newManagedCredential>;
export type ManagedCredentialUpdate = z.output<typeof managedCredentialUpdate>;
export type ManagedSshKey = z.output<typeof managedSshKey>;

/** Attributes of a credential that `X-Filter` supports. */
export const managedCredentialFilterable = ["label"] as const;

/** The columns that a table of credentials begins with. */
export const managedCredentialColumns = ["id", "label", "last_decrypted"] as const;
