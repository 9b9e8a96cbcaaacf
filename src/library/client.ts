export { ApiError, type ApiErrorKind } from "../client/api-error.ts";
export {
  type CallOptions,
  type Client,
  type ClientMethod,
  type ClientOptions,
  createClient,
} from "../client/client.ts";
export { ClientError } from "../client/client-error.ts";
export type { TransportErrorKind } from "../client/failure.ts";
export { all, type List, ListChangedError, type ListItem, type PagedInput, pages } from "../client/pages.ts";
export { createSend, type Send, SendError, type SendOptions } from "../client/send.ts";
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
export type { EndpointName, EndpointTable } from "../contract/endpoints/index.ts";
export type { ApiErrorEntry } from "../contract/errors.ts";
export type { Condition, Conditions, FilterOn, Scalar } from "../contract/filter.ts";
export type { OpenWord } from "../contract/meta.ts";
export type { Page } from "../contract/page.ts";
export type { Account, AccountSettings, AccountUpdate, CreditCard } from "../contract/resources/account.ts";
export type { Backup } from "../contract/resources/backup.ts";
export type { Disk, NewDisk } from "../contract/resources/disk.ts";
export type { Domain, DomainUpdate, NewDomain } from "../contract/resources/domain.ts";
export type { ApiEvent } from "../contract/resources/event.ts";
export type { Image } from "../contract/resources/image.ts";
export type { Kernel } from "../contract/resources/kernel.ts";
export type { Login } from "../contract/resources/login.ts";
export type { CloneRequest, NewNode, Node, NodeUpdate } from "../contract/resources/node.ts";
export type { NewNodeConfig, NodeConfig, NodeConfigUpdate } from "../contract/resources/node-config.ts";
export type { NodeType } from "../contract/resources/node-type.ts";
export type { Notification } from "../contract/resources/notification.ts";
export type { NewOAuthClient, OAuthClient, OAuthClientUpdate } from "../contract/resources/oauth-client.ts";
export type { Grants, UserProfile } from "../contract/resources/profile.ts";
export type { ApiRecord, NewRecord, RecordUpdate } from "../contract/resources/record.ts";
export type { Region } from "../contract/resources/region.ts";
export type { NewTicket, Ticket, TicketReply } from "../contract/resources/ticket.ts";
export type { Token } from "../contract/resources/token.ts";
export type { User } from "../contract/resources/user.ts";
export type { Scope } from "../contract/scopes.ts";
export type { Spelling } from "../contract/words.ts";
export type { ProblemKind, Severity } from "../diagnostics/ids/entry.ts";
export { type Place, type Problem, ProblemError } from "../diagnostics/problem.ts";
export type { ProblemId, RuleId } from "../diagnostics/registry.ts";
