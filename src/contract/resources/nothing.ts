import * as z from "zod";

/** The reply of actions and deletions (decisions/documents#conventions). */
export const nothing = z.object({});
