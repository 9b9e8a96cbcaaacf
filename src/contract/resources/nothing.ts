import * as z from "zod";

/** The reply of actions and deletions (first document, General conventions). */
export const nothing = z.object({});
