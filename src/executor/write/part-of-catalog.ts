import { type Name, type NameKey, nameKey, parent } from "../../dns/name/name.ts";
import { isType } from "../../dns/zone/zone.ts";
import { type RecordChange, subject, writesOf, type ZonePlan } from "../../planner/changes/change.ts";

/** The zones of a run that are not as planned. */
interface Unfinished {
  /** Those that failed. */
  readonly failed: readonly ZonePlan[];
  /** Those that are not deleted after all. */
  readonly staying: readonly { readonly name: Name }[];
}

/**
 * The part of a catalog's plan that can be written although zones failed: a zone of which no server has anything yet is
 * not added, and one that is not deleted stays. Undefined if nothing is left.
 */
export function partOfCatalog(catalog: ZonePlan, { failed, staying }: Unfinished): ZonePlan | undefined {
  const missing = new Set(failed.filter(isNew).map(({ zone }) => nameKey(zone.name)));
  const kept = new Set(staying.map(({ name }) => nameKey(name)));
  const owners = new Set(
    writesOf(catalog).flatMap((write) => {
      const member = memberOf(write);
      const isOut = member !== undefined && (write.kind === "delete" ? kept : missing).has(member);
      return isOut ? [nameKey(subject(write).owner)] : [];
    }),
  );
  if (owners.size === 0) return catalog;
  const isOut = (write: RecordChange) => {
    const owner = nameKey(subject(write).owner);
    return owners.has(owner) || owners.has(parent(owner));
  };
  const out = writesOf(catalog).filter(isOut);
  const after = new Set(out.flatMap((write) => (write.kind === "delete" ? [] : [write.after])));
  const before = out.flatMap((write) => (write.kind === "create" ? [] : [write.before]));
  const records = [...catalog.zone.records.filter((record) => !after.has(record)), ...before];
  const steps = catalog.steps.flatMap((step) => {
    const writes = step.writes.filter((write) => !isOut(write));
    return writes.length > 0 ? [{ ...step, writes }] : [];
  });
  // A new catalog without members would remove all zones from secondaries that had an earlier one.
  const isLeft = catalog.domainId === undefined ? records.some(({ type }) => type === "PTR") : steps.length > 0;
  return isLeft ? { ...catalog, zone: { ...catalog.zone, records }, steps } : undefined;
}

/** Whether no server had anything of the zone before. */
function isNew(zone: ZonePlan): boolean {
  return zone.unchanged === 0 && writesOf(zone).every(({ kind }) => kind === "create");
}

function memberOf(write: RecordChange): NameKey | undefined {
  const record = subject(write);
  return isType(record, "PTR") ? nameKey(record.data.ptrdname) : undefined;
}
