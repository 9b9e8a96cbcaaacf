import { ApiError, problem, refusal, refuse, unauthorized } from "../api-error.ts";
import type { Handler } from "../handlers.ts";
import { domainNameProblems } from "../rules/domain.ts";
import { nameserverProblems } from "../rules/nameserver.ts";
import { takenProblems } from "./taken.ts";

/** This server pulls no zones, so it creates none. The reason of profile live is the live service's, spelled as it is there. */
export const importDomain: Handler<"importDomain"> = async ({ body }, { profile, store, caller }) => {
  if (!caller.addsDomains) throw unauthorized();
  const { domain, remote_nameserver } = body;
  const taken = await store.read((db) => takenProblems(db, domain));
  refuse([...domainNameProblems(domain), ...taken, ...nameserverProblems(remote_nameserver)]);
  throw profile === "live"
    ? refusal("An unknown error occured. Please open a ticket for further assistance.")
    : new ApiError(400, [problem("remote_nameserver", "Zone transfers are not configured on this server.")]);
};
