import type { Generated, Insertable, Kysely, Selectable } from "kysely";
import type { BackupType } from "../../contract/resources/backup.ts";
import type { DiskStatus, Filesystem } from "../../contract/resources/disk.ts";
import type { TransferStatus } from "../../contract/resources/entity-transfer.ts";
import type { FirewallStatus } from "../../contract/resources/firewall.ts";
import type { InvoiceItemType } from "../../contract/resources/invoice.ts";
import type { MaintenanceType } from "../../contract/resources/maintenance.ts";
import type { ManagedServiceStatus, ManagedServiceType } from "../../contract/resources/managed-service.ts";
import type { NodeStatus } from "../../contract/resources/node.ts";
import type { RunLevel, VirtualizationMode } from "../../contract/resources/node-config.ts";
import type { OAuthClientStatus } from "../../contract/resources/oauth-client.ts";

/**
 * The tables. Moments are `YYYY-MM-DDTHH:MM:SS` in UTC, so that they sort as text; times are seconds. `…_key` columns
 * are the lower-case forms of names, for comparison without regard to letter case (RFC 4343).
 */
export interface Tables {
  accounts: AccountTable;
  users: UserTable;
  /** Permissions of restricted users; deleted with the entity by its resource. */
  grants: { user_id: number; entity_type: GrantedType; entity_id: number; permissions: Permissions };
  tokens: TokenTable;
  oauth_clients: OAuthClientTable;
  authorizations: AuthorizationTable;
  /** Refresh tokens by their SHA-256; a used one remains as long as its authorization, to detect a second use. */
  refresh_tokens: { hash: string; authorization_id: number; used: Generated<number> };
  /** Signed-in browsers, by the SHA-256 of their cookie. */
  sessions: { hash: string; user_id: number; expires: string };
  ssh_keys: SshKeyTable;
  logins: LoginTable;
  domains: DomainTable;
  /** The last two labels of domains, as rows to lock: see `lockPlace`. */
  domain_roots: { root: string };
  tags: TagTable;
  /** Tags of entities, in the order of `position`; deleted with the entity by its resource. */
  tagged: { tag_id: number; entity_type: TaggedType; entity_id: number; position: number };
  records: RecordTable;
  events: EventTable;
  jobs: JobTable;
  nodes: NodeTable;
  disks: DiskTable;
  node_configs: NodeConfigTable;
  backups: BackupTable;
  volumes: VolumeTable;
  firewalls: FirewallTable;
  firewall_devices: FirewallDeviceTable;
  addresses: AddressTable;
  /** The next address of each network of the catalogue that was never given; see `allocate`. */
  address_pools: { network: string; next: number };
  /** Measured means of five minutes, from `at` on; `measures` is JSON. */
  node_samples: { node_id: number; at: string; measures: string };
  /** The times in which nodes ran; `ended` is null while one runs. */
  node_runs: { node_id: number; started: string; ended: string | null };
  charges: ChargeTable;
  invoices: InvoiceTable;
  invoice_items: InvoiceItemTable;
  payments: PaymentTable;
  /** The last number of each series that has no gaps, such as that of the invoices. */
  numbers: { series: string; last: number };
  tickets: TicketTable;
  ticket_replies: TicketReplyTable;
  files: FileTable;
  /** The content of a file in Base64, in parts 0, 1 …: the drivers have no binary type in common. */
  file_parts: { file_id: number; part: number; content: string };
  entity_transfers: EntityTransferTable;
  transferred_entities: TransferredEntityTable;
  notices: NoticeTable;
  maintenance: MaintenanceTable;
  managed_contacts: ManagedContactTable;
  managed_credentials: ManagedCredentialTable;
  /** The operator's key pair for an account: the public key in OpenSSH format, and the private one, sealed. */
  managed_ssh_keys: { account_id: number; public_key: string; sealed: string };
  managed_services: ManagedServiceTable;
  /** The credentials of services, in the order of `position`. */
  managed_service_credentials: { service_id: number; credential_id: number; position: number };
  managed_issues: ManagedIssueTable;
  /** Messages to people outside; kept for a day after they were delivered. */
  mail: MailTable;
  /** How the operator reaches a node by SSH, once it was changed; `access` is 1 if that is allowed. */
  managed_node_settings: ManagedNodeSettingsTable;
  /**
   * The name servers that a domain's zone was rendered with, and the number of its version in `zone_changes`; null if
   * it was rendered before there were such.
   */
  zones: { domain_id: number; name_servers: string; number: number | null };
  zone_changes: ZoneChangeTable;
  zone_lines: ZoneLinesTable;
  /** One row, which is written to find out whether the database can be written. */
  write_probes: { id: number; written: string };
  slaves: SlaveTable;
  /**
   * Separate from the domains: the serial of a deleted and recreated domain must continue, or secondaries keep the old
   * zone.
   */
  serials: { domain_key: string; serial: number };
  /**
   * Zones made from the names of addresses, by name without the final dot: the serial, 0 before the first, and the
   * settings that it was served with, null before that.
   */
  reverse_zones: { name: string; serial: number; settings: string | null };
}

/** A connection inside a transaction. */
export type Database = Kysely<Tables>;

export type Permissions = "read_only" | "read_write";

/** The types of entities that grants name (decisions/account#grants). */
export type GrantedType = "domain" | "node" | "volume" | "firewall";

/** The types of entities that can move to another account (decisions/account#transfers). */
export type TransferredType = "domain" | "node";

/** The types of entities that can have tags (decisions/documents#tags). */
export type TaggedType = "domain" | "firewall" | "node" | "balancer" | "volume";

interface AccountTable {
  id: Generated<number>;
  name: string;
  created: string;
  euuid: Generated<string>;
  company: Generated<string>;
  email: Generated<string>;
  first_name: Generated<string>;
  last_name: Generated<string>;
  address_1: Generated<string>;
  address_2: Generated<string>;
  city: Generated<string>;
  state: Generated<string>;
  zip: Generated<string>;
  country: Generated<string>;
  phone: Generated<string>;
  tax_id: Generated<string>;
  /** The last four digits of the card; nothing else of its number is stored. */
  card_last_four: string | null;
  /** `MM/YYYY` */
  card_expiry: string | null;
  /** The earliest moment at which `settle` has something to do. */
  due: string | null;
  /** When the account was cancelled. */
  closed: string | null;
  /** Why, in the words of the user who cancelled it. */
  closing_comments: string | null;
  /** 1 if new nodes get backups. */
  backups_enabled: Generated<number>;
  /** 1 if new configurations of nodes get the network helper. */
  network_helper: Generated<number>;
  /** 1 if managed monitoring is enabled. */
  managed: Generated<number>;
}

interface UserTable {
  id: Generated<number>;
  account_id: number;
  username: string;
  email: Generated<string>;
  /** Derived by scrypt; null for a user who cannot sign in. */
  password: string | null;
  /** The access of a restricted user to the account's own data. */
  account_access: Permissions | null;
  /** 1 for a restricted user who may create nodes, with a grant on each. */
  add_nodes: Generated<number>;
  /** 1 for a user who may do only what grants allow. */
  restricted: Generated<number>;
  /** 1 for a restricted user who may create domains, with a grant on each. */
  add_domains: Generated<number>;
  created: string;
}

/** A public SSH key of a user. */
interface SshKeyTable {
  id: Generated<number>;
  user_id: number;
  label: string;
  ssh_key: string;
  created: string;
}

interface TokenTable {
  id: Generated<number>;
  user_id: number;
  /** SHA-256 of the token, hexadecimal; the token itself is not stored. */
  hash: string;
  /** Scopes, separated by spaces. */
  scopes: string;
  /** Purpose of the token. */
  label: Generated<string>;
  expires: string | null;
  /** The authorization of an OAuth token; null for a personal access token. */
  authorization_id: number | null;
  created: string;
}

/** An application that users can authorise. */
interface OAuthClientTable {
  id: Generated<number>;
  account_id: number;
  /** 20 hexadecimal digits; its id in the API. */
  client_id: string;
  label: string;
  redirect_uri: string;
  /** 1 for an application that cannot keep a secret. */
  public: number;
  status: OAuthClientStatus;
  /** SHA-256 of the secret. */
  secret_hash: string;
}

/** A user's consent, with its code; all tokens that come from it end with it. */
interface AuthorizationTable {
  id: Generated<number>;
  oauth_client_id: number;
  user_id: number;
  /** Scopes, separated by spaces. */
  scopes: string;
  /** Redirect URI that the code was sent to. */
  redirect_uri: string;
  /** 1 if the request named it, and did not leave it to the registration of the client. */
  redirect_named: Generated<number>;
  /** The PKCE challenge, by S256. */
  challenge: string | null;
  code_hash: string;
  code_expires: string;
  /** 1 once the code was exchanged. */
  redeemed: Generated<number>;
}

/** A successful sign-in; it remains after its user. */
interface LoginTable {
  id: Generated<number>;
  account_id: number;
  username: string;
  ip: string;
  /** 1 if the user was restricted. */
  restricted: number;
  created: string;
}

interface TagTable {
  id: Generated<number>;
  account_id: number;
  label: string;
  label_key: string;
}

interface DomainTable {
  id: Generated<number>;
  account_id: number;
  domain: string;
  domain_key: string;
  /** Its labels in reverse: domains below a domain follow it in this order. */
  tree_key: string;
  type: "master" | "slave";
  status: "active" | "disabled";
  description: string;
  group: string;
  soa_email: string;
  ttl_sec: number;
  refresh_sec: number;
  retry_sec: number;
  expire_sec: number;
  /** JSON arrays of addresses. */
  master_ips: string;
  axfr_ips: string;
  created: string;
  updated: string;
  /** Moment of the first unrendered change. */
  changed: string | null;
  /** The number of its records, which triggers count. */
  records: Generated<number>;
}

interface RecordTable {
  id: Generated<number>;
  domain_id: number;
  type: string;
  /** Relative to the domain; empty at its apex. */
  name: string;
  name_key: string;
  target: string;
  priority: number;
  weight: number;
  port: number;
  service: string | null;
  protocol: string | null;
  ttl_sec: number;
  tag: string | null;
  created: string;
  updated: string;
}

/** An event remains after its entity and its user. */
interface EventTable {
  id: Generated<number>;
  account_id: number;
  /** 0 if no user caused it. */
  user_id: number;
  username: string;
  action: string;
  /** Null for an entity without an id, and for one whose id is a text. */
  entity_id: number | null;
  /** The id of an entity if it is a text. */
  entity_key: string | null;
  entity_type: string;
  entity_label: string;
  /** The path, with the prefix `/v4`. */
  entity_url: Generated<string>;
  /** JSON of the secondary entity. */
  secondary_entity: string | null;
  message: string | null;
  /** The rest of the message, which restricted users may not see. */
  remark: string | null;
  read: number;
  seen: number;
  created: string;
  /** `started` until the job of the event is settled; its progress is computed from `starts` and `ends`. */
  status: Generated<EventStatus>;
  starts: string | null;
  ends: string | null;
}

export type EventStatus = "notification" | "started" | "finished" | "failed";

/** Work that ends at a moment and is then applied by `settle`; its row is deleted with it. */
interface JobTable {
  id: Generated<number>;
  account_id: number;
  event_id: number | null;
  kind: string;
  entity_type: string;
  entity_id: number;
  ends: string;
  /** JSON of what the kind needs. */
  data: string;
  /** Why the job fails at its end. */
  failure: string | null;
}

/** A compute node. */
interface NodeTable {
  id: Generated<number>;
  account_id: number;
  label: string;
  label_key: string;
  group: string;
  /** While a job runs, the status that the job gives it. */
  status: NodeStatus;
  type: string;
  region: string;
  /** Id of the image that it was made from. */
  image: string | null;
  /** Disk, memory and transfer as of its type when it was chosen: MB, MB and GB a month. */
  disk: number;
  memory: number;
  vcpus: number;
  transfer: number;
  /** JSON of the thresholds. */
  alerts: string;
  /** 1 while the backup service is on. */
  backups_enabled: number;
  /** The schedule as replies show it; null while the service is off. */
  backup_day: string | null;
  backup_window: string | null;
  /** When the last successful backup ended. */
  backup_successful: string | null;
  /** When `settle` chooses the schedule or makes the next automatic backup; null while the service is off. */
  backup_next: string | null;
  /** 1 if it is booted again after it stopped by itself. */
  watchdog_enabled: number;
  /** The configuration profile of the last boot; it may be deleted since. */
  booted_config_id: number | null;
  /** JSON of the devices of the rescue system, from its boot to the next one. */
  rescue_devices: string | null;
  /** JSON of the labels of the VLANs that its last boot attached it to. */
  vlans: Generated<string>;
  created: string;
  updated: string;
}

/** A disk of a node. */
interface DiskTable {
  id: Generated<number>;
  node_id: number;
  label: string;
  filesystem: Filesystem;
  /** MB. */
  size: number;
  /** MB that its content needs: the size of its image. */
  content: number;
  status: DiskStatus;
  created: string;
  updated: string;
}

/** A configuration profile of a node. */
interface NodeConfigTable {
  id: Generated<number>;
  node_id: number;
  label: string;
  comments: string;
  kernel: string;
  /** MB; 0 for all of the memory. */
  memory_limit: number;
  root_device: string;
  run_level: RunLevel;
  virt_mode: VirtualizationMode;
  /** JSON, as replies show them. */
  helpers: string;
  /** Without the empty slots. */
  devices: string;
  interfaces: string;
  created: string;
  updated: string;
}

/** A copy of a node's disks and configuration profiles. */
interface BackupTable {
  id: Generated<number>;
  node_id: number;
  type: BackupType;
  /** `running` while the job of a snapshot is unfinished; its progress is computed from the event of the job. */
  status: "running" | "successful" | "failed";
  label: string | null;
  /** The node's region when the backup was made. */
  region: string;
  /** JSON; null until it is successful. */
  contents: string | null;
  created: string;
  updated: string;
  finished: string | null;
}

/** A volume of block storage. */
interface VolumeTable {
  id: Generated<number>;
  account_id: number;
  /** The node that it is attached to. */
  node_id: number | null;
  label: string;
  region: string;
  /** GB. */
  size: number;
  created: string;
  updated: string;
}

/** A firewall, whose rules are kept and not enforced. */
interface FirewallTable {
  id: Generated<number>;
  account_id: number;
  label: string;
  status: FirewallStatus;
  /** JSON, as replies show them. */
  rules: string;
  created: string;
  updated: string;
}

/** A node that has a firewall. */
interface FirewallDeviceTable {
  id: Generated<number>;
  firewall_id: number;
  node_id: number;
  created: string;
  updated: string;
}

/** An IP address that a node has, or that rests after its last one. */
interface AddressTable {
  id: Generated<number>;
  address: string;
  type: "ipv4" | "ipv6";
  /** 1 for a public one. */
  public: number;
  /** The network of the catalogue that it was taken from, in CIDR form. */
  network: string;
  region: string;
  /** Null while it rests. */
  node_id: number | null;
  /** Name that the user gave it; null for the default. */
  rdns: string | null;
  /** When its last node lost it. */
  freed: string | null;
  /** The zone of its name in reverse DNS, without the final dot; null for a private address. */
  reverse_zone: string | null;
}

/**
 * Something that costs, from `opened` to `closed`. Once it is closed and invoiced, the row is deleted with its entity,
 * or when another charge of its kind opens. Amounts, here and in invoices and payments, are 10⁻⁴ US dollars.
 */
interface ChargeTable {
  id: Generated<number>;
  account_id: number;
  kind: ChargeKind;
  entity_type: "node" | "volume";
  entity_id: number;
  /** The type of a node, an address, or the size of a volume in GB. */
  product: string;
  /** The label of its items of invoices. */
  label: string;
  /** 0 for a price by the month only. */
  hourly: number;
  /** 0 for a price by the hour without a limit. */
  monthly: number;
  /** GB that it adds to the pool of a month. */
  transfer: number;
  opened: string;
  closed: string | null;
  /** Moment until which it is invoiced; null before its first invoice. */
  invoiced: string | null;
  /** The month's turn at which it is invoiced next. */
  due: string;
  /** JSON of the octets that a node sent, by the month, once it is deleted; those that are not invoiced. */
  traffic: string | null;
}

export type ChargeKind = "node" | "backups" | "address" | "volume";

interface InvoiceTable {
  /** 1, 2, 3 … in the whole database, without gaps. */
  id: number;
  account_id: number;
  date: string;
  label: string;
  subtotal: number;
  tax: number;
  total: number;
}

interface InvoiceItemTable {
  id: Generated<number>;
  invoice_id: number;
  label: string;
  type: InvoiceItemType;
  from: string;
  to: string;
  quantity: number;
  unit_price: number;
  /** A whole number of cents, as are `tax` and `total`. */
  amount: number;
  tax: number;
  total: number;
}

/** A payment by the card of the account, or one that the operator received; no money moves. */
interface PaymentTable {
  id: Generated<number>;
  account_id: number;
  date: string;
  method: "credit_card" | "operator";
  amount: number;
}

interface TicketTable {
  id: Generated<number>;
  account_id: number;
  /** The user who opened it; 0 for the operator. */
  user_id: number;
  opened_by: string;
  gravatar_id: string;
  summary: string;
  description: string;
  status: "new" | "open" | "closed";
  /** The subject as it was when the ticket was opened; all four are null without one, and a VLAN has no id. */
  entity_type: GrantedType | "vlan" | null;
  entity_id: number | null;
  entity_label: string | null;
  entity_url: string | null;
  opened: string;
  updated: string;
  /** Null until the first reply, file or close. */
  updated_by: string | null;
  closed: string | null;
}

interface TicketReplyTable {
  id: Generated<number>;
  ticket_id: number;
  created_by: string;
  /** 1 for a reply of the operator. */
  from_operator: number;
  gravatar_id: string;
  description: string;
  created: string;
}

/** A file that belongs to an entity; `name` is never a path. */
interface FileTable {
  id: Generated<number>;
  account_id: number;
  entity_type: string;
  entity_id: number;
  name: string;
  octets: number;
  created: string;
}

/** An offer of entities to another account, and what became of it. */
interface EntityTransferTable {
  id: Generated<number>;
  /** The sender. */
  account_id: number;
  /** The account that accepted it. */
  receiver_id: number | null;
  /** A UUID in upper case. */
  token: string;
  status: TransferStatus;
  created: string;
  updated: string;
  /** When it becomes stale. */
  expires: string;
  /** When `settle` moves its entities, once it is accepted. */
  completes: string | null;
  /** The receiver's event of the acceptance. */
  event_id: number | null;
}

/** An entity of a transfer; the row remains after the entity. */
interface TransferredEntityTable {
  transfer_id: number;
  /** Its place in the list of its type. */
  position: number;
  entity_type: TransferredType;
  entity_id: number;
  /** Its name when the transfer was created. */
  label: string;
}

/** A message of the operator to an account, or without one to all. */
interface NoticeTable {
  id: Generated<number>;
  account_id: number | null;
  label: string;
  message: string;
  /** When it disappears; null for never. */
  until: string | null;
}

/** Work of the operator on the host of a node, from its announcement to its end. */
interface MaintenanceTable {
  id: Generated<number>;
  node_id: number;
  type: MaintenanceType;
  status: "pending" | "started";
  reason: string;
  /** When it begins. */
  begins: string;
}

/** A person whom the operator contacts about managed services. */
interface ManagedContactTable {
  id: Generated<number>;
  account_id: number;
  name: string;
  email: string;
  /** Phone numbers; null if unset. */
  phone_primary: string | null;
  phone_secondary: string | null;
  group: string | null;
  updated: string;
}

/** A username and a password that the operator may use. */
interface ManagedCredentialTable {
  id: Generated<number>;
  account_id: number;
  label: string;
  /** JSON of username and password, sealed. */
  sealed: string;
  last_decrypted: string | null;
}

/** A monitored service. */
interface ManagedServiceTable {
  id: Generated<number>;
  account_id: number;
  status: ManagedServiceStatus;
  service_type: ManagedServiceType;
  label: string;
  address: string;
  /** The host of the address, whose problems become one issue. */
  host: string;
  /** Seconds. */
  timeout: number;
  body: string | null;
  consultation_group: string;
  notes: string | null;
  region: string | null;
  created: string;
  updated: string;
  /** When it is probed, or when the lease of its present probe ends; null while it is disabled. */
  next: string | null;
  /** Failed probes since it was last up. */
  failures: number;
}

/** A problem of services of one host. */
interface ManagedIssueTable {
  id: Generated<number>;
  account_id: number;
  ticket_id: number;
  host: string;
  /** JSON of the ids of its services, also of those that were deleted since. */
  services: string;
  created: string;
  /** When the last of its services recovered; null until then. */
  ended: string | null;
}

/** A message to one person. */
interface MailTable {
  id: Generated<number>;
  account_id: number;
  /** A random word, which names the message outside. */
  token: string;
  /** The name of the person. */
  recipient: string;
  email: string;
  subject: string;
  text: string;
  /** The cause, if the account gets one message only about it. */
  about: string | null;
  created: string;
  /** When it is delivered, or when the lease of its delivery ends; null once it was delivered. */
  next: string | null;
}

interface ManagedNodeSettingsTable {
  node_id: number;
  access: number;
  user: string;
  ip: string;
  port: number;
}

/**
 * Zone data from the masters; the zone itself is in `zone_lines`. Stale if `domain_key` differs (the domain was
 * renamed).
 */
interface SlaveTable {
  domain_id: number;
  domain_key: string;
  /** The masters when the row was written, as in the domain. */
  master_ips: string;
  /** When they were asked last; null if an older server did. */
  asked: string | null;
  /** When to ask them again. */
  next: string;
  /** The times in a row that none of them gave the zone. */
  failures: Generated<number>;
  /** From the SOA record; this and all below are null before the first transfer. */
  serial: number | null;
  refresh: number | null;
  retry: number | null;
  expire: number | null;
  /** Moment of the last transfer. */
  transferred: string | null;
  /** End of its validity. */
  expires: string | null;
}

/**
 * The journal of a rendered zone, see `zone-changes.ts`: the versions, and each record before a change. Triggers of
 * `records` write the changes, and others delete the oldest rows.
 */
interface ZoneChangeTable {
  domain_id: number;
  /** 1, 2 … for each domain. */
  number: number;
  /** Octets of all targets up to this row, also of those deleted since. */
  octets: number;
  /** Of a version: its serial, and the settings as JSON. */
  serial: number | null;
  settings: string | null;
  /** Of a change: the record, and a name that it had before or has since. */
  record_id: number | null;
  name_key: string | null;
  /** The record before; null if it did not exist. */
  type: string | null;
  name: string | null;
  priority: number | null;
  weight: number | null;
  port: number | null;
  ttl_sec: number | null;
  tag: string | null;
  target: string | null;
}

/** A part of the lines of a zone, joined by line feeds: part 0, 1 … */
export interface ZoneLinesTable {
  domain_id: number;
  kind: ZoneKind;
  part: number;
  lines: string;
}

/** A zone file, transferred from the masters. Older versions have also stored rendered ones. */
export type ZoneKind = "transferred" | "rendered";
export type ZoneChangeRow = Selectable<ZoneChangeTable>;
export type SlaveRow = Selectable<SlaveTable>;
export type DomainRow = Selectable<DomainTable>;
/** A new domain; the store derives its `tree_key`. */
export type DomainColumns = Omit<Insertable<DomainTable>, "tree_key" | "records">;
export type TagRow = Selectable<TagTable>;
export type RecordRow = Selectable<RecordTable>;
export type NewRecordRow = Insertable<RecordTable>;
export type AccountRow = Selectable<AccountTable>;
export type OAuthClientRow = Selectable<OAuthClientTable>;
export type NewOAuthClientRow = Insertable<OAuthClientTable>;
export type AuthorizationRow = Selectable<AuthorizationTable>;
export type NewAuthorizationRow = Insertable<AuthorizationTable>;
export type NewLoginRow = Insertable<LoginTable>;
export type LoginRow = Selectable<LoginTable>;
export type MaintenanceRow = Selectable<MaintenanceTable>;
export type EntityTransferRow = Selectable<EntityTransferTable>;
export type NewEntityTransferRow = Insertable<EntityTransferTable>;
export type TransferredEntityRow = Selectable<TransferredEntityTable>;
export type NoticeRow = Selectable<NoticeTable>;
export type ManagedContactRow = Selectable<ManagedContactTable>;
export type NewManagedContactRow = Insertable<ManagedContactTable>;
export type ManagedCredentialRow = Selectable<ManagedCredentialTable>;
export type NewManagedCredentialRow = Insertable<ManagedCredentialTable>;
export type ManagedServiceRow = Selectable<ManagedServiceTable>;
export type NewManagedServiceRow = Insertable<ManagedServiceTable>;
export type ManagedIssueRow = Selectable<ManagedIssueTable>;
export type NewManagedIssueRow = Insertable<ManagedIssueTable>;
export type ManagedNodeSettingsRow = Selectable<ManagedNodeSettingsTable>;
export type TokenRow = Selectable<TokenTable>;
export type SshKeyRow = Selectable<SshKeyTable>;
export type UserRow = Selectable<UserTable>;
export type JobRow = Selectable<JobTable>;
export type NodeRow = Selectable<NodeTable>;
export type NewNodeRow = Insertable<NodeTable>;
export type DiskRow = Selectable<DiskTable>;
export type NewDiskRow = Insertable<DiskTable>;
export type NodeConfigRow = Selectable<NodeConfigTable>;
export type NewNodeConfigRow = Insertable<NodeConfigTable>;
export type BackupRow = Selectable<BackupTable>;
export type NewBackupRow = Insertable<BackupTable>;
export type VolumeRow = Selectable<VolumeTable>;
export type NewVolumeRow = Insertable<VolumeTable>;
export type FirewallRow = Selectable<FirewallTable>;
export type NewFirewallRow = Insertable<FirewallTable>;
export type FirewallDeviceRow = Selectable<FirewallDeviceTable>;
export type NewFirewallDeviceRow = Insertable<FirewallDeviceTable>;
export type AddressRow = Selectable<AddressTable>;
export type ChargeRow = Selectable<ChargeTable>;
export type NewChargeRow = Insertable<ChargeTable>;
export type InvoiceRow = Selectable<InvoiceTable>;
export type InvoiceItemRow = Selectable<InvoiceItemTable>;
export type NewInvoiceItemRow = Insertable<InvoiceItemTable>;
export type PaymentRow = Selectable<PaymentTable>;
export type TicketRow = Selectable<TicketTable>;
export type NewTicketRow = Insertable<TicketTable>;
export type TicketReplyRow = Selectable<TicketReplyTable>;
export type NewTicketReplyRow = Insertable<TicketReplyTable>;
export type FileRow = Selectable<FileTable>;
export type EventRow = Selectable<EventTable>;
export type NewEventRow = Insertable<EventTable>;
