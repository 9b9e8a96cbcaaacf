import * as z from "zod";

/** A user of the account, with the field names of the hosted service. */
export const user = z.object({
  username: z.string().describe("Name of the user"),
  email: z.string().describe("E-mail address of the user; empty if unset"),
  restricted: z.boolean().describe("Whether the user is limited to grants"),
  ssh_keys: z.array(z.string()).describe("Names of the public SSH keys of the user"),
  tfa_enabled: z.boolean().describe("Always false"),
});

export type User = z.output<typeof user>;

/** Attributes of a user that `X-Filter` supports. */
export const userFilterable = ["username"] as const;
