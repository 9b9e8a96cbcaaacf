import { type Insertable, type Kysely, type Selectable, sql } from "kysely";
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
import { bigint, defineTable, id, integer, linkColumn, type RowsOf, referenceColumn, textColumn } from "./table.ts";

export type Permissions = "read_only" | "read_write";

/** The types of entities that grants name (decisions/account#grants). */
export type GrantedType = "domain" | "node" | "volume" | "firewall";

/** The types of entities that can move to another account (decisions/account#transfers). */
export type TransferredType = "domain" | "node";

/** The types of entities that can have tags (decisions/documents#tags). */
export type TaggedType = "domain" | "firewall" | "node" | "balancer" | "volume";

export type EventStatus = "notification" | "started" | "finished" | "failed";

export type ChargeKind = "node" | "backups" | "address" | "volume";

/** An id of an entity, which is a number or a text. */
const entityKey = sql`coalesce(entity_key, cast(entity_id as text))`;

/**
 * The tables. Moments are `YYYY-MM-DDTHH:MM:SS` in UTC, so that they sort as text; times are seconds. `…_key` columns
 * are the lower-case forms of names, for comparison without regard to letter case (RFC 4343).
 */
export const tables = {
  accounts: defineTable({
    id: id(),
    name: textColumn().unique(),
    created: textColumn(),
    euuid: textColumn().default(""),
    company: textColumn().default(""),
    email: textColumn().default(""),
    first_name: textColumn().default(""),
    last_name: textColumn().default(""),
    address_1: textColumn().default(""),
    address_2: textColumn().default(""),
    city: textColumn().default(""),
    state: textColumn().default(""),
    zip: textColumn().default(""),
    country: textColumn().default(""),
    phone: textColumn().default(""),
    tax_id: textColumn().default(""),
    /** The last four digits of the card; nothing else of its number is stored. */
    card_last_four: textColumn().nullable(),
    /** `MM/YYYY` */
    card_expiry: textColumn().nullable(),
    /** The earliest moment at which `applyDueWork` has something to do. */
    due: textColumn().nullable(),
    /** When the account was cancelled. */
    closed: textColumn().nullable(),
    /** Why, in the words of the user who cancelled it. */
    closing_comments: textColumn().nullable(),
    /** 1 if new nodes get backups. */
    backups_enabled: integer().default(0),
    /** 1 if new configurations of nodes get the network helper. */
    network_helper: integer().default(1),
    /** 0 if managed monitoring was disabled, 2 if it was enabled, 1 before: see `hasManaged`. */
    managed: integer().default(1),
  }),
  users: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    username: textColumn().unique(),
    email: textColumn().default(""),
    /** Derived by scrypt; null for a user who cannot sign in. */
    password: textColumn().nullable(),
    /** The access of a restricted user to the account's own data. */
    account_access: textColumn<Permissions>().nullable(),
    /** 1 for a restricted user who may create nodes, with a grant on each. */
    add_nodes: integer().default(0),
    /** 1 for a user who may do only what grants allow. */
    restricted: integer().default(0),
    /** 1 for a restricted user who may create domains, with a grant on each. */
    add_domains: integer().default(0),
    created: textColumn(),
  }).with({ indexes: { users_of_account: ["account_id", "id"] } }),
  /** Permissions of restricted users; deleted with the entity by its resource. */
  grants: defineTable({
    user_id: referenceColumn("users"),
    entity_type: textColumn<GrantedType>(),
    entity_id: bigint(),
    permissions: textColumn<Permissions>(),
  }).with({
    primaryKey: { grant_on_entity: ["user_id", "entity_type", "entity_id"] },
    indexes: { grants_on_entity: ["entity_type", "entity_id"] },
  }),
  /** An application that users can authorise. */
  oauth_clients: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    /** 20 hexadecimal digits; its id in the API. */
    client_id: textColumn().unique(),
    label: textColumn(),
    redirect_uri: textColumn(),
    /** 1 for an application that cannot keep a secret. */
    public: integer(),
    status: textColumn<OAuthClientStatus>(),
    /** SHA-256 of the secret. */
    secret_hash: textColumn(),
  }).with({ indexes: { clients_of_account: ["account_id", "id"] } }),
  /** A user's consent, with its code; all tokens that come from it end with it. */
  authorizations: defineTable({
    id: id(),
    oauth_client_id: referenceColumn("oauth_clients"),
    user_id: referenceColumn("users"),
    /** Scopes, separated by spaces. */
    scopes: textColumn(),
    /** Redirect URI that the code was sent to. */
    redirect_uri: textColumn(),
    /** 1 if the request named it, and did not leave it to the registration of the client. */
    redirect_named: integer().default(0),
    /** The PKCE challenge, by S256. */
    challenge: textColumn().nullable(),
    code_hash: textColumn().unique(),
    code_expires: textColumn(),
    /** 1 once the code was exchanged. */
    redeemed: integer().default(0),
  }).with({
    indexes: {
      authorizations_of_client: ["oauth_client_id", "id"],
      authorizations_of_user: ["user_id"],
    },
  }),
  tokens: defineTable({
    id: id(),
    user_id: referenceColumn("users"),
    /** SHA-256 of the token, hexadecimal; the token itself is not stored. */
    hash: textColumn().unique(),
    /** Scopes, separated by spaces. */
    scopes: textColumn(),
    /** Purpose of the token. */
    label: textColumn().default(""),
    expires: textColumn().nullable(),
    /** The authorization of an OAuth token; null for a personal access token. */
    authorization_id: referenceColumn("authorizations").nullable(),
    created: textColumn(),
  }).with({
    indexes: {
      tokens_of_authorization: ["authorization_id"],
      tokens_of_user: ["user_id", "id"],
    },
  }),
  /** Refresh tokens by their SHA-256; a used one remains as long as its authorization, to detect a second use. */
  refresh_tokens: defineTable({
    hash: textColumn().primary(),
    authorization_id: referenceColumn("authorizations"),
    used: integer().default(0),
  }).with({ indexes: { refresh_tokens_of_authorization: ["authorization_id"] } }),
  /** Signed-in browsers, by the SHA-256 of their cookie. */
  sessions: defineTable({
    hash: textColumn().primary(),
    user_id: referenceColumn("users"),
    expires: textColumn(),
  }).with({ indexes: { sessions_of_user: ["user_id"] } }),
  /** A public SSH key of a user. */
  ssh_keys: defineTable({
    id: id(),
    user_id: referenceColumn("users"),
    label: textColumn(),
    ssh_key: textColumn(),
    created: textColumn(),
  }).with({ indexes: { ssh_keys_of_user: ["user_id", "id"] } }),
  /** A successful sign-in; it remains after its user. */
  logins: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    username: textColumn(),
    ip: textColumn(),
    /** 1 if the user was restricted. */
    restricted: integer(),
    created: textColumn(),
  }).with({ indexes: { logins_of_account: ["account_id", "id"] } }),
  domains: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    domain: textColumn(),
    domain_key: textColumn().unique(),
    /** Its labels in reverse: domains below a domain follow it in this order. */
    tree_key: textColumn(),
    type: textColumn<"master" | "slave">(),
    status: textColumn<"active" | "disabled">(),
    description: textColumn(),
    group: textColumn(),
    soa_email: textColumn(),
    ttl_sec: integer(),
    refresh_sec: integer(),
    retry_sec: integer(),
    expire_sec: integer(),
    /** JSON arrays of addresses. */
    master_ips: textColumn(),
    axfr_ips: textColumn(),
    created: textColumn(),
    updated: textColumn(),
    /** Moment of the first unrendered change. */
    changed: textColumn().nullable(),
    /** The number of its records, which triggers count. */
    records: integer().default(0),
  }).with({
    indexes: {
      domains_of_account: ["account_id", "id"],
      domains_of_type: ["type"],
      domains_in_tree: ["tree_key"],
      waiting_domains: { columns: ["changed"], where: "changed is not null" },
    },
  }),
  /** The last two labels of domains, as rows to lock: see `lockDomainPlace`. */
  domain_roots: defineTable({
    root: textColumn().primary(),
  }),
  tags: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    label: textColumn(),
    label_key: textColumn(),
  }).with({ unique: { tag_of_account: ["account_id", "label_key"] } }),
  /** Tags of entities, in the order of `position`; deleted with the entity by its resource. */
  tagged: defineTable({
    tag_id: referenceColumn("tags"),
    entity_type: textColumn<TaggedType>(),
    entity_id: bigint(),
    position: integer(),
  }).with({
    primaryKey: { tag_of_entity: ["tag_id", "entity_type", "entity_id"] },
    indexes: { tags_of_entity: ["entity_type", "entity_id"] },
  }),
  records: defineTable({
    id: id(),
    domain_id: referenceColumn("domains"),
    type: textColumn(),
    /** Relative to the domain; empty at its apex. */
    name: textColumn(),
    name_key: textColumn(),
    target: textColumn(),
    priority: integer(),
    weight: integer(),
    port: integer(),
    service: textColumn().nullable(),
    protocol: textColumn().nullable(),
    ttl_sec: integer(),
    tag: textColumn().nullable(),
    /** The data in presentation form, if the other columns cannot carry it. */
    rdata: textColumn().nullable(),
    created: textColumn(),
    updated: textColumn(),
    /** Of an address that an ALIAS record has now: the id of that record. It is served, but is no record of the API. */
    alias_id: bigint().nullable(),
  }).with({
    indexes: {
      records_of_domain: ["domain_id", "id"],
      records_of_type_at_name: ["domain_id", "name_key", "type"],
      null_records_at_name: { columns: ["domain_id", "name_key", "type"], where: "target = ''" },
      records_of_ipv4: { columns: ["target"], where: "type = 'A'" },
      records_of_ipv6: { columns: ["domain_id"], where: "type = 'AAAA'" },
      addresses_of_alias: { columns: ["alias_id"], where: "alias_id is not null" },
    },
  }),
  /** The lookups of the target of an ALIAS record. Triggers add and delete them, see `alias-triggers.ts`. */
  alias_lookups: defineTable({
    record_id: bigint().primary(),
    domain_id: referenceColumn("domains"),
    /** When to look again; empty for at once. While a server looks, the end of its lease. */
    next: textColumn(),
    /** The looks in a row that failed. */
    failures: integer().default(0),
    /** When the first of the answers in a row without any address was asked for, to the millisecond. */
    missing_since: textColumn().nullable(),
    /** 1 while its addresses are those of a target that it had before: no look has found one of the new target. */
    is_replaced: integer().default(0),
    /** Why the last look found no addresses of one type or both; null if it did. */
    problem: textColumn().nullable(),
  }).with({
    indexes: {
      due_aliases: ["next", "domain_id", "record_id"],
      aliases_of_domain: ["domain_id"],
      unresolved_aliases: { columns: ["record_id"], where: "problem is not null" },
    },
  }),
  /** The names of domains that the addresses of an ALIAS record depend on; relative, in lower case. */
  alias_sources: defineTable({
    record_id: bigint(),
    domain_id: referenceColumn("domains"),
    name_key: textColumn(),
  }).with({
    primaryKey: { source_of_alias: ["record_id", "domain_id", "name_key"] },
    indexes: { aliases_from_name: ["domain_id", "name_key"] },
  }),
  /** An event remains after its entity and its user. */
  events: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    /** 0 if no user caused it. */
    user_id: bigint(),
    username: textColumn(),
    action: textColumn(),
    /** Null for an entity without an id, and for one whose id is a text. */
    entity_id: bigint().nullable(),
    /** The id of an entity if it is a text. */
    entity_key: textColumn().nullable(),
    entity_type: textColumn(),
    entity_label: textColumn(),
    /** The path, with the prefix `/v4`. */
    entity_url: textColumn().default(""),
    /** JSON of the secondary entity. */
    secondary_entity: textColumn().nullable(),
    message: textColumn().nullable(),
    /** The rest of the message, which restricted users may not see. */
    remark: textColumn().nullable(),
    read: integer(),
    seen: integer(),
    created: textColumn(),
    /** `started` until the job of the event is settled; its progress is computed from `starts` and `ends`. */
    status: textColumn<EventStatus>().default("notification"),
    starts: textColumn().nullable(),
    ends: textColumn().nullable(),
  }).with({
    indexes: {
      events_of_account: ["account_id", "id", "created"],
      events_since: ["account_id", "created", "id"],
      events_of_action: ["account_id", "action", "created", "id"],
      events_of_entity: ["account_id", entityKey, "action", "id"],
      unseen_events: { columns: ["account_id", "id"], where: "seen = 0" },
    },
  }),
  /** Work that ends at a moment and is then applied by `applyDueWork`; its row is deleted with it. */
  jobs: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    event_id: bigint().nullable(),
    kind: textColumn(),
    entity_type: textColumn(),
    entity_id: bigint(),
    ends: textColumn(),
    /** JSON of what the kind needs. */
    data: textColumn(),
    /** Why the job fails at its end. */
    failure: textColumn().nullable(),
  }).with({
    indexes: {
      jobs_of_account: ["account_id", "ends", "id"],
      jobs_of_entity: ["entity_type", "entity_id"],
      job_of_node: { columns: ["entity_type", "entity_id"], isUnique: true, where: "entity_type = 'node'" },
    },
  }),
  nodes: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    label: textColumn(),
    label_key: textColumn(),
    group: textColumn(),
    /** While a job runs, the status that the job gives it. */
    status: textColumn<NodeStatus>(),
    type: textColumn(),
    region: textColumn(),
    /** Id of the image that it was made from. */
    image: textColumn().nullable(),
    /** Disk, memory and transfer as of its type when it was chosen: MB, MB and GB a month. */
    disk: bigint(),
    memory: bigint(),
    vcpus: integer(),
    transfer: bigint(),
    /** JSON of the thresholds. */
    alerts: textColumn(),
    /** 1 while the backup service is on. */
    backups_enabled: integer(),
    /** The schedule as replies show it; null while the service is off. */
    backup_day: textColumn().nullable(),
    backup_window: textColumn().nullable(),
    /** When the last successful backup ended. */
    backup_successful: textColumn().nullable(),
    /** When `applyDueWork` chooses the schedule or makes the next automatic backup; null while the service is off. */
    backup_next: textColumn().nullable(),
    /** 1 if it is booted again after it stopped by itself. */
    watchdog_enabled: integer(),
    /** The configuration profile of the last boot; it may be deleted since. */
    booted_config_id: bigint().nullable(),
    /** JSON of the devices of the rescue system, from its boot to the next one. */
    rescue_devices: textColumn().nullable(),
    /** JSON of the labels of the VLANs that its last boot attached it to. */
    vlans: textColumn().default("[]"),
    created: textColumn(),
    updated: textColumn(),
  }).with({
    unique: { node_of_account: ["account_id", "label_key"] },
    indexes: {
      nodes_of_account: ["account_id", "id"],
      next_backups: ["account_id", "backup_next"],
    },
  }),
  /** A disk of a node. */
  disks: defineTable({
    id: id(),
    node_id: referenceColumn("nodes"),
    label: textColumn(),
    filesystem: textColumn<Filesystem>(),
    /** MB. */
    size: bigint(),
    /** MB that its content needs: the size of its image. */
    content: bigint(),
    status: textColumn<DiskStatus>(),
    created: textColumn(),
    updated: textColumn(),
  }).with({ indexes: { disks_of_node: ["node_id", "id"] } }),
  /** A configuration profile of a node. */
  node_configs: defineTable({
    id: id(),
    node_id: referenceColumn("nodes"),
    label: textColumn(),
    comments: textColumn(),
    kernel: textColumn(),
    /** MB; 0 for all of the memory. */
    memory_limit: bigint(),
    root_device: textColumn(),
    run_level: textColumn<RunLevel>(),
    virt_mode: textColumn<VirtualizationMode>(),
    /** JSON, as replies show them. */
    helpers: textColumn(),
    /** Without the empty slots. */
    devices: textColumn(),
    interfaces: textColumn(),
    created: textColumn(),
    updated: textColumn(),
  }).with({ indexes: { configs_of_node: ["node_id", "id"] } }),
  /** A copy of a node's disks and configuration profiles. */
  backups: defineTable({
    id: id(),
    node_id: referenceColumn("nodes"),
    type: textColumn<BackupType>(),
    /** `running` while the job of a snapshot is unfinished; its progress is computed from the event of the job. */
    status: textColumn<"running" | "successful" | "failed">(),
    label: textColumn().nullable(),
    /** The node's region when the backup was made. */
    region: textColumn(),
    /** JSON; null until it is successful. */
    contents: textColumn().nullable(),
    created: textColumn(),
    updated: textColumn(),
    finished: textColumn().nullable(),
  }).with({ indexes: { backups_of_node: ["node_id", "id"] } }),
  /** A volume of block storage. */
  volumes: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    /** The node that it is attached to. */
    node_id: linkColumn("nodes").nullable(),
    label: textColumn(),
    region: textColumn(),
    /** GB. */
    size: bigint(),
    created: textColumn(),
    updated: textColumn(),
  }).with({
    unique: { volume_of_account: ["account_id", "label"] },
    indexes: {
      volumes_of_account: ["account_id", "id"],
      volumes_of_node: ["node_id", "id"],
    },
  }),
  /** A firewall, whose rules are kept and not enforced. */
  firewalls: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    label: textColumn(),
    status: textColumn<FirewallStatus>(),
    /** JSON, as replies show them. */
    rules: textColumn(),
    created: textColumn(),
    updated: textColumn(),
  }).with({ indexes: { firewalls_of_account: ["account_id", "id"] } }),
  /** A node that has a firewall. */
  firewall_devices: defineTable({
    id: id(),
    firewall_id: referenceColumn("firewalls"),
    node_id: referenceColumn("nodes"),
    created: textColumn(),
    updated: textColumn(),
  }).with({
    unique: { firewall_of_node: ["node_id", "firewall_id"] },
    indexes: { devices_of_firewall: ["firewall_id", "id"] },
  }),
  /** An IP address that a node has, or that rests after its last one. */
  addresses: defineTable({
    id: id(),
    address: textColumn().unique(),
    type: textColumn<"ipv4" | "ipv6">(),
    /** 1 for a public one. */
    public: integer(),
    /** The network of the catalogue that it was taken from, in CIDR form. */
    network: textColumn(),
    region: textColumn(),
    /** Null while it rests. */
    node_id: linkColumn("nodes").nullable(),
    /** Name that the user gave it; null for the default. */
    rdns: textColumn().nullable(),
    /** When its last node lost it. */
    freed: textColumn().nullable(),
    /** The zone of its name in reverse DNS, without the final dot; null for a private address. */
    reverse_zone: textColumn().nullable(),
  }).with({
    indexes: {
      addresses_of_node: ["node_id", "id"],
      freed_addresses: ["network", "freed"],
      addresses_of_zone: ["reverse_zone"],
    },
  }),
  /** The next address of each network of the catalogue that was never given; see `allocateAddress`. */
  address_pools: defineTable({
    network: textColumn().primary(),
    next: bigint(),
  }),
  /** Measured means of five minutes, from `at` on; `measures` is JSON. */
  node_samples: defineTable({
    node_id: referenceColumn("nodes"),
    at: textColumn(),
    measures: textColumn(),
  }).with({ primaryKey: { sample_of_node: ["node_id", "at"] } }),
  /** The times in which nodes ran; `ended` is null while one runs. */
  node_runs: defineTable({
    node_id: referenceColumn("nodes"),
    started: textColumn(),
    ended: textColumn().nullable(),
  }).with({ indexes: { runs_of_node: ["node_id", "ended"] } }),
  /**
   * Something that costs, from `opened` to `closed`. Once it is closed and invoiced, the row is deleted with its
   * entity, or when another charge of its kind opens. Amounts, here and in invoices and payments, are 10⁻⁴ US
   * dollars.
   */
  charges: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    kind: textColumn<ChargeKind>(),
    entity_type: textColumn<"node" | "volume">(),
    entity_id: bigint(),
    /** The type of a node, an address, or the size of a volume in GB. */
    product: textColumn(),
    /** The label of its items of invoices. */
    label: textColumn(),
    /** 0 for a price by the month only. */
    hourly: bigint(),
    /** 0 for a price by the hour without a limit. */
    monthly: bigint(),
    /** GB that it adds to the pool of a month. */
    transfer: bigint(),
    opened: textColumn(),
    closed: textColumn().nullable(),
    /** Moment until which it is invoiced; null before its first invoice. */
    invoiced: textColumn().nullable(),
    /** The month's turn at which it is invoiced next. */
    due: textColumn(),
    /** JSON of the octets that a node sent, by the month, once it is deleted; those that are not invoiced. */
    traffic: textColumn().nullable(),
  }).with({
    indexes: {
      due_charges: ["account_id", "due"],
      charges_of_entity: ["entity_type", "entity_id"],
    },
  }),
  invoices: defineTable({
    /** 1, 2, 3 … in the whole database, without gaps. */
    id: bigint().primary(),
    account_id: referenceColumn("accounts"),
    date: textColumn(),
    label: textColumn(),
    subtotal: bigint(),
    tax: bigint(),
    total: bigint(),
  }).with({ indexes: { invoices_of_account: ["account_id", "id"] } }),
  invoice_items: defineTable({
    id: id(),
    invoice_id: referenceColumn("invoices"),
    label: textColumn(),
    type: textColumn<InvoiceItemType>(),
    from: textColumn(),
    to: textColumn(),
    quantity: bigint(),
    unit_price: bigint(),
    /** A whole number of cents, as are `tax` and `total`. */
    amount: bigint(),
    tax: bigint(),
    total: bigint(),
  }).with({ indexes: { items_of_invoice: ["invoice_id", "id"] } }),
  /** A payment by the card of the account, or one that the operator received; no money moves. */
  payments: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    date: textColumn(),
    method: textColumn<"credit_card" | "operator">(),
    amount: bigint(),
  }).with({ indexes: { payments_of_account: ["account_id", "id"] } }),
  /** The last number of each series that has no gaps, such as that of the invoices. */
  numbers: defineTable({
    series: textColumn().primary(),
    last: bigint(),
  }),
  tickets: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    /** The user who opened it; 0 for the operator. */
    user_id: bigint(),
    opened_by: textColumn(),
    gravatar_id: textColumn(),
    summary: textColumn(),
    description: textColumn(),
    status: textColumn<"new" | "open" | "closed">(),
    /** The subject as it was when the ticket was opened; all four are null without one, and a VLAN has no id. */
    entity_type: textColumn<GrantedType | "vlan">().nullable(),
    entity_id: bigint().nullable(),
    entity_label: textColumn().nullable(),
    entity_url: textColumn().nullable(),
    opened: textColumn(),
    updated: textColumn(),
    /** Null until the first reply, file or close. */
    updated_by: textColumn().nullable(),
    closed: textColumn().nullable(),
  }).with({ indexes: { tickets_of_account: ["account_id", "id"] } }),
  ticket_replies: defineTable({
    id: id(),
    ticket_id: referenceColumn("tickets"),
    created_by: textColumn(),
    /** 1 for a reply of the operator. */
    from_operator: integer(),
    gravatar_id: textColumn(),
    description: textColumn(),
    created: textColumn(),
  }).with({ indexes: { replies_of_ticket: ["ticket_id", "id"] } }),
  /** A file that belongs to an entity; `name` is never a path. */
  files: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    entity_type: textColumn(),
    entity_id: bigint(),
    name: textColumn(),
    octets: integer(),
    created: textColumn(),
  }).with({ indexes: { files_of_entity: ["entity_type", "entity_id", "id"] } }),
  /** The content of a file in Base64, in parts 0, 1 …: the drivers have no binary type in common. */
  file_parts: defineTable({
    file_id: referenceColumn("files"),
    part: integer(),
    content: textColumn(),
  }).with({ primaryKey: { part_of_file: ["file_id", "part"] } }),
  /** An offer of entities to another account, and what became of it. */
  entity_transfers: defineTable({
    id: id(),
    /** The sender. */
    account_id: referenceColumn("accounts"),
    /** The account that accepted it. */
    receiver_id: referenceColumn("accounts").nullable(),
    /** A UUID in upper case. */
    token: textColumn().unique(),
    status: textColumn<TransferStatus>(),
    created: textColumn(),
    updated: textColumn(),
    /** When it becomes stale. */
    expires: textColumn(),
    /** When `applyDueWork` moves its entities, once it is accepted. */
    completes: textColumn().nullable(),
    /** The receiver's event of the acceptance. */
    event_id: bigint().nullable(),
  }).with({
    indexes: {
      transfers_sent: ["account_id", "status"],
      transfers_accepted: ["receiver_id", "status"],
    },
  }),
  /** An entity of a transfer; the row remains after the entity. */
  transferred_entities: defineTable({
    transfer_id: referenceColumn("entity_transfers"),
    /** Its place in the list of its type. */
    position: integer(),
    entity_type: textColumn<TransferredType>(),
    entity_id: bigint(),
    /** Its name when the transfer was created. */
    label: textColumn(),
  }).with({
    primaryKey: { entity_of_transfer: ["transfer_id", "entity_type", "entity_id"] },
    indexes: { transfers_of_entity: ["entity_type", "entity_id"] },
  }),
  /** A message of the operator to an account, or without one to all. */
  notices: defineTable({
    id: id(),
    account_id: referenceColumn("accounts").nullable(),
    label: textColumn(),
    message: textColumn(),
    /** When it disappears; null for never. */
    until: textColumn().nullable(),
  }),
  /** Work of the operator on the host of a node, from its announcement to its end. */
  maintenance: defineTable({
    id: id(),
    node_id: referenceColumn("nodes"),
    type: textColumn<MaintenanceType>(),
    status: textColumn<"pending" | "started">(),
    reason: textColumn(),
    /** When it begins. */
    begins: textColumn(),
  }).with({ indexes: { maintenance_of_node: ["node_id"] } }),
  /** A person whom the operator contacts about managed services. */
  managed_contacts: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    name: textColumn(),
    email: textColumn(),
    /** Phone numbers; null if unset. */
    phone_primary: textColumn().nullable(),
    phone_secondary: textColumn().nullable(),
    group: textColumn().nullable(),
    updated: textColumn(),
  }).with({ indexes: { contacts_of_account: ["account_id", "id"] } }),
  /** A username and a password that the operator may use. */
  managed_credentials: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    label: textColumn(),
    /** JSON of username and password, sealed. */
    sealed: textColumn(),
    last_decrypted: textColumn().nullable(),
  }).with({
    unique: { credential_of_account: ["account_id", "label"] },
    indexes: { credentials_of_account: ["account_id", "id"] },
  }),
  /** The operator's key pair for an account: the public key in OpenSSH format, and the private one, sealed. */
  managed_ssh_keys: defineTable({
    account_id: referenceColumn("accounts").primary(),
    public_key: textColumn(),
    sealed: textColumn(),
  }),
  managed_services: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    status: textColumn<ManagedServiceStatus>(),
    service_type: textColumn<ManagedServiceType>(),
    label: textColumn(),
    address: textColumn(),
    /** The host of the address, whose problems become one issue. */
    host: textColumn(),
    /** Seconds. */
    timeout: integer(),
    body: textColumn().nullable(),
    consultation_group: textColumn(),
    notes: textColumn().nullable(),
    region: textColumn().nullable(),
    created: textColumn(),
    updated: textColumn(),
    /** When it is probed, or when the lease of its present probe ends; null while it is disabled. */
    next: textColumn().nullable(),
    /** Failed probes since it was last up. */
    failures: integer(),
  }).with({
    indexes: {
      services_of_account: ["account_id", "id"],
      services_to_probe: ["next"],
    },
  }),
  /** The credentials of services, in the order of `position`. */
  managed_service_credentials: defineTable({
    service_id: referenceColumn("managed_services"),
    credential_id: referenceColumn("managed_credentials"),
    position: integer(),
  }).with({
    primaryKey: { credential_of_service: ["service_id", "credential_id"] },
    indexes: { services_of_credential: ["credential_id"] },
  }),
  /** A problem of services of one host. */
  managed_issues: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    ticket_id: referenceColumn("tickets"),
    host: textColumn(),
    /** JSON of the ids of its services, also of those that were deleted since. */
    services: textColumn(),
    created: textColumn(),
    /** When the last of its services recovered; null until then. */
    ended: textColumn().nullable(),
  }).with({ indexes: { issues_of_account: ["account_id", "id"] } }),
  /** Messages to people outside; kept for a day after they were delivered. */
  mail: defineTable({
    id: id(),
    account_id: referenceColumn("accounts"),
    /** A random word, which names the message outside. */
    token: textColumn(),
    /** The name of the person. */
    recipient: textColumn(),
    email: textColumn(),
    subject: textColumn(),
    text: textColumn(),
    /** The cause, if the account gets one message only about it. */
    about: textColumn().nullable(),
    created: textColumn(),
    /** When it is delivered, or when the lease of its delivery ends; null once it was delivered. */
    next: textColumn().nullable(),
  }).with({
    indexes: {
      mail_of_account: ["account_id", "created"],
      mail_to_deliver: ["next"],
    },
  }),
  /** How the operator reaches a node by SSH, once it was changed; `access` is 1 if that is allowed. */
  managed_node_settings: defineTable({
    node_id: referenceColumn("nodes").primary(),
    access: integer(),
    user: textColumn(),
    ip: textColumn(),
    port: integer(),
  }),
  /**
   * The name servers that a domain's zone was rendered with, and the number of its version in `zone_changes`; null if
   * it was rendered before there were such.
   */
  zones: defineTable({
    domain_id: referenceColumn("domains").primary(),
    name_servers: textColumn(),
    number: bigint().nullable(),
  }),
  /**
   * The journal of a rendered zone, see `zone-changes-rows.ts`: the versions, and each record before a change. Triggers
   * of `records` write the changes, and others delete the oldest rows.
   */
  zone_changes: defineTable({
    domain_id: referenceColumn("domains"),
    /** 1, 2 … for each domain. */
    number: bigint(),
    /** Octets of all targets up to this row, also of those deleted since. */
    octets: bigint(),
    /** Of a version: its serial, and the settings as JSON. */
    serial: bigint().nullable(),
    settings: textColumn().nullable(),
    /** Of a change: the record, and a name that it had before or has since. */
    record_id: bigint().nullable(),
    name_key: textColumn().nullable(),
    /** The record before; null if it did not exist. */
    type: textColumn().nullable(),
    name: textColumn().nullable(),
    priority: integer().nullable(),
    weight: integer().nullable(),
    port: integer().nullable(),
    ttl_sec: integer().nullable(),
    tag: textColumn().nullable(),
    rdata: textColumn().nullable(),
    alias_id: bigint().nullable(),
    target: textColumn().nullable(),
  }).with({
    primaryKey: { change_of_zone: ["domain_id", "number"] },
    indexes: { versions_of_zone: { columns: ["domain_id", "serial"], where: "serial is not null" } },
  }),
  /** A part of the lines of a zone, joined by line feeds: part 0, 1 … */
  zone_lines: defineTable({
    domain_id: referenceColumn("domains"),
    kind: textColumn<ZoneKind>(),
    part: integer(),
    lines: textColumn(),
  }).with({ primaryKey: { part_of_zone: ["domain_id", "kind", "part"] } }),
  /** One row, which is written to find out whether the database can be written. */
  write_probes: defineTable({
    id: integer().primary(),
    written: textColumn(),
  }),
  /**
   * Zone data from the masters; the zone itself is in `zone_lines`. Stale if `domain_key` differs (the domain was
   * renamed).
   */
  slaves: defineTable({
    domain_id: referenceColumn("domains").primary(),
    domain_key: textColumn(),
    /** The masters when the row was written, as in the domain. */
    master_ips: textColumn(),
    /** When they were asked last; null if an older server did. */
    asked: textColumn().nullable(),
    /** When to ask them again. */
    next: textColumn(),
    /** The times in a row that none of them gave the zone. */
    failures: integer().default(0),
    /** From the SOA record; this and all below are null before the first transfer. */
    serial: bigint().nullable(),
    refresh: integer().nullable(),
    retry: integer().nullable(),
    expire: integer().nullable(),
    /** Moment of the last transfer. */
    transferred: textColumn().nullable(),
    /** End of its validity. */
    expires: textColumn().nullable(),
  }).with({ indexes: { failing_slaves: { columns: ["failures"], where: "failures > 0" } } }),
  /**
   * Separate from the domains: the serial of a deleted and recreated domain must continue, or secondaries keep the old
   * zone.
   */
  serials: defineTable({
    domain_key: textColumn().primary(),
    serial: bigint(),
  }),
  /**
   * Zones made from the names of addresses, and the catalog zone, by name without the final dot: the serial, 0 before
   * the first, and the settings that it was served with, null before that; of the catalog, a digest of its members.
   */
  reverse_zones: defineTable({
    name: textColumn().primary(),
    serial: bigint(),
    settings: textColumn().nullable(),
  }),
};

export type Tables = RowsOf<typeof tables>;

/** A connection inside a transaction. */
export type Database = Kysely<Tables>;

/** A zone file, transferred from the masters. Older versions have also stored rendered ones. */
export type ZoneKind = "transferred" | "rendered";
export type ZoneChangeRow = Selectable<Tables["zone_changes"]>;
export type SlaveRow = Selectable<Tables["slaves"]>;
export type AliasLookupRow = Selectable<Tables["alias_lookups"]>;
export type DomainRow = Selectable<Tables["domains"]>;
/** A new domain; the store derives its `tree_key`. */
export type DomainColumns = Omit<Insertable<Tables["domains"]>, "tree_key" | "records">;
export type TagRow = Selectable<Tables["tags"]>;
export type RecordRow = Selectable<Tables["records"]>;
export type NewRecordRow = Insertable<Tables["records"]>;
export type AccountRow = Selectable<Tables["accounts"]>;
export type OAuthClientRow = Selectable<Tables["oauth_clients"]>;
export type AuthorizationRow = Selectable<Tables["authorizations"]>;
export type NewAuthorizationRow = Insertable<Tables["authorizations"]>;
export type NewLoginRow = Insertable<Tables["logins"]>;
export type LoginRow = Selectable<Tables["logins"]>;
export type MaintenanceRow = Selectable<Tables["maintenance"]>;
export type EntityTransferRow = Selectable<Tables["entity_transfers"]>;
export type NewEntityTransferRow = Insertable<Tables["entity_transfers"]>;
export type TransferredEntityRow = Selectable<Tables["transferred_entities"]>;
export type NoticeRow = Selectable<Tables["notices"]>;
export type ManagedContactRow = Selectable<Tables["managed_contacts"]>;
export type ManagedCredentialRow = Selectable<Tables["managed_credentials"]>;
export type ManagedServiceRow = Selectable<Tables["managed_services"]>;
export type ManagedIssueRow = Selectable<Tables["managed_issues"]>;
export type NewManagedIssueRow = Insertable<Tables["managed_issues"]>;
export type ManagedNodeSettingsRow = Selectable<Tables["managed_node_settings"]>;
export type TokenRow = Selectable<Tables["tokens"]>;
export type SshKeyRow = Selectable<Tables["ssh_keys"]>;
export type UserRow = Selectable<Tables["users"]>;
export type JobRow = Selectable<Tables["jobs"]>;
export type NodeRow = Selectable<Tables["nodes"]>;
export type NewNodeRow = Insertable<Tables["nodes"]>;
export type DiskRow = Selectable<Tables["disks"]>;
export type NodeConfigRow = Selectable<Tables["node_configs"]>;
export type NewNodeConfigRow = Insertable<Tables["node_configs"]>;
export type BackupRow = Selectable<Tables["backups"]>;
export type VolumeRow = Selectable<Tables["volumes"]>;
export type FirewallRow = Selectable<Tables["firewalls"]>;
export type FirewallDeviceRow = Selectable<Tables["firewall_devices"]>;
export type AddressRow = Selectable<Tables["addresses"]>;
export type ChargeRow = Selectable<Tables["charges"]>;
export type NewChargeRow = Insertable<Tables["charges"]>;
export type InvoiceRow = Selectable<Tables["invoices"]>;
export type InvoiceItemRow = Selectable<Tables["invoice_items"]>;
export type NewInvoiceItemRow = Insertable<Tables["invoice_items"]>;
export type PaymentRow = Selectable<Tables["payments"]>;
export type TicketRow = Selectable<Tables["tickets"]>;
export type NewTicketRow = Insertable<Tables["tickets"]>;
export type TicketReplyRow = Selectable<Tables["ticket_replies"]>;
export type NewTicketReplyRow = Insertable<Tables["ticket_replies"]>;
export type FileRow = Selectable<Tables["files"]>;
export type EventRow = Selectable<Tables["events"]>;
export type NewEventRow = Insertable<Tables["events"]>;
