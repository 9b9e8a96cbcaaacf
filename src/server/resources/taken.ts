import { type ApiErrorEntry, reasons } from "../../contract/errors.ts";
import { problem } from "../api-error.ts";
import * as domains from "../store/domains.ts";
import type { Database } from "../store/store.ts";

/** A domain is unique on the whole platform, letter case aside (second document, Domain). */
export async function takenProblems(db: Database, domain: string, except?: number): Promise<ApiErrorEntry[]> {
  return (await domains.isTaken(db, domain, except)) ? [problem("domain", reasons.zoneExists)] : [];
}
