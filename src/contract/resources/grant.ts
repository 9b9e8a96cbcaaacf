import * as z from "zod";

/** Extent of a grant; `read_write` includes `read_only`. */
export const permissions = z.enum(["read_only", "read_write"]);
