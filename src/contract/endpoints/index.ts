import type { Endpoint } from "../endpoint.ts";
import type { RecordsSetting } from "../resources/open-record.ts";
import type { TtlProfile } from "../ttl.ts";
import { accountEndpoints } from "./account.ts";
import { backupEndpoints } from "./backups.ts";
import { beyondEndpoints } from "./beyond.ts";
import { diskEndpoints } from "./disks.ts";
import { domainEndpoints, openRecordEndpoints } from "./domains.ts";
import { entityTransferEndpoints } from "./entity-transfers.ts";
import { eventEndpoints } from "./events.ts";
import { firewallEndpoints } from "./firewalls.ts";
import { invoiceEndpoints } from "./invoices.ts";
import { loginEndpoints } from "./logins.ts";
import { managedEndpoints } from "./managed.ts";
import { nodeConfigEndpoints } from "./node-configs.ts";
import { nodeEndpoints } from "./nodes.ts";
import { oauthClientEndpoints } from "./oauth-clients.ts";
import { regionEndpoints } from "./regions.ts";
import { supportEndpoints } from "./support.ts";
import { tagEndpoints } from "./tags.ts";
import { volumeEndpoints } from "./volumes.ts";

/** The whole API: one entry for each endpoint. */
export const endpoints = {
  ...accountEndpoints,
  ...domainEndpoints,
  ...entityTransferEndpoints,
  ...eventEndpoints,
  ...invoiceEndpoints,
  ...loginEndpoints,
  ...managedEndpoints,
  ...nodeEndpoints,
  ...diskEndpoints,
  ...nodeConfigEndpoints,
  ...backupEndpoints,
  ...volumeEndpoints,
  ...firewallEndpoints,
  ...oauthClientEndpoints,
  ...regionEndpoints,
  ...supportEndpoints,
  ...tagEndpoints,
  ...beyondEndpoints,
} as const;

export type EndpointTable = typeof endpoints;
export type EndpointName = keyof EndpointTable;

/** The endpoints of a service with these records. */
export function endpointsWith(records: RecordsSetting = "documented"): Readonly<Record<EndpointName, Endpoint>> {
  return records === "open" ? { ...endpoints, ...openRecordEndpoints } : endpoints;
}

/** The endpoints of a service with this profile and these records, with their names. */
export function endpointsIn(profile: TtlProfile, records: RecordsSetting = "documented"): [EndpointName, Endpoint][] {
  const entries = Object.entries(endpointsWith(records)) as [EndpointName, Endpoint][];
  return entries.filter(([, endpoint]) => endpoint.profile === undefined || endpoint.profile === profile);
}
