import * as z from "zod";
import { annotate, moment, openEnum } from "../meta.ts";
import { visibleLabel } from "./label.ts";

export const managedServiceStatuses = ["disabled", "pending", "ok", "problem"] as const;
export type ManagedServiceStatus = (typeof managedServiceStatuses)[number];

const serviceTypes = ["url", "tcp"] as const;
export type ManagedServiceType = (typeof serviceTypes)[number];

const texts = {
  label: "Name of the service, for display only",
  address: "Monitored address: of a url service an http or https URL, of a tcp service a host and a port",
  timeout: "Seconds that a check may take before the service counts as down",
  body: "Text that the first MiB of the response must contain",
  consultation_group: "Group of the contacts to notify when an issue is detected",
  notes: "Information for the operator",
  region: "Region of the service; required if the address is a private IP address, and not allowed otherwise",
  credentials: "Ids of the credentials that the operator may use to resolve issues",
};

/** A monitored service in replies of the API (decisions/documents#managed-monitoring). */
export const managedService = z.object({
  id: z.int().describe("Id of the service"),
  status: openEnum(managedServiceStatuses),
  service_type: openEnum(serviceTypes),
  label: annotate(z.string().describe(texts.label), { minLength: 3, maxLength: 64 }),
  address: annotate(z.string().describe(texts.address), { minLength: 3 }),
  timeout: annotate(z.int().describe(texts.timeout), { minimum: 1, maximum: 255 }),
  body: annotate(z.string().describe(texts.body), { maxLength: 100 }).nullable(),
  consultation_group: annotate(z.string().describe(texts.consultation_group), { maxLength: 50 }),
  notes: z.string().nullable().describe(texts.notes),
  region: z.string().nullable().describe(texts.region),
  credentials: z.array(z.int()).describe(texts.credentials),
  created: moment("When the service was created"),
  updated: moment("When a user last changed the service"),
});

function boundNumber(field: string, least: number, most: number) {
  const length = `Length must be ${least}-${most} characters`;
  return z
    .string({ error: ({ input }) => (input == null ? `${field} is required` : "Must be of type String") })
    .min(least, { error: length, abort: true })
    .max(most, { error: length, abort: true });
}

const seconds = "Must be 1-255";

/** Limit on the characters of an address; longer ones are not in use. */
const longestAddress = 2048;
/** Limit on the characters of notes: that of a ticket. */
const longestNotes = 65_000;
/** Limit on the credentials of a service. */
const mostCredentials = 100;

const fields = {
  service_type: z
    .enum(serviceTypes, { error: ({ input }) => (input == null ? "service_type is required" : undefined) })
    .describe("Type of the check"),
  label: visibleLabel(
    boundNumber("label", 3, 64).regex(
      /^[\w .-]*$/,
      "Must have only letters, digits, spaces, dots, dashes and underscores",
    ),
  ).describe(texts.label),
  address: boundNumber("address", 3, longestAddress).describe(texts.address),
  timeout: z
    .int({ error: ({ input }) => (input == null ? "timeout is required" : seconds) })
    .min(1, seconds)
    .max(255, seconds)
    .describe(texts.timeout),
  body: boundNumber("body", 0, 100).nullish().describe(texts.body),
  consultation_group: boundNumber("consultation_group", 0, 50).nullish().describe(texts.consultation_group),
  notes: boundNumber("notes", 0, longestNotes).nullish().describe(texts.notes),
  region: z.string().nullish().describe(texts.region),
  credentials: z
    .array(z.int())
    .max(mostCredentials, `Must have at most ${mostCredentials} entries`)
    .nullish()
    .describe(texts.credentials),
};

/** `POST /managed/services`. */
export const newManagedService = z.object(fields);

/**
 * `PUT /managed/services/{serviceId}`: a partial update. Fields that are absent stay unchanged; null removes a body,
 * notes and a region.
 */
export const managedServiceUpdate = z.object({
  ...fields,
  service_type: fields.service_type.nullish(),
  label: fields.label.nullish(),
  address: fields.address.nullish(),
  timeout: fields.timeout.nullish(),
});

export type ManagedService = z.output<typeof managedService>;
export type NewManagedService = z.output<typeof newManagedService>;
export type ManagedServiceUpdate = z.output<typeof managedServiceUpdate>;

/** Attributes of a service that `X-Filter` supports. */
export const managedServiceFilterable = ["label", "status"] as const;

/** The columns that a table of services begins with. */
export const managedServiceColumns = ["id", "status", "label", "service_type", "address"] as const;
