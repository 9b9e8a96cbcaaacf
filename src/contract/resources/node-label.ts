import * as z from "zod";

const labelLength = "Length must be 3-64 characters";

/** Two dashes, underscores or periods in a row would look like one. */
export const nodeLabel = z
  .string()
  .min(3, { error: labelLength, abort: true })
  .max(64, { error: labelLength, abort: true })
  .regex(
    /^[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?$/,
    "Must have only letters, digits, dashes, underscores and periods, and begin and end with a letter or a digit",
  )
  .regex(/^(?!.*(?:--|__|\.\.))/s, "Must not have two dashes, underscores or periods in a row");
