import { ApiError, problem, refusal } from "../api-error.ts";
import type { Handler } from "../handlers.ts";

/** This server pulls no zones, so it creates none. The reason of profile live is the live service's, spelled as it is there. */
export const importDomain: Handler<"importDomain"> = async (_, { profile }) => {
  throw profile === "live"
    ? refusal("An unknown error occured. Please open a ticket for further assistance.")
    : new ApiError(400, [problem("remote_nameserver", "Zone transfers are not configured on this server.")]);
};
