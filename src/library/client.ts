export { ApiError, type ApiErrorKind } from "../client/api-error.ts";
export {
  type CallOptions,
  type Client,
  type ClientMethod,
  type ClientOptions,
  createClient,
  type OpenRecordClient,
} from "../client/client.ts";
export { ClientError } from "../client/client-error.ts";
export type { TransportErrorKind } from "../client/failure.ts";
export { all, type List, ListChangedError, type ListItem, type PagedInput, pages } from "../client/pages.ts";
export { findProxies, type HttpProxy, type Proxies, type ProxyVariable } from "../client/proxy.ts";
export { createSend, type Send, type SendOptions } from "../client/send.ts";
export { SendError } from "../client/transport.ts";
export { TransportError } from "../client/transport-error.ts";
export {
  JobFailedError,
  type JobsOfNodes,
  JobUnknownError,
  newestEvent,
  type WaitOptions,
  WaitTimeoutError,
  waitFor,
  waitForEvent,
  waitForJobs,
} from "../client/wait-for.ts";
export type { Endpoint, FileToSend, Input, Reply } from "../contract/endpoint.ts";
export type { EndpointTag } from "../contract/endpoint-tags.ts";
export type { OpenRecordEndpoints } from "../contract/endpoints/domains.ts";
export type { EndpointName, EndpointTable } from "../contract/endpoints/index.ts";
export type { ApiErrorEntry } from "../contract/errors.ts";
export type { Condition, Conditions, FilterOn, Scalar } from "../contract/filter.ts";
export type { OpenWord } from "../contract/meta.ts";
export type { Page } from "../contract/page.ts";
export type {
  Account,
  AccountSettings,
  AccountUpdate,
  CancelledAccount,
  CreditCard,
} from "../contract/resources/account.ts";
export type { Address, AddressUpdate, NewAddress, NodeAddresses } from "../contract/resources/address.ts";
export type { Backup, Backups, NewSnapshot } from "../contract/resources/backup.ts";
export type { Disk, DiskUpdate, NewDisk } from "../contract/resources/disk.ts";
export type { Domain, DomainImport, DomainUpdate, NewDomain, RenderedZone } from "../contract/resources/domain.ts";
export type { EntityTransfer, NewEntityTransfer } from "../contract/resources/entity-transfer.ts";
export type { ApiEvent, Entity } from "../contract/resources/event.ts";
export type {
  Firewall,
  FirewallDevice,
  FirewallRules,
  FirewallUpdate,
  NewFirewall,
  NewFirewallDevice,
  NewFirewallRules,
} from "../contract/resources/firewall.ts";
export type { Image } from "../contract/resources/image.ts";
export type { Invoice, InvoiceItem } from "../contract/resources/invoice.ts";
export type { Kernel } from "../contract/resources/kernel.ts";
export type { Login } from "../contract/resources/login.ts";
export type { Maintenance } from "../contract/resources/maintenance.ts";
export type { ManagedContact, ManagedContactUpdate, NewManagedContact } from "../contract/resources/managed-contact.ts";
export type {
  ManagedCredential,
  ManagedCredentialUpdate,
  ManagedSshKey,
  NewManagedCredential,
} from "../contract/resources/managed-credential.ts";
export type { ManagedIssue } from "../contract/resources/managed-issue.ts";
export type { ManagedNodeSettings, ManagedNodeSettingsUpdate } from "../contract/resources/managed-node-settings.ts";
export type { ManagedService, ManagedServiceUpdate, NewManagedService } from "../contract/resources/managed-service.ts";
export type { ManagedStats } from "../contract/resources/managed-stats.ts";
export type { Alerts, CloneRequest, NewInterface, NewNode, Node, NodeUpdate } from "../contract/resources/node.ts";
export type {
  Device,
  Helpers,
  NewDevices,
  NewNodeConfig,
  NodeConfig,
  NodeConfigUpdate,
} from "../contract/resources/node-config.ts";
export type { MonthTransfer, NodeStats, Statistics, TransferPool } from "../contract/resources/node-stats.ts";
export type { NodeType } from "../contract/resources/node-type.ts";
export type { Notification } from "../contract/resources/notification.ts";
export type { NewOAuthClient, OAuthClient, OAuthClientUpdate } from "../contract/resources/oauth-client.ts";
export type {
  MoreFieldsOfTypes,
  NewOpenRecord,
  NewOpenRecordOf,
  OpenRecord,
  OpenRecordOf,
  OpenRecordType,
  OpenRecordUpdate,
  RecordsSetting,
} from "../contract/resources/open-record.ts";
export type { Grants, UserProfile } from "../contract/resources/profile.ts";
export type { ApiRecord, ApiRecordType, NewRecord, RecordUpdate } from "../contract/resources/record.ts";
export type { Region } from "../contract/resources/region.ts";
export type { NewTag, Tag, TaggedObject } from "../contract/resources/tag.ts";
export type { NewTicket, NewTicketReply, Ticket, TicketReply } from "../contract/resources/ticket.ts";
export type { Token } from "../contract/resources/token.ts";
export type { User } from "../contract/resources/user.ts";
export type { NewVolume, Volume, VolumeUpdate } from "../contract/resources/volume.ts";
export type { Scope } from "../contract/scopes.ts";
export type { Spelling } from "../contract/words.ts";
export type { Advice, Fix } from "../diagnostics/advice.ts";
export type { ProblemKind, Severity } from "../diagnostics/ids/entry.ts";
export { type Place, type Problem, ProblemError } from "../diagnostics/problem.ts";
export type { ProblemId, RuleId } from "../diagnostics/registry.ts";
