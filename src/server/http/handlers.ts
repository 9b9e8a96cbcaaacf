import * as accountActions from "../areas/account/account-actions.ts";
import * as account from "../areas/account/account-handlers.ts";
import * as notifications from "../areas/account/notifications-handlers.ts";
import * as tags from "../areas/account/tags-handlers.ts";
import * as invoices from "../areas/billing/invoices-handlers.ts";
import * as images from "../areas/catalog/images-handlers.ts";
import * as kernels from "../areas/catalog/kernels-handlers.ts";
import * as nodeTypes from "../areas/catalog/node-types-handlers.ts";
import * as regions from "../areas/catalog/regions-handlers.ts";
import * as domainActions from "../areas/domains/domains-actions.ts";
import * as domains from "../areas/domains/domains-handlers.ts";
import * as records from "../areas/domains/records-handlers.ts";
import * as events from "../areas/events/handlers.ts";
import * as managedContacts from "../areas/managed/contacts-handlers.ts";
import * as managedCredentials from "../areas/managed/credentials-handlers.ts";
import * as managedIssues from "../areas/managed/issues-handlers.ts";
import * as managedNodeSettings from "../areas/managed/node-settings-handlers.ts";
import * as managedServices from "../areas/managed/services-handlers.ts";
import * as managedStats from "../areas/managed/stats-handlers.ts";
import * as addressActions from "../areas/nodes/handlers/addresses-actions.ts";
import * as backupActions from "../areas/nodes/handlers/backups-actions.ts";
import * as cloneActions from "../areas/nodes/handlers/clones-actions.ts";
import * as disks from "../areas/nodes/handlers/disks.ts";
import * as diskActions from "../areas/nodes/handlers/disks-actions.ts";
import * as firewalls from "../areas/nodes/handlers/firewalls.ts";
import * as firewallActions from "../areas/nodes/handlers/firewalls-actions.ts";
import * as maintenance from "../areas/nodes/handlers/maintenance.ts";
import * as moveActions from "../areas/nodes/handlers/moves-actions.ts";
import * as nodeConfigs from "../areas/nodes/handlers/node-configs.ts";
import * as nodeStats from "../areas/nodes/handlers/node-stats.ts";
import * as nodes from "../areas/nodes/handlers/nodes.ts";
import * as nodeActions from "../areas/nodes/handlers/nodes-actions.ts";
import * as volumes from "../areas/nodes/handlers/volumes.ts";
import * as volumeActions from "../areas/nodes/handlers/volumes-actions.ts";
import * as oauthClients from "../areas/oauth/oauth-clients-handlers.ts";
import * as ticketActions from "../areas/support/handlers/tickets-actions.ts";
import * as tickets from "../areas/support/handlers/tickets-handlers.ts";
import * as entityTransferActions from "../areas/transfers/entity-transfers-actions.ts";
import * as entityTransfers from "../areas/transfers/entity-transfers-handlers.ts";
import * as logins from "../areas/users/logins-handlers.ts";
import * as profile from "../areas/users/profile-handlers.ts";
import * as tokens from "../areas/users/tokens-handlers.ts";
import * as users from "../areas/users/users-handlers.ts";
import type { Handlers } from "../entities/context.ts";

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
