import type { ApiErrorEntry } from "../../contract/errors.ts";
import { plainAddress } from "../../dns/address.ts";
import { errorEntry } from "../kit/api-error.ts";
import * as domains from "../store/domains.ts";
import * as records from "../store/records.ts";
import type { Database } from "../store/tables.ts";
import { isHostname } from "./name.ts";
import { isAddress } from "./target.ts";

/**
 * Errors for the name of an address in reverse DNS. A name in a zone of this server must have the address; other names
 * are not looked up (nodes: What DNS gains).
 */
export async function lookupErrors(db: Database, sent: string, address: string): Promise<ApiErrorEntry[]> {
  const name = sent.replace(/\.$/, "");
  if (!isHostname(name) || !name.includes(".")) return [errorEntry("rdns", "Domain is not valid.")];
  const domain = await domains.findServing(db, name);
  if (domain === undefined) return [];
  const relative = name.slice(0, Math.max(0, name.length - domain.domain.length - 1));
  const targets = await records.addressesOf(db, domain.id, relative);
  if (targets.some((target) => isAddress(target) && plainAddress(target) === address)) return [];
  return [errorEntry("rdns", `We were unable to perform a lookup for '${sent}' at this time.`)];
}
