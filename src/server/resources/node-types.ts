import type { Handler } from "../handlers.ts";
import { envelope } from "./envelope.ts";

/** An empty list, because the service has no compute nodes; Terraform's provider reads it before anything else. */
export const listNodeTypes: Handler<"listNodeTypes"> = async ({ query }) => envelope([], 0, query);
