import * as z from "zod";

/** An account, of which only what tells it from others is known here (first document, Account). */
export const account = z.object({
  active_since: z.string(),
  company: z.string(),
  euuid: z.string().describe("External unique identifier"),
});
