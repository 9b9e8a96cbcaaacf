import * as z from "zod";

const texts = {
  access: "Whether the operator may log in by SSH",
  user: "User that the operator logs in as",
  ip: "Address of the node that the operator connects to, or any",
  port: "Port of the SSH server",
};

/** How the operator reaches a node (decisions/documents#managed-monitoring). */
export const managedNodeSettings = z.object({
  id: z.int().describe("Id of the node"),
  label: z.string().describe("Label of the node"),
  group: z.string().describe("Group of the node, for display only"),
  ssh: z.object({
    access: z.boolean().describe(texts.access),
    user: z.string().describe(texts.user),
    ip: z.string().describe(texts.ip),
    port: z.int().describe(texts.port),
  }),
});

const userLength = "Length must be 1-32 characters";
const portBounds = "Must be 1-65535";

/** `PUT /managed/node-settings/{nodeId}`: a partial update; members that are absent or null stay unchanged. */
export const managedNodeSettingsUpdate = z.object({
  ssh: z
    .object({
      access: z.boolean().nullish().describe(texts.access),
      user: z
        .string()
        .min(1, { error: userLength, abort: true })
        .max(32, { error: userLength, abort: true })
        .regex(/^[!-~]*$/, "Must have only printable ASCII characters without spaces")
        .nullish()
        .describe(texts.user),
      ip: z.string().nullish().describe(texts.ip),
      port: z.int({ error: portBounds }).min(1, portBounds).max(65_535, portBounds).nullish().describe(texts.port),
    })
    .nullish()
    .describe("Access by SSH"),
});

export type ManagedNodeSettings = z.output<typeof managedNodeSettings>;
export type ManagedNodeSettingsUpdate = z.output<typeof managedNodeSettingsUpdate>;

/** Attributes of node settings that `X-Filter` supports. */
export const managedNodeSettingsFilterable = ["label"] as const;

/** The columns that a table of node settings begins with. */
export const managedNodeSettingsColumns = ["id", "label", "ssh.access", "ssh.user", "ssh.ip", "ssh.port"] as const;
