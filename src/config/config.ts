import * as z from "zod";

const seconds = z.union([
  z.int().min(0),
  z.string().regex(/^(?:\d+|(?:\d+[smhdw])+)$/i, "is no time such as 3600 or 1h"),
]);

/** `zonewright.yaml`. Every key may be left out. */
export const configSchema = z.strictObject({
  api_url: z
    .url({ protocol: /^https?$/, error: "is no URL such as https://api.example.com" })
    .optional()
    .describe("Scheme and host of the API; /v4 is added"),
  zones: z
    .union([z.string(), z.array(z.string())])
    .default("zones")
    .describe("Folders with zone files, relative to this file"),
  defaults: z
    .strictObject({
      soa_email: z.string().optional(),
      ttl_sec: seconds.optional(),
      refresh_sec: seconds.optional(),
      retry_sec: seconds.optional(),
      expire_sec: seconds.optional(),
      tags: z.array(z.string()).optional(),
      group: z.string().optional(),
      axfr_ips: z.array(z.string()).optional(),
    })
    .default({})
    .describe("Settings of zones that do not say otherwise"),
  policy: z
    .strictObject({
      strict: z.boolean().default(false).describe("A TTL that the API would round is an error"),
    })
    .default({ strict: false }),
  nameservers: z
    .array(z.string())
    .default([])
    .describe("Names of the service's name servers; exported master files carry them as NS set"),
});

export type Config = z.output<typeof configSchema>;
