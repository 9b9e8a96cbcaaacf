import * as z from "zod";
import { moment, sent } from "../meta.ts";

/** A successful sign-in (decisions/documents#sign-ins). `status` is sent in profile live only. */
export const login = z.object({
  id: z.int().describe("Id of the sign-in"),
  datetime: moment("When the user signed in"),
  ip: z.string().describe("Address that the user signed in from"),
  username: z.string().describe("Name of the user"),
  status: sent(z.string().describe("Always successful"), "live"),
  restricted: z.boolean().describe("Whether the user was restricted"),
});

export type Login = z.output<typeof login>;
