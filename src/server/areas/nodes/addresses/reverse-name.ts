import { type ApiErrorEntry, reasons } from "../../../../contract/errors.ts";
import type { PublicContext } from "../../../entities/context.ts";
import { errorEntry } from "../../../kit/api-error.ts";
import { isHost } from "../../../kit/name.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import type { Database } from "../../../store/tables.ts";
import { toStoredName } from "../../domains/lookups.ts";
import { findAddresses } from "./own-zones.ts";

/** The name of an address in reverse DNS as it is stored: without the final dot. */
export function toStoredReverseName(sent: string): string {
  return sent.replace(/\.$/, "");
}

/**
 * Errors for the name of an address in reverse DNS. A lookup of the name must find the address if the answer is in the
 * zones of this server; names of others are not looked up (decisions/nodes#reverse-dns).
 */
export async function lookupErrors(
  db: Database,
  sent: string,
  address: string,
  { now, catalog }: Pick<PublicContext, "now" | "catalog">,
): Promise<ApiErrorEntry[]> {
  const name = toStoredReverseName(sent);
  if (!isHost(name) || !name.includes(".")) return [errorEntry("rdns", reasons.domainNotValid)];
  const type = address.includes(":") ? "AAAA" : "A";
  const found = await findAddresses(db, toStoredName(name), type, { now: timestamp(now), catalog });
  if (found === "elsewhere" || found.includes(address)) return [];
  return [errorEntry("rdns", `${reasons.lookupFailed}'${sent}' at this time.`)];
}
