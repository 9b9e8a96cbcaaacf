import * as z from "zod";
import { kindNames } from "../config/target-kinds.ts";
import { advise } from "../diagnostics/advice.ts";
import { escapeControl } from "../diagnostics/escape.ts";
import { type ProblemError, problemError } from "../diagnostics/problem.ts";
import { Fault } from "../dns/name/fault.ts";
import { type NameKey, nameKey, readExactName } from "../dns/name/name.ts";
import { findType } from "../dns/types/index.ts";
import type { LiveRecord, LiveZone, UnknownRecord } from "../dns/zone/desired-live.ts";
import { rdataText } from "../dns/zone/zone.ts";
import type { SettingValue } from "../dns/zone/zone-settings.ts";
import { readRdataText } from "../formats/kit/rdata-text.ts";
import { headOfZone } from "./by-content.ts";
import { contentId } from "./content-id.ts";
import type { PlanningReads } from "./target.ts";

/** Another major version than that of the API: a program that knows only the API's would see no zones. */
export const contentSnapshotFormat = "zonewright.snapshot/2";

const maxTtl = 2 ** 31 - 1; // RFC 2181 §8

/** A name, with one character for each octet. */
const name = z.string().regex(/^[\0-\xff]*$/, "must consist of octets");

/** The live zones of a service without ids and settings, such as a name server, to plan against without a key. */
export const contentSnapshotSchema = z.object({
  format: z.literal(contentSnapshotFormat),
  time: z.iso.datetime().describe("Time when reading started"),
  target: z.object({
    name: z.string().describe("The name of the target in the config"),
    kind: z.enum(kindNames).describe("The kind of the target in the config"),
    api: z.string().describe("The address of the service"),
    account: z.null(),
  }),
  zones: z
    .array(z.string())
    .describe("The only zones that were read, whether they existed or not: absolute names in lower case"),
  contents: z.array(
    z.object({
      zone: name.describe("Absolute name"),
      records: z.array(
        z.object({
          owner: name.describe("Absolute name"),
          type: z.string(),
          ttl: z.int().min(0).max(maxTtl).describe("Seconds"),
          rdata: z.string().describe("In the presentation form of master files"),
        }),
      ),
      others: z
        .array(
          z.object({
            name,
            type: z.string(),
            isOfService: z.literal(true).optional(),
            isDisabled: z.literal(true).optional(),
            hasUpperCase: z.literal(true).optional(),
          }),
        )
        .optional()
        .describe(
          "Names and types of records that belong to the service, are disabled or not found, or have an unknown type",
        ),
      settings: z
        .record(z.string(), z.union([z.string(), z.number(), z.array(z.string())]))
        .optional()
        .describe("The settings of the zone; absent without one"),
      secondaryOf: z
        .array(z.string())
        .optional()
        .describe("The addresses that the service transfers the zone from; absent for a primary zone"),
      isSigned: z.literal(true).optional().describe("Whether the service signs the zone with keys of its own"),
    }),
  ),
});

export type ContentSnapshot = z.output<typeof contentSnapshotSchema>;
type Content = ContentSnapshot["contents"][number];

/** A snapshot of live zones. */
export function contentSnapshot(
  head: Omit<ContentSnapshot, "format" | "contents">,
  live: ReadonlyMap<NameKey, LiveZone>,
): ContentSnapshot {
  const contents = [...live.keys()].sort().flatMap((name) => contentOf(live.get(name)));
  return { format: contentSnapshotFormat, ...head, contents };
}

function contentOf(live: LiveZone | undefined): Content[] {
  if (live === undefined) return [];
  const records = live.records.map((record) => {
    const { owner, type, ttl = 0 } = record;
    return { owner, type, ttl, rdata: rdataText(record) };
  });
  const others = live.unknownRecords?.map(({ name, type, isOfService, isDisabled, hasUpperCase }) => ({
    name,
    type,
    ...(isOfService && { isOfService }),
    ...(isDisabled && { isDisabled }),
    ...(hasUpperCase && { hasUpperCase }),
  }));
  const { name, secondaryOf, isSigned } = live;
  const settings = Object.entries(live.settings).filter(
    (entry): entry is [string, SettingValue] => entry[1] !== undefined,
  );
  return [
    {
      zone: name,
      records,
      ...(others && { others }),
      ...(settings.length > 0 && { settings: Object.fromEntries(settings) as Content["settings"] }),
      ...(secondaryOf && { secondaryOf: [...secondaryOf] }),
      ...(isSigned && { isSigned }),
    },
  ];
}

/** The reads of a service at the time of a snapshot. @throws {ProblemError} `snapshot-read` */
export function readsOfContent({ contents }: ContentSnapshot): PlanningReads {
  const zones = new Map<NameKey, LiveZone>();
  for (const content of contents) {
    const zone = readContent(content);
    const name = nameKey(zone.name);
    if (zones.has(name)) throw snapshotFault(`the snapshot contains the zone ${zone.name} twice`);
    zones.set(name, zone);
  }
  return {
    listZones: async () => [...zones.values()].map(({ records, unknownRecords, ...head }) => head),
    readRecords: async ({ name }, { onUnknown } = {}) => {
      const zone = zones.get(nameKey(name));
      for (const other of zone?.unknownRecords ?? []) onUnknown?.(other);
      return zone?.records ?? [];
    },
    countRequests: () => 0,
    announcedLimit: () => undefined,
  };
}

/** A zone of a snapshot, which may come from others. */
function readContent({ zone, records, others, settings = {}, secondaryOf, isSigned }: Content): LiveZone {
  let at = zone;
  try {
    const name = readExactName(zone);
    const live = records.map((record) => {
      at = `${record.owner} ${record.type}`;
      return readLiveRecord(record);
    });
    return {
      ...headOfZone(name),
      settings,
      records: live,
      ...(others && { unknownRecords: others as UnknownRecord[] }),
      ...(secondaryOf && { secondaryOf }),
      ...(isSigned && { isSigned }),
    };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw snapshotFault(`the snapshot contains ${at}, which is not valid: ${error.problem.summary}`);
  }
}

/** @throws {Fault} `rdata-syntax` and its kin */
function readLiveRecord({ owner, type, ttl, rdata }: Content["records"][number]): LiveRecord {
  const found = findType(type);
  if (found === undefined) throw new Fault("rdata-syntax", "no record has this type");
  const record = { owner: readExactName(owner), type: found.type, ttl, data: readRdataText(found, rdata) };
  return { ...record, id: contentId(record) };
}

function snapshotFault(summary: string): ProblemError {
  const fix = advise`Create a new one with ${{ run: "snapshot" }}.`;
  return problemError("snapshot-read", escapeControl(summary), { fix });
}
