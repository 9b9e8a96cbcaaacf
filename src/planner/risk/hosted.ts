import { type ExposedRecords, findExposedIn, hostedTypes, type ProofIndex } from "../../dns/lookup/hosted-services.ts";
import type { NameKey } from "../../dns/name/name.ts";
import type { ZoneChange } from "./guard.ts";

/** The records of a name after a plan that point to services at which others could claim it. */
export function findExposedAt({ zone, after }: ZoneChange, name: NameKey, proofs: ProofIndex): ExposedRecords[] {
  const sets = hostedTypes.flatMap((type) => after.get(name)?.get(type) ?? []);
  return sets.flatMap((set) => findExposedIn(set, zone, () => proofs));
}
