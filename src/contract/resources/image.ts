import * as z from "zod";
import { word } from "../meta.ts";

/** An image of the catalogue, with the field names of the hosted service. */
export const image = z.object({
  id: word("id", z.string().describe("Id of the image")),
  label: z.string().describe("Name of the image"),
  size: z.int().describe("Smallest disk that holds the image, in MB"),
  type: z.string().describe("Always manual"),
  is_public: z.boolean().describe("Always true"),
  status: z.string().describe("Always available"),
});

export type Image = z.output<typeof image>;

/** Attributes of an image that `X-Filter` supports; Terraform's provider filters by them. */
export const imageFilterable = ["id", "label", "size", "type", "is_public", "status"] as const;
