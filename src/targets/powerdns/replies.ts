import * as z from "zod";

/** A record of an RRset. A disabled one is stored, and not served. */
const record = z.object({ content: z.string(), disabled: z.boolean().optional() });

const rrset = z.object({ name: z.string(), type: z.string(), ttl: z.int(), records: z.array(record) });

/** An RRset as the API has it; its comments are neither read nor sent, so that they stay. */
export type Rrset = z.output<typeof rrset>;
export type RrsetRecord = z.output<typeof record>;

const head = z.object({
  name: z.string(),
  kind: z.string(),
  masters: z.array(z.string()).optional(),
  dnssec: z.boolean().optional(),
});

/** A zone in the list of zones. */
export type ZoneHeadReply = z.output<typeof head>;

export const zoneList = z.array(head);

export const zoneFields = head.extend({
  /** Also false if the zone does not state it, and then the setting of the server counts. */
  api_rectify: z.boolean().optional(),
  soa_edit_api: z.string().optional(),
  /** The stored one. */
  serial: z.int().optional(),
});

/** A zone without its RRsets. */
export type ZoneFieldsReply = z.output<typeof zoneFields>;

export const zoneReply = zoneFields.extend({ rrsets: z.array(rrset) });

/** The same with all of its fields. */
export const anyZone = z.looseObject({ name: z.string(), rrsets: z.array(z.unknown()) });

/** A zone with its RRsets. */
export type ZoneReply = z.output<typeof zoneReply>;

/** The metadata of a zone, such as API-RECTIFY with the value 1. */
export const metadataList = z.array(z.object({ kind: z.string(), metadata: z.array(z.string()) }));

/** The settings of the server. */
export const configReply = z.array(z.object({ name: z.string(), value: z.string() }));

export const serverReply = z.object({ id: z.string(), daemon_type: z.string(), version: z.string() });

export type PowerDnsVersion = z.output<typeof serverReply>;
