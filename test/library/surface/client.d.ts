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

export type ApiErrorKind = "invalid" | "token" | "scope" | "grant" | "not-found" | "rate" | "maintenance" | "server" | "other";

export type ApiEvent = {
  id: number;
  action: "account_settings_update" | "account_update" | "backups_cancel" | "backups_enable" | "backups_restore" | "balancer_config_create" | "balancer_config_delete" | "balancer_config_update" | "balancer_create" | "balancer_delete" | "balancer_node_create" | "balancer_node_delete" | "balancer_node_update" | "balancer_update" | "community_like" | "community_question_reply" | "console_boot" | "credit_card_updated" | "deployscript_create" | "deployscript_delete" | "deployscript_publicize" | "deployscript_revise" | "deployscript_update" | "disk_create" | "disk_delete" | "disk_duplicate" | "disk_imagize" | "disk_resize" | "disk_update" | "dns_record_create" | "dns_record_delete" | "dns_record_update" | "dns_zone_create" | "dns_zone_delete" | "dns_zone_import" | "dns_zone_update" | "entity_transfer_accept" | "entity_transfer_cancel" | "entity_transfer_create" | "entity_transfer_fail" | "entity_transfer_stale" | "firewall_create" | "firewall_delete" | "firewall_device_add" | "firewall_device_remove" | "firewall_disable" | "firewall_enable" | "firewall_update" | "host_reboot" | "image_delete" | "image_update" | "image_upload" | "ipaddress_update" | "k8s_node_create" | "managed_disabled" | "managed_enabled" | "managed_service_create" | "managed_service_delete" | "metricsclient_create" | "metricsclient_delete" | "metricsclient_update" | "node_addip" | "node_boot" | "node_clone" | "node_config_create" | "node_config_delete" | "node_config_update" | "node_create" | "node_delete" | "node_deleteip" | "node_migrate" | "node_migrate_datacenter" | "node_migrate_datacenter_create" | "node_mutate" | "node_mutate_create" | "node_reboot" | "node_rebuild" | "node_resize" | "node_resize_create" | "node_shutdown" | "node_snapshot" | "node_update" | "oauth_client_create" | "oauth_client_delete" | "oauth_client_secret_reset" | "oauth_client_update" | "password_reset" | "payment_method_add" | "payment_submitted" | "profile_update" | "tag_create" | "tag_delete" | "tfa_disabled" | "tfa_enabled" | "ticket_attachment_upload" | "ticket_create" | "ticket_update" | "token_create" | "token_delete" | "token_update" | "user_create" | "user_delete" | "user_ssh_key_add" | "user_ssh_key_delete" | "user_ssh_key_update" | "user_update" | "vlan_attach" | "vlan_detach" | "volume_attach" | "volume_clone" | "volume_create" | "volume_delete" | "volume_detach" | "volume_resize" | "volume_update" | "watchdog_reboot" | (string & {});
  created: string;
  duration: number | null;
  entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; } | null;
  secondary_entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; } | null;
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
};

export interface CallOptions {
    signal?: AbortSignal | undefined;
    urgent?: boolean | undefined;
}

export type Client = {
  acceptEntityTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  acceptServiceTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  attachVolume: (input: { body: { node_id: number; config_id?: number | null | undefined; }; volumeId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"active" | "contact_support" | "creating" | "resizing">; label: string; created: string; updated: string; filesystem_path: string; hardware_type: OpenWord<"nvme">; node_id: number | null; node_label: string | null; region: string; size: number; tags: string[]; }>;
  bootNode: (input: { body: { config_id?: number | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  cancelAccount: (input: { body: { comments?: string | null | undefined; }; }, options?: CallOptions | undefined) => Promise<{ survey_link: string; }>;
  cancelBackups: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  cancelEntityTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  cancelServiceTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  cloneDisk: (input: { nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Disk>;
  cloneDomain: (input: { body: { domain: string; }; domainId: number; }, options?: CallOptions | undefined) => Promise<Domain>;
  cloneNode: (input: { body: CloneRequest; nodeId: number; }, options?: CallOptions | undefined) => Promise<Node>;
  closeTicket: (input: { ticketId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  createDisk: (input: { body: NewDisk; nodeId: number; }, options?: CallOptions | undefined) => Promise<Disk>;
  createDomain: (input: { body: NewDomain; }, options?: CallOptions | undefined) => Promise<Domain>;
  createEntityTransfer: (input: { body: { entities: { [x: string]: unknown; nodes?: number[] | null | undefined; domains?: number[] | null | undefined; }; }; }, options?: CallOptions | undefined) => Promise<{ entities: { nodes?: number[] | undefined; domains?: number[] | undefined; }; token: string; status: OpenWord<"accepted" | "cancelled" | "completed" | "failed" | "pending" | "stale">; created: string; updated: string; expiry: string; is_sender: boolean; }>;
  createFirewall: (input: { body: { label: string; rules: { inbound?: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: "ACCEPT" | "DROP"; protocol: "ICMP" | "IPENCAP" | "TCP" | "UDP"; }[] | null | undefined; inbound_policy: "ACCEPT" | "DROP"; outbound?: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: "ACCEPT" | "DROP"; protocol: "ICMP" | "IPENCAP" | "TCP" | "UDP"; }[] | null | undefined; outbound_policy: "ACCEPT" | "DROP"; }; devices?: { nodes?: number[] | null | undefined; } | null | undefined; tags?: string[] | null | undefined; }; }, options?: CallOptions | undefined) => Promise<{ id: number; label: string; created: string; updated: string; status: OpenWord<"disabled" | "enabled">; rules: { inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; inbound_policy: OpenWord<"ACCEPT" | "DROP">; outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; outbound_policy: OpenWord<"ACCEPT" | "DROP">; }; tags: string[]; }>;
  createFirewallDevice: (input: { body: { id: number; type: "node"; }; firewallId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; created: string; updated: string; entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; }; }>;
  createManagedContact: (input: { body: { name: string; email: string; phone?: { primary?: string | null | undefined; secondary?: string | null | undefined; } | null | undefined; group?: string | null | undefined; }; }, options?: CallOptions | undefined) => Promise<{ id: number; name: string; email: string; phone: { primary: string | null; secondary: string | null; }; group: string | null; updated: string; }>;
  createManagedCredential: (input: { body: { label: string; password: string; username?: string | null | undefined; }; }, options?: CallOptions | undefined) => Promise<{ id: number; label: string; last_decrypted: string | null; }>;
  createManagedService: (input: { body: { service_type: "tcp" | "url"; label: string; address: string; timeout: number; body?: string | null | undefined; consultation_group?: string | null | undefined; notes?: string | null | undefined; region?: string | null | undefined; credentials?: number[] | null | undefined; }; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"disabled" | "ok" | "pending" | "problem">; service_type: OpenWord<"tcp" | "url">; label: string; address: string; timeout: number; body: string | null; consultation_group: string; notes: string | null; region: string | null; credentials: number[]; created: string; updated: string; }>;
  createNode: (input: { body: NewNode; }, options?: CallOptions | undefined) => Promise<Node>;
  createNodeAddress: (input: { body: { type: string; public: boolean; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }>;
  createNodeConfig: (input: { body: NewNodeConfig; nodeId: number; }, options?: CallOptions | undefined) => Promise<NodeConfig>;
  createOAuthClient: (input: { body: NewOAuthClient; }, options?: CallOptions | undefined) => Promise<OAuthClient>;
  createRecord: (input: { body: NewRecord; domainId: number; }, options?: CallOptions | undefined) => Promise<ApiRecord>;
  createServiceTransfer: (input: { body: { entities: { [x: string]: unknown; nodes?: number[] | null | undefined; domains?: number[] | null | undefined; }; }; }, options?: CallOptions | undefined) => Promise<{ entities: { nodes?: number[] | undefined; domains?: number[] | undefined; }; token: string; status: OpenWord<"accepted" | "cancelled" | "completed" | "failed" | "pending" | "stale">; created: string; updated: string; expiry: string; is_sender: boolean; }>;
  createSnapshot: (input: { body: { label: string; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Backup>;
  createTag: (input: { body: { label: string; domains?: number[] | null | undefined; nodes?: number[] | null | undefined; balancers?: number[] | null | undefined; volumes?: number[] | null | undefined; }; }, options?: CallOptions | undefined) => Promise<{ label: string; }>;
  createTicket: (input: { body: NewTicket; }, options?: CallOptions | undefined) => Promise<Ticket>;
  createTicketAttachment: (input: { body: { file: FileToSend; }; ticketId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  createTicketReply: (input: { body: { description: string; }; ticketId: number; }, options?: CallOptions | undefined) => Promise<TicketReply>;
  createVolume: (input: { body: { label: string; size?: number | null | undefined; region?: string | null | undefined; node_id?: number | null | undefined; config_id?: number | null | undefined; tags?: string[] | null | undefined; }; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"active" | "contact_support" | "creating" | "resizing">; label: string; created: string; updated: string; filesystem_path: string; hardware_type: OpenWord<"nvme">; node_id: number | null; node_label: string | null; region: string; size: number; tags: string[]; }>;
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
  deleteTag: (input: { label: string; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  deleteVolume: (input: { volumeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  detachVolume: (input: { volumeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  disableManagedService: (input: { serviceId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"disabled" | "ok" | "pending" | "problem">; service_type: OpenWord<"tcp" | "url">; label: string; address: string; timeout: number; body: string | null; consultation_group: string; notes: string | null; region: string | null; credentials: number[]; created: string; updated: string; }>;
  enableBackups: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  enableManaged: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  enableManagedService: (input: { serviceId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"disabled" | "ok" | "pending" | "problem">; service_type: OpenWord<"tcp" | "url">; label: string; address: string; timeout: number; body: string | null; consultation_group: string; notes: string | null; region: string | null; credentials: number[]; created: string; updated: string; }>;
  getAccount: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<Account>;
  getAccountSettings: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<AccountSettings>;
  getAddress: (input: { address: string; }, options?: CallOptions | undefined) => Promise<{ address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }>;
  getBackup: (input: { nodeId: number; backupId: number; }, options?: CallOptions | undefined) => Promise<Backup>;
  getBackups: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<{ automatic: Backup[]; snapshot: { current: Backup | null; in_progress: Backup | null; }; }>;
  getDisk: (input: { nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Disk>;
  getDomain: (input: { domainId: number; }, options?: CallOptions | undefined) => Promise<Domain>;
  getEntityTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<{ entities: { nodes?: number[] | undefined; domains?: number[] | undefined; }; token: string; status: OpenWord<"accepted" | "cancelled" | "completed" | "failed" | "pending" | "stale">; created: string; updated: string; expiry: string; is_sender: boolean; }>;
  getEvent: (input: { eventId: number; }, options?: CallOptions | undefined) => Promise<ApiEvent>;
  getFirewall: (input: { firewallId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; label: string; created: string; updated: string; status: OpenWord<"disabled" | "enabled">; rules: { inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; inbound_policy: OpenWord<"ACCEPT" | "DROP">; outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; outbound_policy: OpenWord<"ACCEPT" | "DROP">; }; tags: string[]; }>;
  getFirewallDevice: (input: { firewallId: number; deviceId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; created: string; updated: string; entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; }; }>;
  getFirewallRules: (input: { firewallId: number; }, options?: CallOptions | undefined) => Promise<{ inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; inbound_policy: OpenWord<"ACCEPT" | "DROP">; outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; outbound_policy: OpenWord<"ACCEPT" | "DROP">; }>;
  getGrants: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<Grants | undefined>;
  getImage: (input: { imageId: string; }, options?: CallOptions | undefined) => Promise<Image>;
  getInvoice: (input: { invoiceId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; date: string; label: string; subtotal: number; tax: number; total: number; }>;
  getKernel: (input: { kernelId: string; }, options?: CallOptions | undefined) => Promise<Kernel>;
  getLogin: (input: { loginId: number; }, options?: CallOptions | undefined) => Promise<Login>;
  getManagedContact: (input: { contactId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; name: string; email: string; phone: { primary: string | null; secondary: string | null; }; group: string | null; updated: string; }>;
  getManagedCredential: (input: { credentialId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; label: string; last_decrypted: string | null; }>;
  getManagedIssue: (input: { issueId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; created: string; services: number[]; entity: { id: number; type: OpenWord<"ticket">; label: string; url: string; }; }>;
  getManagedNodeSettings: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; label: string; group: string; ssh: { access: boolean; user: string; ip: string; port: number; }; }>;
  getManagedService: (input: { serviceId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"disabled" | "ok" | "pending" | "problem">; service_type: OpenWord<"tcp" | "url">; label: string; address: string; timeout: number; body: string | null; consultation_group: string; notes: string | null; region: string | null; credentials: number[]; created: string; updated: string; }>;
  getManagedSshKey: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<{ ssh_key: string; }>;
  getManagedStats: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<{ data: string[] | { cpu: { x: number; y: number; }[]; disk: { x: number; y: number; }[]; net_in: { x: number; y: number; }[]; net_out: { x: number; y: number; }[]; swap: { x: number; y: number; }[]; }; }>;
  getNode: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Node>;
  getNodeAddress: (input: { nodeId: number; address: string; }, options?: CallOptions | undefined) => Promise<{ address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }>;
  getNodeAddresses: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<{ ipv4: { public: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }[]; private: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }[]; shared: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }[]; reserved: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }[]; vpc?: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }[] | undefined; }; ipv6: { slaac: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; } | null; link_local: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }; global: { prefix: number; range: string; region: string; route_target: string; }[] | { prefix: number; range: string; region: string; route_target: string; } | null; vpc?: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }[] | undefined; }; }>;
  getNodeConfig: (input: { nodeId: number; configId: number; }, options?: CallOptions | undefined) => Promise<NodeConfig>;
  getNodeMonthStats: (input: { nodeId: number; year: string; month: string; }, options?: CallOptions | undefined) => Promise<{ cpu: number[][]; io: { io: number[][]; swap: number[][]; }; netv4: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; }; netv6: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; }; title: string; } | { title: string; data: { cpu: number[][]; io: { io: number[][]; swap: number[][]; }; netv4: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; }; netv6: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; }; }; }>;
  getNodeMonthTransfer: (input: { nodeId: number; year: string; month: string; }, options?: CallOptions | undefined) => Promise<{ bytes_in: number; bytes_out: number; bytes_total: number; }>;
  getNodeStats: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<{ cpu: number[][]; io: { io: number[][]; swap: number[][]; }; netv4: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; }; netv6: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; }; title: string; } | { title: string; data: { cpu: number[][]; io: { io: number[][]; swap: number[][]; }; netv4: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; }; netv6: { in: number[][]; out: number[][]; private_in: number[][]; private_out: number[][]; }; }; }>;
  getNodeTransfer: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<{ used: number; quota: number; billable: number; }>;
  getNodeType: (input: { typeId: string; }, options?: CallOptions | undefined) => Promise<NodeType>;
  getOAuthClient: (input: { clientId: string; }, options?: CallOptions | undefined) => Promise<OAuthClient>;
  getProfile: (input?: {} | undefined, options?: CallOptions | undefined) => Promise<UserProfile>;
  getRecord: (input: { domainId: number; recordId: number; }, options?: CallOptions | undefined) => Promise<ApiRecord>;
  getRegion: (input: { regionId: string; }, options?: CallOptions | undefined) => Promise<Region>;
  getServiceTransfer: (input: { token: string; }, options?: CallOptions | undefined) => Promise<{ entities: { nodes?: number[] | undefined; domains?: number[] | undefined; }; token: string; status: OpenWord<"accepted" | "cancelled" | "completed" | "failed" | "pending" | "stale">; created: string; updated: string; expiry: string; is_sender: boolean; }>;
  getTicket: (input: { ticketId: number; }, options?: CallOptions | undefined) => Promise<Ticket>;
  getToken: (input: { tokenId: number; }, options?: CallOptions | undefined) => Promise<Token>;
  getUser: (input: { username: string; }, options?: CallOptions | undefined) => Promise<User>;
  getVolume: (input: { volumeId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"active" | "contact_support" | "creating" | "resizing">; label: string; created: string; updated: string; filesystem_path: string; hardware_type: OpenWord<"nvme">; node_id: number | null; node_label: string | null; region: string; size: number; tags: string[]; }>;
  getZoneFile: (input: { domainId: number; }, options?: CallOptions | undefined) => Promise<{ zone_file: string[]; }>;
  importDomain: (input: { body: { domain: string; remote_nameserver: string; }; }, options?: CallOptions | undefined) => Promise<Domain>;
  listAddresses: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }[]; page: number; pages: number; results: number; }>;
  listDisks: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ data: Disk[]; page: number; pages: number; results: number; }>;
  listDomains: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Domain[]; page: number; pages: number; results: number; }>;
  listEntityTransfers: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { entities: { nodes?: number[] | undefined; domains?: number[] | undefined; }; token: string; status: OpenWord<"accepted" | "cancelled" | "completed" | "failed" | "pending" | "stale">; created: string; updated: string; expiry: string; is_sender: boolean; }[]; page: number; pages: number; results: number; }>;
  listEvents: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: ApiEvent[]; page: number; pages: number; results: number; }>;
  listFirewallDevices: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; firewallId: number; }, options?: CallOptions | undefined) => Promise<{ data: { id: number; created: string; updated: string; entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; }; }[]; page: number; pages: number; results: number; }>;
  listFirewalls: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { id: number; label: string; created: string; updated: string; status: OpenWord<"disabled" | "enabled">; rules: { inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; inbound_policy: OpenWord<"ACCEPT" | "DROP">; outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; outbound_policy: OpenWord<"ACCEPT" | "DROP">; }; tags: string[]; }[]; page: number; pages: number; results: number; }>;
  listImages: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Image[]; page: number; pages: number; results: number; }>;
  listInvoiceItems: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; invoiceId: number; }, options?: CallOptions | undefined) => Promise<{ data: { label: string; type: OpenWord<"hourly" | "misc">; from: string; to: string; quantity: number; unit_price: string | number; amount: number; tax: number; total: number; }[]; page: number; pages: number; results: number; }>;
  listInvoices: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { id: number; date: string; label: string; subtotal: number; tax: number; total: number; }[]; page: number; pages: number; results: number; }>;
  listKernels: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Kernel[]; page: number; pages: number; results: number; }>;
  listLogins: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Login[]; page: number; pages: number; results: number; }>;
  listMaintenance: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { type: OpenWord<"cold_migration" | "live_migration" | "reboot">; status: OpenWord<"pending" | "started">; reason: string; when: string; entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; }; }[]; page: number; pages: number; results: number; }>;
  listManagedContacts: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { id: number; name: string; email: string; phone: { primary: string | null; secondary: string | null; }; group: string | null; updated: string; }[]; page: number; pages: number; results: number; }>;
  listManagedCredentials: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { id: number; label: string; last_decrypted: string | null; }[]; page: number; pages: number; results: number; }>;
  listManagedIssues: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { id: number; created: string; services: number[]; entity: { id: number; type: OpenWord<"ticket">; label: string; url: string; }; }[]; page: number; pages: number; results: number; }>;
  listManagedNodeSettings: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { id: number; label: string; group: string; ssh: { access: boolean; user: string; ip: string; port: number; }; }[]; page: number; pages: number; results: number; }>;
  listManagedServices: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { id: number; status: OpenWord<"disabled" | "ok" | "pending" | "problem">; service_type: OpenWord<"tcp" | "url">; label: string; address: string; timeout: number; body: string | null; consultation_group: string; notes: string | null; region: string | null; credentials: number[]; created: string; updated: string; }[]; page: number; pages: number; results: number; }>;
  listNodeConfigs: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ data: NodeConfig[]; page: number; pages: number; results: number; }>;
  listNodeFirewalls: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ data: { id: number; label: string; created: string; updated: string; status: OpenWord<"disabled" | "enabled">; rules: { inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; inbound_policy: OpenWord<"ACCEPT" | "DROP">; outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; outbound_policy: OpenWord<"ACCEPT" | "DROP">; }; tags: string[]; }[]; page: number; pages: number; results: number; }>;
  listNodeTypes: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: NodeType[]; page: number; pages: number; results: number; }>;
  listNodeVolumes: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ data: { id: number; status: OpenWord<"active" | "contact_support" | "creating" | "resizing">; label: string; created: string; updated: string; filesystem_path: string; hardware_type: OpenWord<"nvme">; node_id: number | null; node_label: string | null; region: string; size: number; tags: string[]; }[]; page: number; pages: number; results: number; }>;
  listNodes: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Node[]; page: number; pages: number; results: number; }>;
  listNotifications: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Notification[]; page: number; pages: number; results: number; }>;
  listOAuthClients: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: OAuthClient[]; page: number; pages: number; results: number; }>;
  listRecords: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; domainId: number; }, options?: CallOptions | undefined) => Promise<{ data: ApiRecord[]; page: number; pages: number; results: number; }>;
  listRegions: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Region[]; page: number; pages: number; results: number; }>;
  listServiceTransfers: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { entities: { nodes?: number[] | undefined; domains?: number[] | undefined; }; token: string; status: OpenWord<"accepted" | "cancelled" | "completed" | "failed" | "pending" | "stale">; created: string; updated: string; expiry: string; is_sender: boolean; }[]; page: number; pages: number; results: number; }>;
  listTaggedObjects: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; label: string; }, options?: CallOptions | undefined) => Promise<{ data: { type: OpenWord<"domain" | "firewall" | "node" | "volume">; data: Domain | { id: number; label: string; created: string; updated: string; status: OpenWord<"disabled" | "enabled">; rules: { inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; inbound_policy: OpenWord<"ACCEPT" | "DROP">; outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; outbound_policy: OpenWord<"ACCEPT" | "DROP">; }; tags: string[]; } | Node | { id: number; status: OpenWord<"active" | "contact_support" | "creating" | "resizing">; label: string; created: string; updated: string; filesystem_path: string; hardware_type: OpenWord<"nvme">; node_id: number | null; node_label: string | null; region: string; size: number; tags: string[]; }; }[]; page: number; pages: number; results: number; }>;
  listTags: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { label: string; }[]; page: number; pages: number; results: number; }>;
  listTicketReplies: (input: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; ticketId: number; }, options?: CallOptions | undefined) => Promise<{ data: TicketReply[]; page: number; pages: number; results: number; }>;
  listTickets: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Ticket[]; page: number; pages: number; results: number; }>;
  listTokens: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: Token[]; page: number; pages: number; results: number; }>;
  listUsers: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: User[]; page: number; pages: number; results: number; }>;
  listVolumes: (input?: { query?: { page?: number | undefined; page_size?: number | undefined; }; filter?: Filter; } | undefined, options?: CallOptions | undefined) => Promise<{ data: { id: number; status: OpenWord<"active" | "contact_support" | "creating" | "resizing">; label: string; created: string; updated: string; filesystem_path: string; hardware_type: OpenWord<"nvme">; node_id: number | null; node_label: string | null; region: string; size: number; tags: string[]; }[]; page: number; pages: number; results: number; }>;
  markEventRead: (input: { eventId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  markEventsSeen: (input: { eventId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  migrateNode: (input: { body: { region?: string | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  rebootNode: (input: { body: { config_id?: number | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  rebuildNode: (input: { body: { authorized_keys?: string[] | null | undefined; authorized_users?: string[] | null | undefined; deployscript_id?: number | null | undefined; deployscript_data?: Record<string, unknown> | null | undefined; root_pass?: string | null | undefined; image: string; booted?: boolean | null | undefined; interfaces?: { purpose: string; label?: string | null | undefined; ipam_address?: string | null | undefined; }[] | null | undefined; swap_size?: number | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Node>;
  rescueNode: (input: { body: { devices?: { sda?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdb?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdc?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdd?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sde?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdf?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdg?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdh?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; } | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resetDiskPassword: (input: { body: { password: string; }; nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resetNodePassword: (input: { body: { root_pass: string; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resetOAuthClientSecret: (input: { clientId: string; }, options?: CallOptions | undefined) => Promise<OAuthClient>;
  resizeDisk: (input: { body: { size: number; }; nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resizeNode: (input: { body: { type: string; allow_auto_disk_resize?: boolean | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  resizeVolume: (input: { body: { size: number; }; volumeId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"active" | "contact_support" | "creating" | "resizing">; label: string; created: string; updated: string; filesystem_path: string; hardware_type: OpenWord<"nvme">; node_id: number | null; node_label: string | null; region: string; size: number; tags: string[]; }>;
  restoreBackup: (input: { body: { node_id: number; overwrite?: boolean | null | undefined; }; nodeId: number; backupId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  revokeManagedCredential: (input: { credentialId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  setCreditCard: (input: { body: CreditCard; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  shutDownNode: (input: { nodeId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  updateAccount: (input: { body: AccountUpdate; }, options?: CallOptions | undefined) => Promise<Account>;
  updateAddress: (input: { body: { rdns?: string | null | undefined; }; address: string; }, options?: CallOptions | undefined) => Promise<{ address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }>;
  updateDisk: (input: { body: { filesystem?: "ext3" | "ext4" | "initrd" | "raw" | "swap" | null | undefined; label?: string | null | undefined; size?: number | null | undefined; }; nodeId: number; diskId: number; }, options?: CallOptions | undefined) => Promise<Disk>;
  updateDomain: (input: { body: DomainUpdate; domainId: number; }, options?: CallOptions | undefined) => Promise<Domain>;
  updateFirewall: (input: { body: { label?: string | null | undefined; status?: "disabled" | "enabled" | null | undefined; tags?: string[] | null | undefined; }; firewallId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; label: string; created: string; updated: string; status: OpenWord<"disabled" | "enabled">; rules: { inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; inbound_policy: OpenWord<"ACCEPT" | "DROP">; outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; outbound_policy: OpenWord<"ACCEPT" | "DROP">; }; tags: string[]; }>;
  updateFirewallRules: (input: { body: { inbound?: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: "ACCEPT" | "DROP"; protocol: "ICMP" | "IPENCAP" | "TCP" | "UDP"; }[] | null | undefined; inbound_policy: "ACCEPT" | "DROP"; outbound?: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: "ACCEPT" | "DROP"; protocol: "ICMP" | "IPENCAP" | "TCP" | "UDP"; }[] | null | undefined; outbound_policy: "ACCEPT" | "DROP"; }; firewallId: number; }, options?: CallOptions | undefined) => Promise<{ inbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; inbound_policy: OpenWord<"ACCEPT" | "DROP">; outbound: { ports?: string | null | undefined; addresses?: { ipv4?: string[] | null | undefined; ipv6?: string[] | null | undefined; } | null | undefined; label?: string | null | undefined; description?: string | null | undefined; action: OpenWord<"ACCEPT" | "DROP">; protocol: OpenWord<"ICMP" | "IPENCAP" | "TCP" | "UDP">; }[]; outbound_policy: OpenWord<"ACCEPT" | "DROP">; }>;
  updateManagedContact: (input: { body: { name?: string | null | undefined; email?: string | null | undefined; phone?: { primary?: string | null | undefined; secondary?: string | null | undefined; } | null | undefined; group?: string | null | undefined; }; contactId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; name: string; email: string; phone: { primary: string | null; secondary: string | null; }; group: string | null; updated: string; }>;
  updateManagedCredential: (input: { body: { label?: string | null | undefined; }; credentialId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; label: string; last_decrypted: string | null; }>;
  updateManagedNodeSettings: (input: { body: { ssh?: { access?: boolean | null | undefined; user?: string | null | undefined; ip?: string | null | undefined; port?: number | null | undefined; } | null | undefined; }; nodeId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; label: string; group: string; ssh: { access: boolean; user: string; ip: string; port: number; }; }>;
  updateManagedPassword: (input: { body: { password: string; username?: string | null | undefined; }; credentialId: number; }, options?: CallOptions | undefined) => Promise<Record<string, never>>;
  updateManagedService: (input: { body: { body?: string | null | undefined; consultation_group?: string | null | undefined; notes?: string | null | undefined; region?: string | null | undefined; credentials?: number[] | null | undefined; service_type?: "tcp" | "url" | null | undefined; label?: string | null | undefined; address?: string | null | undefined; timeout?: number | null | undefined; }; serviceId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"disabled" | "ok" | "pending" | "problem">; service_type: OpenWord<"tcp" | "url">; label: string; address: string; timeout: number; body: string | null; consultation_group: string; notes: string | null; region: string | null; credentials: number[]; created: string; updated: string; }>;
  updateNode: (input: { body: NodeUpdate; nodeId: number; }, options?: CallOptions | undefined) => Promise<Node>;
  updateNodeAddress: (input: { body: { rdns?: string | null | undefined; }; nodeId: number; address: string; }, options?: CallOptions | undefined) => Promise<{ address: string; gateway: string | null; subnet_mask: string; prefix: number; type: OpenWord<"ipv4" | "ipv6">; public: boolean; rdns: string | null; node_id: number; region: string; }>;
  updateNodeConfig: (input: { body: NodeConfigUpdate; nodeId: number; configId: number; }, options?: CallOptions | undefined) => Promise<NodeConfig>;
  updateOAuthClient: (input: { body: OAuthClientUpdate; clientId: string; }, options?: CallOptions | undefined) => Promise<OAuthClient>;
  updateRecord: (input: { body: RecordUpdate; domainId: number; recordId: number; }, options?: CallOptions | undefined) => Promise<ApiRecord>;
  updateVolume: (input: { body: { label?: string | null | undefined; tags?: string[] | null | undefined; }; volumeId: number; }, options?: CallOptions | undefined) => Promise<{ id: number; status: OpenWord<"active" | "contact_support" | "creating" | "resizing">; label: string; created: string; updated: string; filesystem_path: string; hardware_type: OpenWord<"nvme">; node_id: number | null; node_label: string | null; region: string; size: number; tags: string[]; }>;
};

export declare abstract class ClientError extends ProblemError {
    constructor(rule: ProblemId, summary: string, fix: string | undefined, cause?: unknown);
}

export type ClientMethod<E extends Endpoint> = Record<never, never> extends Input<E> ? (input?: Input<E>, options?: CallOptions) => Promise<Reply<E>> : (input: Input<E>, options?: CallOptions) => Promise<Reply<E>>;

export interface ClientOptions {
    baseUrl: string;
    token?: string | undefined;
    words?: Spelling | undefined;
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

export type CreditCard = {
  card_number: string;
  cvv: string;
  expiry_month: number;
  expiry_year: number;
};

export type Disk = {
  id: number;
  status: "deleting" | "not ready" | "ready" | (string & {});
  label: string;
  created: string;
  updated: string;
  filesystem: "ext3" | "ext4" | "initrd" | "raw" | "swap" | (string & {});
  size: number;
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
    readonly orderable?: readonly string[];
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

export type FileToSend = File | {
    readonly name: string;
    readonly content: Blob | AsyncIterable<Uint8Array>;
};

export interface Filter {
    "+and"?: Filter[];
    "+or"?: Filter[];
    "+order_by"?: string;
    "+order"?: "asc" | "desc";
    [attribute: string]: Condition | Filter[] | undefined;
}

export type Grants = {
  global: { account_access: OpenWord<"read_only" | "read_write"> | null; add_domains: boolean; add_nodes: boolean; cancel_account: boolean; };
  domain: { id: number; label: string; permissions: OpenWord<"read_only" | "read_write">; }[];
  node: { id: number; label: string; permissions: OpenWord<"read_only" | "read_write">; }[];
  volume: { id: number; label: string; permissions: OpenWord<"read_only" | "read_write">; }[];
  firewall: { id: number; label: string; permissions: OpenWord<"read_only" | "read_write">; }[];
};

export type Image = {
  id: string;
  label: string;
  size: number;
  type: string;
  is_public: boolean;
  status: string;
};

export type Input<E extends Endpoint> = Params<E> & Query<E> & Body<E> & Filtering<E> extends infer All ? {
    [Key in keyof All]: All[Key];
} : never;

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
  interfaces?: { purpose: string; label?: string | null | undefined; ipam_address?: string | null | undefined; }[] | null | undefined;
  private_ip?: boolean | null | undefined;
  swap_size?: number | null | undefined;
  tags?: string[] | null | undefined;
};

export type NewNodeConfig = {
  comments?: string | null | undefined;
  helpers?: { updatedb_disabled?: boolean | null | undefined; distro?: boolean | null | undefined; modules_dep?: boolean | null | undefined; network?: boolean | null | undefined; devtmpfs_automount?: boolean | null | undefined; } | null | undefined;
  interfaces?: { purpose: string; label?: string | null | undefined; ipam_address?: string | null | undefined; }[] | null | undefined;
  kernel?: string | null | undefined;
  memory_limit?: number | null | undefined;
  root_device?: string | null | undefined;
  run_level?: "binbash" | "default" | "single" | null | undefined;
  virt_mode?: "fullvirt" | "paravirt" | null | undefined;
  label: string;
  devices: { sda?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdb?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdc?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdd?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sde?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdf?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdg?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdh?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; };
};

export type NewOAuthClient = {
  label: string;
  redirect_uri: string;
  public?: boolean | null | undefined;
};

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
  specs: { disk: number; memory: number; vcpus: number; transfer: number; };
  alerts: { cpu: number; network_in: number; network_out: number; transfer_quota: number; io: number; };
  backups: { enabled: boolean; schedule: { day: string | null; window: string | null; }; last_successful: string | null; };
  hypervisor: "kvm" | (string & {});
  watchdog_enabled: boolean;
  tags: string[];
};

export type NodeConfig = {
  id: number;
  label: string;
  helpers: { updatedb_disabled: boolean; distro: boolean; modules_dep: boolean; network: boolean; devtmpfs_automount: boolean; };
  kernel: string;
  comments: string | null;
  memory_limit: number;
  created: string;
  updated: string;
  root_device: string;
  devices: { sda: { disk_id: number | null; volume_id: number | null; } | null; sdb: { disk_id: number | null; volume_id: number | null; } | null; sdc: { disk_id: number | null; volume_id: number | null; } | null; sdd: { disk_id: number | null; volume_id: number | null; } | null; sde: { disk_id: number | null; volume_id: number | null; } | null; sdf: { disk_id: number | null; volume_id: number | null; } | null; sdg: { disk_id: number | null; volume_id: number | null; } | null; sdh: { disk_id: number | null; volume_id: number | null; } | null; };
  initrd: number | null;
  run_level: "binbash" | "default" | "single" | (string & {});
  virt_mode: "fullvirt" | "paravirt" | (string & {});
  interfaces: { purpose: OpenWord<"public" | "vlan">; label: string | null; ipam_address: string | null; }[];
};

export type NodeConfigUpdate = {
  comments?: string | null | undefined;
  helpers?: { updatedb_disabled?: boolean | null | undefined; distro?: boolean | null | undefined; modules_dep?: boolean | null | undefined; network?: boolean | null | undefined; devtmpfs_automount?: boolean | null | undefined; } | null | undefined;
  interfaces?: { purpose: string; label?: string | null | undefined; ipam_address?: string | null | undefined; }[] | null | undefined;
  kernel?: string | null | undefined;
  memory_limit?: number | null | undefined;
  root_device?: string | null | undefined;
  run_level?: "binbash" | "default" | "single" | null | undefined;
  virt_mode?: "fullvirt" | "paravirt" | null | undefined;
  label?: string | null | undefined;
  devices?: { sda?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdb?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdc?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdd?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sde?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdf?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdg?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; sdh?: { disk_id?: number | null | undefined; volume_id?: number | null | undefined; } | null | undefined; } | null | undefined;
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
  entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; };
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
    readonly detail?: string;
    readonly fix?: string;
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

export type Region = {
  id: string;
  country: string;
  capabilities: string[];
  status: "ok" | "outage" | (string & {});
  resolvers: { ipv4: string; ipv6: string; };
  label?: string | undefined;
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
    constructor(connected: boolean, timeoutMs: number | undefined, cause: unknown);
}

export interface SendOptions {
    timeoutMs?: number;
    connectTimeoutMs?: number;
    connections?: number;
}

export type Severity = "error" | "warning" | "note";

export type Spelling = (typeof spellings)[number];

export type Ticket = {
  id: number;
  attachments: string[];
  closed: string | null;
  closable: boolean;
  description: string;
  entity: { label: string; id?: string | number | undefined; type: OpenWord<"account" | "disk" | "domain" | "entity_transfer" | "firewall" | "image" | "managed_service" | "node" | "node_config" | "oauth_client" | "region" | "tag" | "ticket" | "token" | "user" | "user_ssh_key" | "vlan" | "volume">; url: string; } | null;
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

export declare class TransportError extends ClientError {
    readonly request: string;
    readonly kind: TransportErrorKind;
    readonly outcome: "not-sent" | "ambiguous";
    readonly status: number | undefined;
}

export type TransportErrorKind = "refused" | "dns" | "tls" | "connect" | "timeout" | "reset" | "reply" | "aborted" | "failed";

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

export declare function all<I extends PagedInput, T extends ListItem>(list: List<I, T>, input: Omit<NonNullable<I>, "query">, options?: CallOptions): Promise<T[]>;

export declare function createClient(options: ClientOptions): Client;

export declare function createSend(options?: SendOptions): Send & {
    close(): Promise<void>;
};

export declare function pages<I extends PagedInput, T extends ListItem>(list: List<I, T>, input: Omit<NonNullable<I>, "query">, { signal }?: CallOptions): AsyncGenerator<T[], void>;
