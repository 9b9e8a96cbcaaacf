import * as z from "zod";
import { documentation } from "./meta.ts";

export type JsonSchema = z.core.JSONSchema.JSONSchema;

/** The JSON Schema of a type as clients send it (`input`) or receive it (`output`), with its documented keywords. */
export function toJsonSchema(type: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(type, {
    io,
    override: ({ zodSchema, jsonSchema }) => {
      Object.assign(jsonSchema, documentation.get(zodSchema as unknown as z.ZodType)?.keywords);
    },
  });
}
