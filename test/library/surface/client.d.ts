export type Account = {
  company: string;
  email?: string | undefined;
  first_name?: string | undefined;
  last_name?: string | undefined;
  address_1?: string | undefined;
  address_2?: string | undefined;
  city?: string | undefined;
  state?: string | undefined;
  zip?: string | undefined;
  country?: string | undefined;
  phone?: string | undefined;
  balance?: number | undefined;
  tax_id?: string | undefined;
  credit_card?: { last_four: string | number | null; expiry: string | null; } | undefined;
  balance_uninvoiced?: number | undefined;
  active_since: string;
  capabilities?: string[] | undefined;
  active_promotions?: { credit_monthly_cap?: string | undefined; credit_remaining?: string | undefined; description?: string | undefined; expire_dt?: string | undefined; image_url?: string | undefined; service_type?: string | undefined; summary?: string | undefined; this_month_credit_remaining?: string | undefined; }[] | undefined;
  euuid: string;
};

export type AccountSettings = {
  backups_enabled: boolean;
  managed: boolean;
  network_helper: boolean;
  metrics_subscription: string | null;
  object_storage: string;
  interfaces_for_new_nodes: string;
  maintenance_policy?: string | undefined;
};

export type AccountUpdate = {
  company?: string | null | undefined;
  email?: string | null | undefined;
  first_name?: string | null | undefined;
  last_name?: string | null | undefined;
  address_1?: string | null | undefined;
  address_2?: string | null | undefined;
  city?: string | null | undefined;
  state?: string | null | undefined;
  zip?: string | null | undefined;
  country?: string | null | undefined;
  phone?: string | null | undefined;
  tax_id?: string | null | undefined;
  active_promotions?: { credit_monthly_cap?: string | undefined; credit_remaining?: string | undefined; description?: string | undefined; expire_dt?: string | undefined; image_url?: string | undefined; service_type?: string | undefined; summary?: string | undefined; this_month_credit_remaining?: string | undefined; }[] | null | undefined;
};

export type Address = {
  address: string;
  gateway: string | null;
  subnet_mask: string;
  prefix: number;
  type: "ipv4" | "ipv6" | (string & {});
  public: boolean;
  rdns: string | null;
  node_id: number;
  region: string;
};

export type AddressUpdate = {
  rdns?: string | null | undefined;
};

export declare class Advice {
    toString(): string;
    toJSON(): string;
}

export type Alerts = {
  cpu: number;
  network_in: number;
  network_out: number;
  transfer_quota: number;
  io: number;
};

export declare class ApiError extends ClientError {
    readonly request: string;
    readonly status: number;
    readonly kind: ApiErrorKind;
    readonly outcome: "refused" | "ambiguous";
    readonly reasons: readonly ApiErrorEntry[];
    readonly retryAfterMs: number | undefined;
}

export type ApiErrorEntry = {
  reason: string;
  field?: string | undefined;
};

export type ApiErrorKind = "invalid" | "token" | "scope" | "grant" | "not-found" | "busy" | "rate" | "maintenance" | "server" | "other";

export type ApiEvent = {
  id: number;
  action: "account_settings_update" | "account_update" | "backups_cancel" | "backups_enable" | "backups_restore" | "balancer_config_create" | "balancer_config_delete" | "balancer_config_update" | "balancer_create" | "balancer_delete" | "balancer_node_create" | "balancer_node_delete" | "balancer_node_update" | "balancer_update" | "community_like" | "community_question_reply" | "console_boot" | "credit_card_updated" | "deployscript_create" | "deployscript_delete" | "deployscript_publicize" | "deployscript_revise" | "deployscript_update" | "disk_create" | "disk_delete" | "disk_duplicate" | "disk_imagize" | "disk_resize" | "disk_update" | "dns_record_create" | "dns_record_delete" | "dns_record_update" | "dns_zone_create" | "dns_zone_delete" | "dns_zone_import" | "dns_zone_update" | "entity_transfer_accept" | "entity_transfer_cancel" | "entity_transfer_create" | "entity_transfer_fail" | "entity_transfer_stale" | "firewall_create" | "firewall_delete" | "firewall_device_add" | "firewall_device_remove" | "firewall_disable" | "firewall_enable" | "firewall_update" | "host_reboot" | "image_delete" | "image_update" | "image_upload" | "ipaddress_update" | "k8s_node_create" | "managed_disabled" | "managed_enabled" | "managed_service_create" | "managed_service_delete" | "metricsclient_create" | "metricsclient_delete" | "metricsclient_update" | "node_addip" | "node_boot" | "node_clone" | "node_config_create" | "node_config_delete" | "node_config_update" | "node_create" | "node_delete" | "node_deleteip" | "node_migrate" | "node_migrate_datacenter" | "node_migrate_datacenter_create" | "node_mutate" | "node_mutate_create" | "node_reboot" | "node_rebuild" | "node_resize" | "node_resize_create" | "node_shutdown" | "node_snapshot" | "node_update" | "oauth_client_create" | "oauth_client_delete" | "oauth_client_secret_reset" | "oauth_client_update" | "password_reset" | "payment_method_add" | "payment_submitted" | "profile_update" | "tag_create" | "tag_delete" | "tfa_disabled" | "tfa_enabled" | "ticket_attachment_upload" | "ticket_create" | "ticket_update" | "token_create" | "token_delete" | "token_update" | "user_create" | "user_delete" | "user_ssh_key_add" | "user_ssh_key_delete" | "user_ssh_key_update" | "user_update" | "vlan_attach" | "vlan_detach" | "volume_attach" | "volume_clone" | "volume_create" | "volume_delete" | "volume_detach" | "volume_resize" | "volume_update" | "watchdog_reboot" | (string & {});
  created: string;
  duration: number | null;
  entity: Entity | null;
  secondary_entity: Entity | null;
  message: string | null;
  percent_complete: number | null;
  rate: string | null;
  read: boolean;
  seen: boolean;
  status: OpenWord<"failed" | "finished" | "notification" | "scheduled" | "started"> | null;
  time_remaining: string | null;
  username: string | null;
};

export type ApiRecord = {
  id: number;
  type: "A" | "AAAA" | "CAA" | "CNAME" | "MX" | "NS" | "PTR" | "SRV" | "TXT" | (string & {});
  name: string;
  target: string;
  priority: number;
  weight: number;
  port: number;
  service: string | null;
  protocol: string | null;
  ttl_sec: number;
  tag: OpenWord<"iodef" | "issue" | "issuewild"> | null;
  created: string;
  updated: string;
};

export type ApiRecordType = (typeof apiRecordTypes)[number];

export type Backup = {
  id: number;
  region?: string | undefined;
  type: "auto" | "snapshot" | (string & {});
  status: "failed" | "needsPostProcessing" | "paused" | "pending" | "running" | "successful" | "userAborted" | (string & {});
  created: string;
  updated: string;
  finished: string | null;
  label: string | null;
  configs: string[];
  disks: { label: string; size: number; filesystem: OpenWord<"ext3" | "ext4" | "initrd" | "raw" | "swap">; }[];
  available?: boolean | undefined;
};

export type Backups = {
  automatic: Backup[];
  snapshot: { current: Backup | null; in_progress: Backup | null; };
};

export interface CallOptions {
    signal?: AbortSignal | undefined;
    urgent?: boolean | undefined;
}

export type CancelledAccount = {
  survey_link: string;
};

export type Client = {
  acceptEntityTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  acceptServiceTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  attachVolume: (input: { body: { node_id: number; config_id?: number | null | undefined; }; volumeId: number; }, options?: CallOptions | undefined) => Promise<Volume>;
  bootNode: (input: { body: { config_id?: number | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  cancelAccount: (input: { body: { comments?: string | null | undefined; }; }, options?: CallOptions | undefined) => Promise<CancelledAccount>;
  cancelBackups: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  cancelEntityTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  cancelServiceTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  cloneDisk: (input: { nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Disk>;
  cloneDomain: (input: { body: { domain: string; }; domainId: number; }, options?: CallOptions | undefined) => Promise<Domain>;
  cloneNode: (input: { body: CloneRequest; nodeId: number; }, options?: CallOptions | undefined) => Promise<Node>;
  closeTicket: (input: { ticketId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  createDisk: (input: { body: NewDisk; nodeId: number; }, options?: CallOptions | undefined) => Promise<Disk>;
  createDomain: (input: { body: NewDomain; }, options?: CallOptions | undefined) => Promise<Domain>;
  createEntityTransfer: (input: { body: NewEntityTransfer; }, options?: CallOptions | undefined) => Promise<EntityTransfer>;
  createFirewall: (input: { body: NewFirewall; }, options?: CallOptions | undefined) => Promise<Firewall>;
  createFirewallDevice: (input: { body: NewFirewallDevice; firewallId: number; }, options?: CallOptions | undefined) => Promise<FirewallDevice>;
  createManagedContact: (input: { body: NewManagedContact; }, options?: CallOptions | undefined) => Promise<ManagedContact>;
  createManagedCredential: (input: { body: NewManagedCredential; }, options?: CallOptions | undefined) => Promise<ManagedCredential>;
  createManagedService: (input: { body: NewManagedService; }, options?: CallOptions | undefined) => Promise<ManagedService>;
  createNode: (input: { body: NewNode; }, options?: CallOptions | undefined) => Promise<Node>;
  createNodeAddress: (input: { body: NewAddress; nodeId: number; }, options?: CallOptions | undefined) => Promise<Address>;
  createNodeConfig: (input: { body: NewNodeConfig; nodeId: number; }, options?: CallOptions | undefined) => Promise<NodeConfig>;
  createOAuthClient: (input: { body: NewOAuthClient; }, options?: CallOptions | undefined) => Promise<OAuthClient>;
  createRecord: (input: { body: NewRecord; domainId: number; }, options?: CallOptions | undefined) => Promise<ApiRecord>;
  createServiceTransfer: (input: { body: NewEntityTransfer; }, options?: CallOptions | undefined) => Promise<EntityTransfer>;
  createSnapshot: (input: { body: NewSnapshot; nodeId: number; }, options?: CallOptions | undefined) => Promise<Backup>;
  createTag: (input: { body: NewTag; }, options?: CallOptions | undefined) => Promise<NewSnapshot>;
  createTicket: (input: { body: NewTicket; }, options?: CallOptions | undefined) => Promise<Ticket>;
  createTicketAttachment: (input: { body: { file: FileToSend; }; ticketId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  createTicketReply: (input: { body: NewTicketReply; ticketId: number; }, options?: CallOptions | undefined) => Promise<TicketReply>;
  createVolume: (input: { body: NewVolume; }, options?: CallOptions | undefined) => Promise<Volume>;
  deleteDisk: (input: { nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteDomain: (input: { domainId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteFirewall: (input: { firewallId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteFirewallDevice: (input: { firewallId: number; deviceId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteManagedContact: (input: { contactId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteManagedCredential: (input: { credentialId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteManagedService: (input: { serviceId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteNode: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteNodeAddress: (input: { nodeId: number; address: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteNodeConfig: (input: { nodeId: number; configId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteOAuthClient: (input: { clientId: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteRecord: (input: { domainId: number; recordId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteTag: (input: NewSnapshot, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteVolume: (input: { volumeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  detachVolume: (input: { volumeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  disableManagedService: (input: { serviceId: number; }, options?: CallOptions | undefined) => Promise<ManagedService>;
  enableBackups: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  enableManaged: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  enableManagedService: (input: { serviceId: number; }, options?: CallOptions | undefined) => Promise<ManagedService>;
  getAccount: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<Account>;
  getAccountSettings: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<AccountSettings>;
  getAddress: (input: { address: string; }, options?: CallOptions | undefined) => Promise<Address>;
  getBackup: (input: { nodeId: number; backupId: number; }, options?: CallOptions | undefined) => Promise<Backup>;
  getBackups: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Backups>;
  getDisk: (input: { nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Disk>;
  getDomain: (input: { domainId: number; }, options?: CallOptions | undefined) => Promise<Domain>;
  getEntityTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<EntityTransfer>;
  getEvent: (input: { eventId: number; }, options?: CallOptions | undefined) => Promise<ApiEvent>;
  getFirewall: (input: { firewallId: number; }, options?: CallOptions | undefined) => Promise<Firewall>;
  getFirewallDevice: (input: { firewallId: number; deviceId: number; }, options?: CallOptions | undefined) => Promise<FirewallDevice>;
  getFirewallRules: (input: { firewallId: number; }, options?: CallOptions | undefined) => Promise<FirewallRules>;
  getGrants: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<Grants | undefined>;
  getImage: (input: { imageId: string; }, options?: CallOptions | undefined) => Promise<Image>;
  getInvoice: (input: { invoiceId: number; }, options?: CallOptions | undefined) => Promise<Invoice>;
  getKernel: (input: { kernelId: string; }, options?: CallOptions | undefined) => Promise<Kernel>;
  getLogin: (input: { loginId: number; }, options?: CallOptions | undefined) => Promise<Login>;
  getManagedContact: (input: { contactId: number; }, options?: CallOptions | undefined) => Promise<ManagedContact>;
  getManagedCredential: (input: { credentialId: number; }, options?: CallOptions | undefined) => Promise<ManagedCredential>;
  getManagedIssue: (input: { issueId: number; }, options?: CallOptions | undefined) => Promise<ManagedIssue>;
  getManagedNodeSettings: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<ManagedNodeSettings>;
  getManagedService: (input: { serviceId: number; }, options?: CallOptions | undefined) => Promise<ManagedService>;
  getManagedSshKey: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<ManagedSshKey>;
  getManagedStats: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<ManagedStats>;
  getNode: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Node>;
  getNodeAddress: (input: { nodeId: number; address: string; }, options?: CallOptions | undefined) => Promise<Address>;
  getNodeAddresses: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<NodeAddresses>;
  getNodeConfig: (input: { nodeId: number; configId: number; }, options?: CallOptions | undefined) => Promise<NodeConfig>;
  getNodeMonthStats: (input: { nodeId: number; year: string; month: string; }, options?: CallOptions | undefined) => Promise<NodeStats>;
  getNodeMonthTransfer: (input: { nodeId: number; year: string; month: string; }, options?: CallOptions | undefined) => Promise<MonthTransfer>;
  getNodeStats: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<NodeStats>;
  getNodeTransfer: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<TransferPool>;
  getNodeType: (input: { typeId: string; }, options?: CallOptions | undefined) => Promise<NodeType>;
  getOAuthClient: (input: { clientId: string; }, options?: CallOptions | undefined) => Promise<OAuthClient>;
  getProfile: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<UserProfile>;
  getRecord: (input: { domainId: number; recordId: number; }, options?: CallOptions | undefined) => Promise<ApiRecord>;
  getRegion: (input: { regionId: string; }, options?: CallOptions | undefined) => Promise<Region>;
  getServiceTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<EntityTransfer>;
  getTicket: (input: { ticketId: number; }, options?: CallOptions | undefined) => Promise<Ticket>;
  getToken: (input: { tokenId: number; }, options?: CallOptions | undefined) => Promise<Token>;
  getUser: (input: { username: string; }, options?: CallOptions | undefined) => Promise<User>;
  getVolume: (input: { volumeId: number; }, options?: CallOptions | undefined) => Promise<Volume>;
  getZoneFile: (input: { domainId: number; }, options?: CallOptions | undefined) => Promise<RenderedZone>;
  importDomain: (input: { body: DomainImport; }, options?: CallOptions | undefined) => Promise<Domain>;
  listAddresses: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"address" | "gateway" | "node_id" | "prefix" | "public" | "rdns" | "region" | "subnet_mask" | "type">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Address[]; page: number; pages: number; results: number; }>;
  listDisks: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "disk_encryption" | "filesystem" | "id" | "label" | "size" | "status" | "updated">; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ data: Disk[]; page: number; pages: number; results: number; }>;
  listDomains: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"axfr_ips" | "created" | "description" | "domain" | "errors" | "expire_sec" | "group" | "id" | "master_ips" | "refresh_sec" | "retry_sec" | "soa_email" | "status" | "tags" | "ttl_sec" | "type" | "updated">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Domain[]; page: number; pages: number; results: number; }>;
  listEntityTransfers: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "expiry" | "is_sender" | "status" | "token" | "updated">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: EntityTransfer[]; page: number; pages: number; results: number; }>;
  listEvents: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"action" | "created" | "duration" | "entity.id" | "entity.label" | "entity.type" | "entity.url" | "id" | "message" | "percent_complete" | "rate" | "read" | "seen" | "status" | "time_remaining" | "username">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: ApiEvent[]; page: number; pages: number; results: number; }>;
  listFirewallDevices: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "id" | "updated">; firewallId: number; }, options?: CallOptions | undefined) => Promise<{ data: FirewallDevice[]; page: number; pages: number; results: number; }>;
  listFirewalls: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "id" | "label" | "status" | "tags" | "updated">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Firewall[]; page: number; pages: number; results: number; }>;
  listImages: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"capabilities" | "created" | "created_by" | "deprecated" | "description" | "eol" | "expiry" | "id" | "is_public" | "is_shared" | "label" | "size" | "status" | "tags" | "total_size" | "type" | "updated" | "vendor">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Image[]; page: number; pages: number; results: number; }>;
  listInvoiceItems: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"amount" | "from" | "label" | "quantity" | "tax" | "to" | "total" | "type" | "unit_price">; invoiceId: number; }, options?: CallOptions | undefined) => Promise<{ data: InvoiceItem[]; page: number; pages: number; results: number; }>;
  listInvoices: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"date" | "id" | "label" | "subtotal" | "tax" | "total">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Invoice[]; page: number; pages: number; results: number; }>;
  listKernels: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"architecture" | "built" | "deprecated" | "id" | "kvm" | "label" | "pvops" | "version" | "xen">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Kernel[]; page: number; pages: number; results: number; }>;
  listLogins: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"datetime" | "id" | "ip" | "restricted" | "status" | "username">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Login[]; page: number; pages: number; results: number; }>;
  listMaintenance: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"reason" | "status" | "type" | "when">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Maintenance[]; page: number; pages: number; results: number; }>;
  listManagedContacts: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"email" | "group" | "id" | "name" | "updated">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: ManagedContact[]; page: number; pages: number; results: number; }>;
  listManagedCredentials: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"id" | "label" | "last_decrypted">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: ManagedCredential[]; page: number; pages: number; results: number; }>;
  listManagedIssues: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "id" | "services">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: ManagedIssue[]; page: number; pages: number; results: number; }>;
  listManagedNodeSettings: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"group" | "id" | "label">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: ManagedNodeSettings[]; page: number; pages: number; results: number; }>;
  listManagedServices: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"address" | "body" | "consultation_group" | "created" | "credentials" | "id" | "label" | "notes" | "region" | "service_type" | "status" | "timeout" | "updated">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: ManagedService[]; page: number; pages: number; results: number; }>;
  listNodeConfigs: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"comments" | "created" | "id" | "initrd" | "kernel" | "label" | "memory_limit" | "root_device" | "run_level" | "updated" | "virt_mode">; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ data: NodeConfig[]; page: number; pages: number; results: number; }>;
  listNodeFirewalls: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "id" | "label" | "status" | "tags" | "updated">; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ data: Firewall[]; page: number; pages: number; results: number; }>;
  listNodeTypes: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"accelerated_devices" | "class" | "disk" | "gpus" | "id" | "label" | "memory" | "network_out" | "successor" | "transfer" | "vcpus">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: NodeType[]; page: number; pages: number; results: number; }>;
  listNodeVolumes: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "encryption" | "filesystem_path" | "hardware_type" | "id" | "io_ready" | "label" | "node_id" | "node_label" | "region" | "size" | "status" | "tags" | "updated">; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ data: Volume[]; page: number; pages: number; results: number; }>;
  listNodes: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"capabilities" | "created" | "disk_encryption" | "group" | "has_user_data" | "host_uuid" | "hypervisor" | "id" | "image" | "interface_generation" | "ipv4" | "ipv6" | "k8s_cluster_id" | "label" | "maintenance_policy" | "region" | "site_type" | "status" | "tags" | "type" | "updated" | "watchdog_enabled">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Node[]; page: number; pages: number; results: number; }>;
  listNotifications: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"body" | "label" | "message" | "severity" | "type" | "until" | "when">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Notification[]; page: number; pages: number; results: number; }>;
  listOAuthClients: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"id" | "label" | "public" | "redirect_uri" | "secret" | "status" | "thumbnail_url">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: OAuthClient[]; page: number; pages: number; results: number; }>;
  listRecords: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "id" | "name" | "port" | "priority" | "protocol" | "service" | "tag" | "target" | "ttl_sec" | "type" | "updated" | "weight">; domainId: number; }, options?: CallOptions | undefined) => Promise<{ data: ApiRecord[]; page: number; pages: number; results: number; }>;
  listRegions: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"capabilities" | "country" | "id" | "label" | "site_type" | "status">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Region[]; page: number; pages: number; results: number; }>;
  listServiceTransfers: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "expiry" | "is_sender" | "status" | "token" | "updated">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: EntityTransfer[]; page: number; pages: number; results: number; }>;
  listTaggedObjects: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"type">; label: string; }, options?: CallOptions | undefined) => Promise<{ data: TaggedObject[]; page: number; pages: number; results: number; }>;
  listTags: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"label">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: NewSnapshot[]; page: number; pages: number; results: number; }>;
  listTicketReplies: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "created_by" | "description" | "from_operator" | "gravatar_id" | "id">; ticketId: number; }, options?: CallOptions | undefined) => Promise<{ data: TicketReply[]; page: number; pages: number; results: number; }>;
  listTickets: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"attachments" | "closable" | "closed" | "description" | "gravatar_id" | "id" | "opened" | "opened_by" | "status" | "summary" | "updated" | "updated_by">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Ticket[]; page: number; pages: number; results: number; }>;
  listTokens: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "expiry" | "id" | "label" | "scopes" | "token">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Token[]; page: number; pages: number; results: number; }>;
  listUsers: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"email" | "restricted" | "ssh_keys" | "tfa_enabled" | "username">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: User[]; page: number; pages: number; results: number; }>;
  listVolumes: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: FilterOn<"created" | "encryption" | "filesystem_path" | "hardware_type" | "id" | "io_ready" | "label" | "node_id" | "node_label" | "region" | "size" | "status" | "tags" | "updated">; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Volume[]; page: number; pages: number; results: number; }>;
  markEventRead: (input: { eventId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  markEventsSeen: (input: { eventId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  migrateNode: (input: { body: { region?: string | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  rebootNode: (input: { body: { config_id?: number | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  rebuildNode: (input: { body: { authorized_keys?: string[] | null | undefined; authorized_users?: string[] | null | undefined; deployscript_id?: number | null | undefined; deployscript_data?: Record<string, unknown> | null | undefined; root_pass?: string | null | undefined; image: string; booted?: boolean | null | undefined; interfaces?: NewInterface[] | null | undefined; swap_size?: number | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Node>;
  rescueNode: (input: { body: { devices?: NewDevices | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resetDiskPassword: (input: { body: { password: string; }; nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resetNodePassword: (input: { body: { root_pass: string; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resetOAuthClientSecret: (input: { clientId: string; }, options?: CallOptions | undefined) => Promise<OAuthClient>;
  resizeDisk: (input: { body: { size: number; }; nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resizeNode: (input: { body: { type: string; allow_auto_disk_resize?: boolean | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resizeVolume: (input: { body: { size: number; }; volumeId: number; }, options?: CallOptions | undefined) => Promise<Volume>;
  restoreBackup: (input: { body: { node_id: number; overwrite?: boolean | null | undefined; }; nodeId: number; backupId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  revokeManagedCredential: (input: { credentialId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  setCreditCard: (input: { body: CreditCard; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  shutDownNode: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  updateAccount: (input: { body: AccountUpdate; }, options?: CallOptions | undefined) => Promise<Account>;
  updateAddress: (input: { body: AddressUpdate; address: string; }, options?: CallOptions | undefined) => Promise<Address>;
  updateDisk: (input: { body: DiskUpdate; nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Disk>;
  updateDomain: (input: { body: DomainUpdate; domainId: number; }, options?: CallOptions | undefined) => Promise<Domain>;
  updateFirewall: (input: { body: FirewallUpdate; firewallId: number; }, options?: CallOptions | undefined) => Promise<Firewall>;
  updateFirewallRules: (input: { body: NewFirewallRules; firewallId: number; }, options?: CallOptions | undefined) => Promise<FirewallRules>;
  updateManagedContact: (input: { body: ManagedContactUpdate; contactId: number; }, options?: CallOptions | undefined) => Promise<ManagedContact>;
  updateManagedCredential: (input: { body: ManagedCredentialUpdate; credentialId: number; }, options?: CallOptions | undefined) => Promise<ManagedCredential>;
  updateManagedNodeSettings: (input: { body: ManagedNodeSettingsUpdate; nodeId: number; }, options?: CallOptions | undefined) => Promise<ManagedNodeSettings>;
  updateManagedPassword: (input: { body: { password: string; username?: string | null | undefined; }; credentialId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  updateManagedService: (input: { body: ManagedServiceUpdate; serviceId: number; }, options?: CallOptions | undefined) => Promise<ManagedService>;
  updateNode: (input: { body: NodeUpdate; nodeId: number; }, options?: CallOptions | undefined) => Promise<Node>;
  updateNodeAddress: (input: { body: AddressUpdate; nodeId: number; address: string; }, options?: CallOptions | undefined) => Promise<Address>;
  updateNodeConfig: (input: { body: NodeConfigUpdate; nodeId: number; configId: number; }, options?: CallOptions | undefined) => Promise<NodeConfig>;
  updateOAuthClient: (input: { body: OAuthClientUpdate; clientId: string; }, options?: CallOptions | undefined) => Promise<OAuthClient>;
  updateRecord: (input: { body: RecordUpdate; domainId: number; recordId: number; }, options?: CallOptions | undefined) => Promise<ApiRecord>;
  updateVolume: (input: { body: VolumeUpdate; volumeId: number; }, options?: CallOptions | undefined) => Promise<Volume>;
};

export declare abstract class ClientError extends ProblemError {
    constructor(rule: ProblemId, summary: string, fix: Fix | undefined, cause?: unknown);
}

export type ClientMethod<E extends Endpoint> = Record<never, never> extends Input<E> ? (input?: Input<E>, options?: CallOptions) => Promise<Reply<E>> : (input: Input<E>, options?: CallOptions) => Promise<Reply<E>>;

export interface ClientOptions {
    baseUrl: string;
    token?: string | undefined;
    words?: Spelling | undefined;
    records?: RecordsSetting | undefined;
    send?: Send;
    timeoutMs?: number;
    retries?: number;
    now?: () => number;
    sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
    random?: () => number;
    onWait?: ((error: ApiError, ms: number) => void) | undefined;
}

export type CloneRequest = {
  region?: string | null | undefined;
  type?: string | null | undefined;
  node_id?: number | null | undefined;
  label?: string | null | undefined;
  group?: string | null | undefined;
  backups_enabled?: boolean | null | undefined;
  private_ip?: boolean | null | undefined;
  configs?: number[] | null | undefined;
  disks?: number[] | null | undefined;
};

export type Condition = Scalar | {
    "+gt"?: Scalar;
    "+gte"?: Scalar;
    "+lt"?: Scalar;
    "+lte"?: Scalar;
    "+neq"?: Scalar;
    "+contains"?: string;
};

export type Conditions<Attribute extends string> = {
    [Name in Attribute]?: Condition | undefined;
} & {
    "+and"?: Conditions<Attribute>[];
    "+or"?: Conditions<Attribute>[];
};

export type CreditCard = {
  card_number: string;
  cvv: string;
  expiry_month: number;
  expiry_year: number;
};

export type Device = {
  disk_id: number | null;
  volume_id: number | null;
};

export type Disk = {
  id: number;
  status: "deleting" | "not ready" | "ready" | (string & {});
  label: string;
  created: string;
  updated: string;
  filesystem: "ext3" | "ext4" | "initrd" | "raw" | "swap" | (string & {});
  size: number;
  disk_encryption?: string | undefined;
};

export type DiskUpdate = {
  filesystem?: "ext3" | "ext4" | "initrd" | "raw" | "swap" | null | undefined;
  label?: string | null | undefined;
  size?: number | null | undefined;
};

export type Domain = {
  ttl_sec: number;
  refresh_sec: number;
  retry_sec: number;
  expire_sec: number;
  id: number;
  type: "master" | "slave" | (string & {});
  domain: string;
  status: "active" | "disabled" | (string & {});
  description: string;
  group: string;
  soa_email: string;
  master_ips: string[];
  axfr_ips: string[];
  tags: string[];
  created?: string | undefined;
  updated?: string | undefined;
  errors?: string | undefined;
};

export type DomainImport = {
  domain: string;
  remote_nameserver: string;
};

export type DomainUpdate = {
  domain?: string | null | undefined;
  type?: "master" | "slave" | null | undefined;
  status?: "active" | "disabled" | null | undefined;
  description?: string | null | undefined;
  group?: string | null | undefined;
  soa_email?: string | null | undefined;
  ttl_sec?: number | null | undefined;
  refresh_sec?: number | null | undefined;
  retry_sec?: number | null | undefined;
  expire_sec?: number | null | undefined;
  master_ips?: string[] | null | undefined;
  axfr_ips?: string[] | null | undefined;
  tags?: string[] | null | undefined;
};

export interface Endpoint {
    readonly method: "GET" | "POST" | "PUT" | "DELETE";
    readonly path: `/${string}`;
    readonly summary: string;
    readonly tag: EndpointTag;
    readonly scope: Scope | null;
    readonly who?: "unrestricted" | "account";
    readonly params?: z.ZodObject;
    readonly query?: z.ZodObject;
    readonly body?: z.ZodObject;
    readonly reply: z.ZodType;
    readonly filterable?: readonly string[];
    readonly columns?: readonly string[];
    readonly media?: "multipart/form-data";
    readonly limit?: "tickets" | "transfers";
    readonly deprecated?: true;
    readonly profile?: "live";
    readonly beyond?: true;
    readonly noContent?: string;
    readonly done?: string;
    readonly job?: true;
    readonly destructive?: string;
    readonly conflict?: string;
}

export type EndpointName = keyof EndpointTable;

export type EndpointTable = typeof endpoints;

export type EndpointTag = keyof typeof endpointTags;

export type Entity = {
  label: string;
  id?: string | number | undefined;
  type: "account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume" | (string & {});
  url: string;
};

export type EntityTransfer = {
  entities: { nodes?: number[] | undefined; domains?: number[] | undefined; };
  token: string;
  status: "accepted" | "cancelled" | "completed" | "failed" | "pending" | "stale" | (string & {});
  created: string;
  updated: string;
  expiry: string;
  is_sender: boolean;
};

export type FileToSend = File | {
    readonly name: string;
    readonly content: Blob | AsyncIterable<Uint8Array>;
};

export type FilterOn<Attribute extends string> = Conditions<Attribute> & {
    "+order_by"?: Attribute;
    "+order"?: "asc" | "desc";
};

export type Firewall = {
  id: number;
  label: string;
  created: string;
  updated: string;
  status: "disabled" | "enabled" | (string & {});
  rules: FirewallRules;
  tags: string[];
  entities?: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; parent_entity: Entity | null; }[] | undefined;
};

export type FirewallDevice = {
  id: number;
  created: string;
  updated: string;
  entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; parent_entity?: Entity | null | undefined; };
};

export type FirewallRules = {
  inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[] | null;
  inbound_policy: "ACCEPT" | "DROP" | (string & {});
  outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[] | null;
  outbound_policy: "ACCEPT" | "DROP" | (string & {});
  version?: number | undefined;
  fingerprint?: string | undefined;
};

export type FirewallUpdate = {
  label?: string | null | undefined;
  status?: "disabled" | "enabled" | null | undefined;
  tags?: string[] | null | undefined;
};

export type Fix = string | Advice;

export type Grants = {
  global: { account_access: OpenWord<"read_only" | "read_write"> | null; add_domains: boolean; add_nodes: boolean; cancel_account: boolean; };
  domain: { id: number; label: string; permissions: OpenWord<"read_only" | "read_write">; }[];
  node: { id: number; label: string; permissions: OpenWord<"read_only" | "read_write">; }[];
  volume: { id: number; label: string; permissions: OpenWord<"read_only" | "read_write">; }[];
  firewall: { id: number; label: string; permissions: OpenWord<"read_only" | "read_write">; }[];
};

export type Helpers = {
  updatedb_disabled: boolean;
  distro: boolean;
  modules_dep: boolean;
  network: boolean;
  devtmpfs_automount: boolean;
};

export interface HttpProxy {
    readonly origin: string;
    readonly authorization?: string;
    readonly from: string;
}

export type Image = {
  id: string;
  label: string;
  size: number;
  type: string;
  is_public: boolean;
  status: string;
  vendor: string | null;
  description: string | null;
  deprecated: boolean;
  created: string;
  updated: string;
  created_by: string | null;
  eol: string | null;
  expiry: string | null;
  capabilities: string[];
  regions: { region: string; status: string; }[];
  tags: string[];
  total_size: number;
  is_shared: boolean;
};

export type Input<E extends Endpoint> = Params<E> & Query<E> & Body<E> & Filtering<E> extends infer All ? {
    [Key in keyof All]: All[Key];
} : never;

export type Invoice = {
  id: number;
  date: string;
  label: string;
  subtotal: number;
  tax: number;
  total: number;
};

export type InvoiceItem = {
  label: string;
  type: "hourly" | "misc" | (string & {});
  from: string;
  to: string;
  quantity: number;
  unit_price: string | number;
  amount: number;
  tax: number;
  total: number;
};

export declare class JobFailedError extends ClientError {
    readonly event: ApiEvent;
}

export declare class JobUnknownError extends ClientError {
}

export interface JobsOfNodes {
    readonly nodeIds: readonly number[];
    readonly since: number;
}

export type Kernel = {
  id: string;
  label: string;
  version: string;
  kvm: boolean;
  xen?: boolean | undefined;
  architecture: "i386" | "x86_64" | (string & {});
  pvops: boolean;
  deprecated: boolean;
  built: string;
};

export interface List<I, T> {
    (input: I, options?: CallOptions): Promise<Page<T>>;
    readonly largestPage?: number;
}

export declare class ListChangedError extends ClientError {
    constructor(what: string);
}

export type ListItem = {
    id: number | string;
};

export type Login = {
  id: number;
  datetime: string;
  ip: string;
  username: string;
  status?: string | undefined;
  restricted: boolean;
};

export type Maintenance = {
  type: "cold_migration" | "live_migration" | "reboot" | (string & {});
  status: "pending" | "started" | (string & {});
  reason: string;
  when: string;
  entity: Entity;
};

export type ManagedContact = {
  id: number;
  name: string;
  email: string;
  phone: { primary: string | null; secondary: string | null; };
  group: string | null;
  updated: string;
};

export type ManagedContactUpdate = {
  name?: string | null | undefined;
  email?: string | null | undefined;
  phone?: { primary?: string | null | undefined; secondary?: string | null | undefined; } | null | undefined;
  group?: string | null | undefined;
};

export type ManagedCredential = {
  id: number;
  label: string;
  last_decrypted: string | null;
};

export type ManagedCredentialUpdate = {
  label?: string | null | undefined;
};

export type ManagedIssue = {
  id: number;
  created: string;
  services: number[];
  entity: { id: number; type: OpenWord<"ticket">; label: string; url: string; };
};

export type ManagedNodeSettings = {
  id: number;
  label: string;
  group: string;
  ssh: { access: boolean; user: string; ip: string; port: number; };
};

export type ManagedNodeSettingsUpdate = {
  ssh?: { access?: boolean | null | undefined; user?: string | null | undefined; ip?: string | null | undefined; port?: number | null | undefined; } | null | undefined;
};

export type ManagedService = {
  id: number;
  status: "disabled" | "ok" | "pending" | "problem" | (string & {});
  service_type: "tcp" | "url" | (string & {});
  label: string;
  address: string;
  timeout: number;
  body: string | null;
  consultation_group: string;
  notes: string | null;
  region: string | null;
  credentials: number[];
  created: string;
  updated: string;
};

export type ManagedServiceUpdate = {
  body?: string | null | undefined;
  consultation_group?: string | null | undefined;
  notes?: string | null | undefined;
  region?: string | null | undefined;
  credentials?: number[] | null | undefined;
  service_type?: "tcp" | "url" | null | undefined;
  label?: string | null | undefined;
  address?: string | null | undefined;
  timeout?: number | null | undefined;
};

export type ManagedSshKey = {
  ssh_key: string;
};

export type ManagedStats = {
  data: string[] | { cpu: { x: number; y: number; }[]; disk: { x: number; y: number; }[]; net_in: { x: number; y: number; }[]; net_out: { x: number; y: number; }[]; swap: { x: number; y: number; }[]; };
};

export type MonthTransfer = {
  bytes_in: number;
  bytes_out: number;
  bytes_total: number;
};

export interface MoreFieldsOfTypes {
    MX: "priority";
    SRV: "priority" | "weight" | "port" | "service" | "protocol";
    CAA: "tag" | "flags";
}

export type NewAddress = {
  type: string;
  public: boolean;
};

export type NewDevices = {
  sda?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined;
  sdb?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined;
  sdc?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined;
  sdd?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined;
  sde?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined;
  sdf?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined;
  sdg?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined;
  sdh?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined;
};

export type NewDisk = {
  image?: string | null | undefined;
  root_pass?: string | null | undefined;
  authorized_keys?: string[] | null | undefined;
  authorized_users?: string[] | null | undefined;
  deployscript_id?: number | null | undefined;
  deployscript_data?: Record<string, unknown> | null | undefined;
  size: number;
  filesystem?: "ext3" | "ext4" | "initrd" | "raw" | "swap" | null | undefined;
  label?: string | null | undefined;
};

export type NewDomain = {
  status?: "active" | "disabled" | null | undefined;
  description?: string | null | undefined;
  group?: string | null | undefined;
  soa_email?: string | null | undefined;
  ttl_sec?: number | null | undefined;
  refresh_sec?: number | null | undefined;
  retry_sec?: number | null | undefined;
  expire_sec?: number | null | undefined;
  master_ips?: string[] | null | undefined;
  axfr_ips?: string[] | null | undefined;
  tags?: string[] | null | undefined;
  domain: string;
  type: "master" | "slave";
};

export type NewEntityTransfer = {
  entities: { [x: string]: unknown; nodes?: number[] | null | undefined; domains?: number[] | null | undefined; };
};

export type NewFirewall = {
  label: string;
  rules: NewFirewallRules;
  devices?: { nodes?: number[] | null | undefined; } | null | undefined;
  tags?: string[] | null | undefined;
};

export type NewFirewallDevice = {
  id: number;
  type: "node";
};

export type NewFirewallRules = {
  inbound?: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: "ACCEPT" | "DROP"; protocol: string; }[] | null | undefined;
  inbound_policy: "ACCEPT" | "DROP";
  outbound?: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: "ACCEPT" | "DROP"; protocol: string; }[] | null | undefined;
  outbound_policy: "ACCEPT" | "DROP";
};

export type NewInterface = {
  purpose: string;
  label?: string | null | undefined;
  ipam_address?: string | null | undefined;
};

export type NewManagedContact = {
  name: string;
  email: string;
  phone?: { primary?: string | null | undefined; secondary?: string | null | undefined; } | null | undefined;
  group?: string | null | undefined;
};

export type NewManagedCredential = {
  label: string;
  password: string;
  username?: string | null | undefined;
};

export type NewManagedService = {
  service_type: "tcp" | "url";
  label: string;
  address: string;
  timeout: number;
  body?: string | null | undefined;
  consultation_group?: string | null | undefined;
  notes?: string | null | undefined;
  region?: string | null | undefined;
  credentials?: number[] | null | undefined;
};

export type NewNode = {
  image?: string | null | undefined;
  root_pass?: string | null | undefined;
  authorized_keys?: string[] | null | undefined;
  authorized_users?: string[] | null | undefined;
  deployscript_id?: number | null | undefined;
  deployscript_data?: Record<string, unknown> | null | undefined;
  region: string;
  type: string;
  label?: string | null | undefined;
  backup_id?: number | null | undefined;
  backups_enabled?: boolean | null | undefined;
  booted?: boolean | null | undefined;
  firewall_id?: number | null | undefined;
  group?: string | null | undefined;
  interfaces?: NewInterface[] | null | undefined;
  private_ip?: boolean | null | undefined;
  swap_size?: number | null | undefined;
  tags?: string[] | null | undefined;
};

export type NewNodeConfig = {
  comments?: string | null | undefined;
  helpers?: { updatedb_disabled?: boolean | null | undefined; distro?: boolean | null | undefined; modules_dep?: boolean | null | undefined; network?: boolean | null | undefined; devtmpfs_automount?: boolean | null | undefined; } | null | undefined;
  interfaces?: NewInterface[] | null | undefined;
  kernel?: string | null | undefined;
  memory_limit?: number | null | undefined;
  root_device?: string | null | undefined;
  run_level?: "binbash" | "default" | "single" | null | undefined;
  virt_mode?: "fullvirt" | "paravirt" | null | undefined;
  label: string;
  devices: NewDevices;
};

export type NewOAuthClient = {
  label: string;
  redirect_uri: string;
  public?: boolean | null | undefined;
};

export type NewOpenRecord = Pick<Sent, "name" | "ttl_sec"> & ({
    readonly type: OpenRecordType;
    readonly rdata: string;
} | NewOpenRecordOf<OpenRecordType>);

export type NewOpenRecordOf<T extends OpenRecordType> = T extends unknown ? {
    readonly type: T;
} & {
    readonly [F in Exclude<FieldsOf<T>, OptionalField>]: NonNullable<Sent[F]>;
} & {
    readonly [F in Extract<FieldsOf<T>, OptionalField>]?: Sent[F];
} : never;

export type NewRecord = {
  name?: string | null | undefined;
  target?: string | null | undefined;
  priority?: number | null | undefined;
  weight?: number | null | undefined;
  port?: number | null | undefined;
  service?: string | null | undefined;
  protocol?: string | null | undefined;
  tag?: "iodef" | "issue" | "issuewild" | null | undefined;
  ttl_sec?: number | null | undefined;
  type: "A" | "AAAA" | "CAA" | "CNAME" | "MX" | "NS" | "PTR" | "SRV" | "TXT";
};

export type NewSnapshot = {
  label: string;
};

export type NewTag = {
  label: string;
  domains?: number[] | null | undefined;
  nodes?: number[] | null | undefined;
  balancers?: number[] | null | undefined;
  volumes?: number[] | null | undefined;
};

export type NewTicket = {
  summary: string;
  description: string;
  domain_id?: number | null | undefined;
  node_id?: number | null | undefined;
  k8scluster_id?: number | null | undefined;
  metricsclient_id?: number | null | undefined;
  balancer_id?: number | null | undefined;
  volume_id?: number | null | undefined;
  managed_issue?: boolean | null | undefined;
  vlan?: string | null | undefined;
  region?: string | null | undefined;
};

export type NewTicketReply = {
  description: string;
};

export type NewVolume = {
  label: string;
  size?: number | null | undefined;
  region?: string | null | undefined;
  node_id?: number | null | undefined;
  config_id?: number | null | undefined;
  tags?: string[] | null | undefined;
};

export type Node = {
  id: number;
  label: string;
  group: string;
  status: "booting" | "cloning" | "deleting" | "migrating" | "offline" | "provisioning" | "rebooting" | "rebuilding" | "restoring" | "running" | "shutting_down" | "stopped" | (string & {});
  created: string;
  updated: string;
  type: string;
  ipv4: string[];
  ipv6: string | null;
  image: string | null;
  region: string;
  specs: { disk: number; memory: number; vcpus: number; transfer: number; gpus?: number | undefined; accelerated_devices?: number | undefined; };
  alerts: Alerts;
  backups: { enabled: boolean; available?: boolean | undefined; schedule: { day: string | null; window: string | null; }; last_successful: string | null; };
  hypervisor: "kvm" | (string & {});
  watchdog_enabled: boolean;
  tags: string[];
  site_type?: string | undefined;
  host_uuid?: string | undefined;
  has_user_data?: boolean | undefined;
  placement_group?: { id: number; label: string; } | null | undefined;
  disk_encryption?: string | undefined;
  k8s_cluster_id?: number | null | undefined;
  capabilities?: string[] | undefined;
  interface_generation?: string | undefined;
  maintenance_policy?: string | undefined;
};

export type NodeAddresses = {
  ipv4: { public: Address[]; private: Address[]; shared: Address[]; reserved: Address[]; vpc?: Address[] | undefined; };
  ipv6: { slaac: Address | null; link_local: Address; global: { prefix: number; range: string; region: string; route_target: string; }[] | { prefix: number; range: string; region: string; route_target: string; } | null; vpc?: Address[] | undefined; };
};

export type NodeConfig = {
  id: number;
  label: string;
  helpers: Helpers;
  kernel: string;
  comments: string | null;
  memory_limit: number;
  created: string;
  updated: string;
  root_device: string;
  devices: { sda: Device | null; sdb: Device | null; sdc: Device | null; sdd: Device | null; sde: Device | null; sdf: Device | null; sdg: Device | null; sdh: Device | null; };
  initrd: number | null;
  run_level: "binbash" | "default" | "single" | (string & {});
  virt_mode: "fullvirt" | "paravirt" | (string & {});
  interfaces: { purpose: OpenWord<"public" | "vlan">; label: string | null; ipam_address: string | null; }[];
};

export type NodeConfigUpdate = {
  comments?: string | null | undefined;
  helpers?: { updatedb_disabled?: boolean | null | undefined; distro?: boolean | null | undefined; modules_dep?: boolean | null | undefined; network?: boolean | null | undefined; devtmpfs_automount?: boolean | null | undefined; } | null | undefined;
  interfaces?: NewInterface[] | null | undefined;
  kernel?: string | null | undefined;
  memory_limit?: number | null | undefined;
  root_device?: string | null | undefined;
  run_level?: "binbash" | "default" | "single" | null | undefined;
  virt_mode?: "fullvirt" | "paravirt" | null | undefined;
  label?: string | null | undefined;
  devices?: NewDevices | null | undefined;
};

export type NodeStats = {
  title: string;
};

export type NodeType = {
  id: string;
  label: string;
  price: { hourly: number; monthly: number; };
  region_prices: { hourly: number; monthly: number; id: string; }[];
  addons: { backups: { price: { hourly: number; monthly: number; }; region_prices: { hourly: number; monthly: number; id: string; }[]; }; };
  memory: number;
  disk: number;
  transfer: number;
  vcpus: number;
  gpus: number;
  network_out: number;
  accelerated_devices: number;
  class: "dedicated" | "gpu" | "highmem" | "nanode" | "premium" | "standard" | (string & {});
  successor: string | null;
};

export type NodeUpdate = {
  label?: string | null | undefined;
  group?: string | null | undefined;
  tags?: string[] | null | undefined;
  watchdog_enabled?: boolean | null | undefined;
  alerts?: { cpu?: number | null | undefined; network_in?: number | null | undefined; network_out?: number | null | undefined; transfer_quota?: number | null | undefined; io?: number | null | undefined; } | null | undefined;
  backups?: { schedule?: { day?: "Friday" | "Monday" | "Saturday" | "Scheduling" | "Sunday" | "Thursday" | "Tuesday" | "Wednesday" | null | undefined; window?: "Scheduling" | "W0" | "W10" | "W12" | "W14" | "W16" | "W18" | "W2" | "W20" | "W22" | "W4" | "W6" | "W8" | null | undefined; } | null | undefined; } | null | undefined;
};

export type Notification = {
  label: string;
  message: string;
  body: string | null;
  type: "migration_scheduled" | "notice" | "outage" | "payment_due" | "reboot_scheduled" | "ticket_important" | (string & {});
  severity: "critical" | "major" | "minor" | (string & {});
  when: string | null;
  until: string | null;
  entity: Entity;
};

export type OAuthClient = {
  id: string;
  redirect_uri: string;
  label: string;
  status: "active" | "disabled" | "suspended" | (string & {});
  secret: string;
  thumbnail_url: string | null;
  public: boolean;
};

export type OAuthClientUpdate = {
  label?: string | null | undefined;
  redirect_uri?: string | null | undefined;
  public?: boolean | null | undefined;
};

export type OpenRecord = OpenRecordOf<OpenRecordType>;

export type OpenRecordClient = Omit<Client, keyof OpenRecordEndpoints> & {
    readonly listRecords: OpenMethod<"listRecords", Page<OpenRecord>>;
    readonly getRecord: OpenMethod<"getRecord", OpenRecord>;
    readonly createRecord: OpenMethod<"createRecord", OpenRecord, {
        readonly body: NewOpenRecord;
    }>;
    readonly updateRecord: OpenMethod<"updateRecord", OpenRecord>;
};

export type OpenRecordEndpoints = typeof openRecordEndpoints;

export type OpenRecordOf<T extends OpenRecordType> = T extends unknown ? Omit<AnyOpenRecord, "type" | "tag" | "service" | "protocol"> & {
    readonly type: T;
    readonly tag: T extends "CAA" ? string : null;
    readonly service: T extends "SRV" ? string | null : null;
    readonly protocol: T extends "SRV" ? string | null : null;
} : never;

export type OpenRecordType = ApiRecordType | (typeof otherRecordTypes)[number] | `TYPE${number}`;

export type OpenRecordUpdate = {
  weight?: number | null | undefined;
  port?: number | null | undefined;
  service?: string | null | undefined;
  protocol?: string | null | undefined;
  type?: string | null | undefined;
  name?: string | null | undefined;
  target?: string | null | undefined;
  priority?: number | null | undefined;
  tag?: string | null | undefined;
  flags?: number | null | undefined;
  rdata?: string | null | undefined;
  ttl_sec?: number | null | undefined;
};

export type OpenWord<Word extends string> = Word | (string & {});

export interface Page<T> {
    data: T[];
    page: number;
    pages: number;
    results: number;
}

export type PagedInput = {
    query?: {
        page?: number | undefined;
        page_size?: number | undefined;
    };
} | undefined;

export interface Place {
    file: string;
    line: number;
    column: number;
    length: number;
}

export interface Problem {
    readonly id: ProblemId;
    readonly kind: ProblemKind;
    readonly severity: Severity;
    readonly summary: string;
    readonly headline?: Advice;
    readonly detail?: Fix;
    readonly fix?: Fix;
    readonly place?: Place;
    readonly owner?: string;
    readonly via?: readonly Place[];
}

export declare class ProblemError extends Error {
    readonly problems: readonly Problem[];
    get problem(): Problem;
    constructor(problems: Problem | readonly Problem[], options?: ErrorOptions);
}

export type ProblemId = RuleId | keyof typeof reading | keyof typeof project | keyof typeof service | keyof typeof github;

export type ProblemKind = "input" | "usage" | "refused" | "later" | "failed";

export interface Proxies {
    readonly http: ProxyVariable | undefined;
    readonly https: ProxyVariable | undefined;
    readonly except: string;
}

export interface ProxyVariable {
    readonly from: string;
    readonly value: string;
}

export type RecordUpdate = {
  type?: "A" | "AAAA" | "CAA" | "CNAME" | "MX" | "NS" | "PTR" | "SRV" | "TXT" | null | undefined;
  name?: string | null | undefined;
  target?: string | null | undefined;
  priority?: number | null | undefined;
  weight?: number | null | undefined;
  port?: number | null | undefined;
  service?: string | null | undefined;
  protocol?: string | null | undefined;
  tag?: "iodef" | "issue" | "issuewild" | null | undefined;
  ttl_sec?: number | null | undefined;
};

export type RecordsSetting = (typeof recordsSettings)[number];

export type Region = {
  id: string;
  country: string;
  capabilities: string[];
  status: "ok" | "outage" | (string & {});
  resolvers: { ipv4: string; ipv6: string; };
  label?: string | undefined;
  site_type?: string | undefined;
  monitors?: { alerts: string[]; } | undefined;
  placement_group_limits?: { maximum_pgs_per_customer: number | null; maximum_nodes_per_pg: number; maximum_nodes_per_flexible_pg: number; } | undefined;
};

export type RenderedZone = {
  zone_file: string[];
};

export type Reply<E extends Endpoint> = E extends {
    noContent: string;
} ? z.output<E["reply"]> | undefined : z.output<E["reply"]>;

export type RuleId = keyof typeof api | keyof typeof dns | keyof typeof practice;

export type Scalar = string | number | boolean | null;

export type Scope = (typeof scopes)[number];

export type Send = (request: Request) => Promise<Response>;

export declare class SendError extends ProblemError {
    readonly connected: boolean;
    readonly timeoutMs: number | undefined;
    readonly proxy: HttpProxy | undefined;
    constructor(connected: boolean, timeoutMs: number | undefined, cause: unknown, proxy?: HttpProxy);
}

export interface SendOptions {
    timeoutMs?: number;
    connectTimeoutMs?: number;
    connections?: number;
    maxBytes?: number;
    proxies?: Proxies | undefined;
}

export type Severity = "error" | "warning" | "note";

export type Spelling = (typeof spellings)[number];

export type Statistics = {
  cpu: number[][];
  io: { io: number[][]; swap: number[][]; };
  netv4: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; };
  netv6: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; };
};

export type Tag = {
  label: string;
};

export type TaggedObject = {
  type: "domain" | "firewall" | "node" | "volume" | (string & {});
  data: Domain | Firewall | Node | Volume;
};

export type Ticket = {
  id: number;
  attachments: string[];
  closed: string | null;
  closable: boolean;
  description: string;
  entity: Entity | null;
  gravatar_id: string;
  opened: string;
  opened_by: string;
  status: "closed" | "new" | "open" | (string & {});
  summary: string;
  updated: string;
  updated_by: string | null;
};

export type TicketReply = {
  id: number;
  created: string;
  created_by: string;
  description: string;
  from_operator: boolean;
  gravatar_id: string;
};

export type Token = {
  id: number;
  label: string;
  scopes: string;
  created: string;
  expiry: string | null;
  token: string;
};

export type TransferPool = {
  used: number;
  quota: number;
  billable: number;
};

export declare class TransportError extends ClientError {
    readonly request: string;
    readonly kind: TransportErrorKind;
    readonly outcome: "not-sent" | "ambiguous";
    readonly status: number | undefined;
}

export type TransportErrorKind = "refused" | "dns" | "tls" | "connect" | "proxy" | "timeout" | "reset" | "reply" | "too-long" | "aborted" | "failed";

export type User = {
  username: string;
  email: string;
  restricted: boolean;
  ssh_keys: string[];
  tfa_enabled: boolean;
};

export type UserProfile = {
  uid: number;
  username: string;
  email: string;
  timezone: string;
  email_notifications: boolean;
  restricted: boolean;
  two_factor_auth: boolean;
  ip_whitelist_enabled: boolean;
  authorized_keys: string[];
};

export type Volume = {
  id: number;
  status: "active" | "contact_support" | "creating" | "resizing" | (string & {});
  label: string;
  created: string;
  updated: string;
  filesystem_path: string;
  hardware_type: "nvme" | (string & {});
  node_id: number | null;
  node_label: string | null;
  region: string;
  size: number;
  tags: string[];
  io_ready?: boolean | undefined;
  encryption?: string | undefined;
};

export type VolumeUpdate = {
  label?: string | null | undefined;
  tags?: string[] | null | undefined;
};

export interface WaitOptions<T> extends CallOptions {
    timeoutMs?: number;
    onLook?: ((value: T) => void) | undefined;
    now?: () => number;
    sleep?: (ms: number, signal?: AbortSignal) => Promise<unknown>;
}

export declare class WaitTimeoutError extends ClientError {
}

export declare function all<I extends PagedInput, T extends ListItem>(list: List<I, T>, input: Omit<NonNullable<I>, "query">, options?: CallOptions): Promise<T[]>;

export declare function createClient(options: ClientOptions & {
    records: "open";
}): OpenRecordClient;
export declare function createClient(options: ClientOptions): Client;

export declare function createSend(options?: SendOptions): Send & {
    close(): Promise<void>;
};

export declare function findProxies(env: Readonly<Record<string, string | undefined>>): Proxies;

export declare function newestEvent(client: Pick<Client, "listEvents">, options?: CallOptions): Promise<number>;

export declare function pages<I extends PagedInput, T extends ListItem>(list: List<I, T>, input: Omit<NonNullable<I>, "query">, { signal }?: CallOptions): AsyncGenerator<T[], void>;

export declare function waitFor<T>(read: (options: CallOptions) => Promise<T>, isDone: (value: T) => boolean, options?: WaitOptions<T>): Promise<T>;

export declare function waitForEvent(client: Pick<Client, "getEvent">, eventId: number, { until, ...options }?: WaitOptions<ApiEvent> & {
    readonly until?: "started" | "finished";
}): Promise<ApiEvent>;

export declare function waitForJobs(client: Pick<Client, "listEvents">, { nodeIds, since }: JobsOfNodes, options?: WaitOptions<readonly ApiEvent[]>): Promise<readonly ApiEvent[]>;
