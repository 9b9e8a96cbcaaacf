import type { Handler } from "../kit/context.ts";
import { envelope } from "../kit/envelope.ts";

/** An empty list, because the service has no compute nodes; Terraform's provider reads it before anything else. */
export const listNodeTypes: Handler<"listNodeTypes"> = async ({ query }) => envelope([], 0, query);
