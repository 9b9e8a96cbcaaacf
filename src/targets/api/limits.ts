import type { Rule } from "../../dns/lookup/rule.ts";
import { aliasAlone, bindRefusal, dataLength, setLength } from "./open-limits.ts";
import { recordLimits as recordRules } from "./record-limits.ts";
import { zoneLimits } from "./zone-limits.ts";

/** Limits of the API. A record that breaks one is never sent. */
export const limits: readonly Rule[] = [...recordRules, ...zoneLimits];

export const recordLimitIds: ReadonlySet<string> = new Set(recordRules.map(({ id }) => id));

/** Zones that the API rejects by rules of DNS. */
const rejected = ["cname-alone", "cname-at-apex", "null-mx-alone", "wildcard-ns"];

const openZoneLimits = zoneLimits.filter(({ id }) => id !== "records-count");

/** The number of records can be allowed, because services of this API can have another limit. */
export const strictRules: ReadonlySet<string> = new Set([...openZoneLimits.map(({ id }) => id), ...rejected]);

const openRecordLimits: readonly Rule[] = [dataLength, setLength, aliasAlone, bindRefusal];

/**
 * The limits of a server that holds records of every type: those on settings, what a message holds, what ALIAS answers
 * for, and what BIND loads.
 */
export const openLimits: readonly Rule[] = [...openRecordLimits, ...openZoneLimits];

export const openRecordLimitIds: ReadonlySet<string> = new Set(openRecordLimits.map(({ id }) => id));
