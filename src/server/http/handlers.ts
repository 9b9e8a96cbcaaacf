import * as accountActions from "../actions/account.ts";
import * as addressActions from "../actions/addresses.ts";
import * as backupActions from "../actions/backups.ts";
import * as cloneActions from "../actions/clones.ts";
import * as diskActions from "../actions/disks.ts";
import * as domainActions from "../actions/domains.ts";
import * as entityTransferActions from "../actions/entity-transfers.ts";
import * as firewallActions from "../actions/firewalls.ts";
import * as moveActions from "../actions/moves.ts";
import * as nodeActions from "../actions/nodes.ts";
import * as ticketActions from "../actions/tickets.ts";
import * as volumeActions from "../actions/volumes.ts";
import type { Handlers } from "../kit/context.ts";
import * as account from "../resources/account.ts";
import * as disks from "../resources/disks.ts";
import * as domains from "../resources/domains.ts";
import * as entityTransfers from "../resources/entity-transfers.ts";
import * as events from "../resources/events.ts";
import * as firewalls from "../resources/firewalls.ts";
import * as images from "../resources/images.ts";
import * as invoices from "../resources/invoices.ts";
import * as kernels from "../resources/kernels.ts";
import * as logins from "../resources/logins.ts";
import * as maintenance from "../resources/maintenance.ts";
import * as managedContacts from "../resources/managed-contacts.ts";
import * as managedCredentials from "../resources/managed-credentials.ts";
import * as managedIssues from "../resources/managed-issues.ts";
import * as managedNodeSettings from "../resources/managed-node-settings.ts";
import * as managedServices from "../resources/managed-services.ts";
import * as managedStats from "../resources/managed-stats.ts";
import * as nodeConfigs from "../resources/node-configs.ts";
import * as nodeStats from "../resources/node-stats.ts";
import * as nodeTypes from "../resources/node-types.ts";
import * as nodes from "../resources/nodes.ts";
import * as notifications from "../resources/notifications.ts";
import * as oauthClients from "../resources/oauth-clients.ts";
import * as profile from "../resources/profile.ts";
import * as records from "../resources/records.ts";
import * as regions from "../resources/regions.ts";
import * as tags from "../resources/tags.ts";
import * as tickets from "../resources/tickets.ts";
import * as tokens from "../resources/tokens.ts";
import * as users from "../resources/users.ts";
import * as volumes from "../resources/volumes.ts";

/** The handlers of the whole API: a missing one does not compile. */
export const handlers: Handlers = {
  ...account,
  ...accountActions,
  ...addressActions,
  ...diskActions,
  ...disks,
  ...backupActions,
  ...cloneActions,
  ...domainActions,
  ...domains,
  ...entityTransferActions,
  ...entityTransfers,
  ...events,
  ...firewallActions,
  ...firewalls,
  ...images,
  ...invoices,
  ...kernels,
  ...logins,
  ...maintenance,
  ...managedContacts,
  ...managedCredentials,
  ...managedIssues,
  ...managedNodeSettings,
  ...managedServices,
  ...managedStats,
  ...moveActions,
  ...nodeActions,
  ...nodeConfigs,
  ...nodeTypes,
  ...nodeStats,
  ...nodes,
  ...notifications,
  ...oauthClients,
  ...profile,
  ...records,
  ...regions,
  ...tags,
  ...ticketActions,
  ...tickets,
  ...tokens,
  ...users,
  ...volumeActions,
  ...volumes,
};
