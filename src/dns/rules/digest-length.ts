import { count } from "../../diagnostics/quantities.ts";
import type { Rule } from "../lookup/rule.ts";
import { readField } from "../rdata/record-type.ts";
import { recordTypes } from "../types/index.ts";
import type { ZoneRecord } from "../zone/zone.ts";

const digests = recordTypes.flatMap(({ type, fields }) =>
  fields.flatMap((field) => (field.digestOf ? [{ type, field, ...field.digestOf }] : [])),
);

const types = digests.map(({ type }) => type);

/** The fault of a digest or fingerprint with another length than that of its algorithm. */
export function wrongDigest({ type, data }: Pick<ZoneRecord, "type" | "data">): string | undefined {
  const digest = digests.find((one) => one.type === type);
  if (digest === undefined) return undefined;
  const { field, algorithm, octets } = digest;
  const expected = octets[Number(readField(data, { name: algorithm }))];
  const length = String(readField(data, field)).length / 2;
  if (expected === undefined || length === expected) return undefined;
  return `the ${field.name} has ${count(length, "octet")} instead of ${expected}`;
}

export const digestLength = ruleFor(types);

/** The same for records with which BIND loads no zone: it takes a TLSA or SMIMEA record of any length. */
export const refusedDigest = ruleFor(types.filter((type) => type !== "TLSA" && type !== "SMIMEA"));

function ruleFor(types: readonly string[]): Rule & { readonly types: readonly string[] } {
  return {
    id: "digest-length",
    types,
    *check(zone) {
      for (const type of types) {
        for (const { owner, records } of zone.sets(type)) {
          for (const record of records) {
            const wrong = wrongDigest(record);
            if (wrong === undefined) continue;
            const summary = `${zone.show(owner)} ${type}: ${wrong}`;
            yield { summary, at: record, fix: "Copy the complete value again." };
          }
        }
      }
    },
  };
}
