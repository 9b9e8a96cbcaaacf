import * as z from "zod";
import { moment, word } from "../meta.ts";

/** An image of the catalogue, with the field names of the hosted service. */
export const image = z.object({
  id: word("id", z.string().describe("Id of the image")),
  label: z.string().describe("Name of the image"),
  size: z.int().describe("Smallest disk that holds the image, in MB"),
  type: z.string().describe("Always manual"),
  is_public: z.boolean().describe("Always true"),
  status: z.string().describe("Always available"),
  vendor: z.string().nullable().describe("Distribution of the image"),
  description: z.string().nullable().describe("Always null"),
  deprecated: z.boolean().describe("Always false"),
  created: moment("When the image was created"),
  updated: moment("When the image was last changed"),
  created_by: z.string().nullable().describe("Always linode"),
  eol: moment("When support for the image ends").nullable(),
  expiry: moment("When the image is deleted").nullable(),
  capabilities: z.array(word("capability", z.string())).describe("Always empty"),
  regions: z.array(z.object({ region: z.string(), status: z.string() })).describe("Always empty: it is in all regions"),
  tags: z.array(z.string()).describe("Always empty"),
  total_size: z.int().describe("MB of all copies"),
  is_shared: z.boolean().describe("Always false"),
});

export type Image = z.output<typeof image>;
