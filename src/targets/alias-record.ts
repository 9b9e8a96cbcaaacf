import type { Problem } from "../diagnostics/problem.ts";
import { problem } from "../diagnostics/problem.ts";
import { placeWithIncludes } from "../dns/lookup/rule.ts";
import { isSameName, relativeTo } from "../dns/name/name.ts";
import type { DesiredRecord } from "../dns/zone/desired-live.ts";
import { isType, type Zone, type ZoneRecord } from "../dns/zone/zone.ts";

/** Advice for an ALIAS record where it is not supported; `target` as it is shown. */
export function adviseAgainstAlias(target: string, isApex: boolean): string {
  return isApex
    ? `Write the A and AAAA records of "${target}" here, and update them when its addresses change.`
    : `Write \`CNAME ${target}\` instead.`;
}

/** A record as a service without ALIAS stores it, which loads DNS records only. */
export function storeWithoutAlias(
  { name }: Pick<Zone, "name">,
  record: DesiredRecord,
): { readonly record: DesiredRecord | undefined; readonly problem?: Problem } {
  if (!isAlias(record)) return { record };
  const { owner, data } = record;
  const target = relativeTo(data.target, name);
  const fix = adviseAgainstAlias(target, isSameName(owner, name));
  const summary = `${relativeTo(owner, name)} ALIAS points to "${target}"`;
  return { record: undefined, problem: problem("alias-record", summary, { fix, owner, ...placeWithIncludes(record) }) };
}

function isAlias(record: ZoneRecord): record is ZoneRecord<"ALIAS"> {
  return isType(record, "ALIAS");
}
