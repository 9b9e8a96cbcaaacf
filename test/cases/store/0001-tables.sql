CREATE TABLE "migrations" ("name" text primary key);

CREATE TABLE "accounts" ("id" integer primary key autoincrement, "name" text not null unique, "created" text not null, "euuid" text default '' not null, "company" text default '' not null, "email" text default '' not null, "first_name" text default '' not null, "last_name" text default '' not null, "address_1" text default '' not null, "address_2" text default '' not null, "city" text default '' not null, "state" text default '' not null, "zip" text default '' not null, "country" text default '' not null, "phone" text default '' not null, "tax_id" text default '' not null, "card_last_four" text, "card_expiry" text, "due" text, "closed" text, "closing_comments" text, "backups_enabled" integer default 0 not null, "network_helper" integer default 1 not null, "managed" integer default 1 not null);

CREATE TABLE "users" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "username" text not null unique, "email" text default '' not null, "password" text, "account_access" text, "add_nodes" integer default 0 not null, "restricted" integer default 0 not null, "add_domains" integer default 0 not null, "created" text not null);

CREATE INDEX "users_of_account" on "users" ("account_id", "id");

CREATE TABLE "grants" ("user_id" bigint not null references "users" ("id") on delete cascade, "entity_type" text not null, "entity_id" bigint not null, "permissions" text not null, constraint "grant_on_entity" primary key ("user_id", "entity_type", "entity_id"));

CREATE INDEX "grants_on_entity" on "grants" ("entity_type", "entity_id");

CREATE TABLE "oauth_clients" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "client_id" text not null unique, "label" text not null, "redirect_uri" text not null, "public" integer not null, "status" text not null, "secret_hash" text not null);

CREATE INDEX "clients_of_account" on "oauth_clients" ("account_id", "id");

CREATE TABLE "authorizations" ("id" integer primary key autoincrement, "oauth_client_id" bigint not null references "oauth_clients" ("id") on delete cascade, "user_id" bigint not null references "users" ("id") on delete cascade, "scopes" text not null, "redirect_uri" text not null, "redirect_named" integer default 0 not null, "challenge" text, "code_hash" text not null unique, "code_expires" text not null, "redeemed" integer default 0 not null);

CREATE INDEX "authorizations_of_client" on "authorizations" ("oauth_client_id", "id");

CREATE INDEX "authorizations_of_user" on "authorizations" ("user_id");

CREATE TABLE "tokens" ("id" integer primary key autoincrement, "user_id" bigint not null references "users" ("id") on delete cascade, "hash" text not null unique, "scopes" text not null, "label" text default '' not null, "expires" text, "authorization_id" bigint references "authorizations" ("id") on delete cascade, "created" text not null);

CREATE INDEX "tokens_of_authorization" on "tokens" ("authorization_id");

CREATE INDEX "tokens_of_user" on "tokens" ("user_id", "id");

CREATE TABLE "refresh_tokens" ("hash" text not null primary key, "authorization_id" bigint not null references "authorizations" ("id") on delete cascade, "used" integer default 0 not null);

CREATE INDEX "refresh_tokens_of_authorization" on "refresh_tokens" ("authorization_id");

CREATE TABLE "sessions" ("hash" text not null primary key, "user_id" bigint not null references "users" ("id") on delete cascade, "expires" text not null);

CREATE INDEX "sessions_of_user" on "sessions" ("user_id");

CREATE TABLE "ssh_keys" ("id" integer primary key autoincrement, "user_id" bigint not null references "users" ("id") on delete cascade, "label" text not null, "ssh_key" text not null, "created" text not null);

CREATE INDEX "ssh_keys_of_user" on "ssh_keys" ("user_id", "id");

CREATE TABLE "logins" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "username" text not null, "ip" text not null, "restricted" integer not null, "created" text not null);

CREATE INDEX "logins_of_account" on "logins" ("account_id", "id");

CREATE TABLE "domains" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "domain" text not null, "domain_key" text not null unique, "tree_key" text not null, "type" text not null, "status" text not null, "description" text not null, "group" text not null, "soa_email" text not null, "ttl_sec" integer not null, "refresh_sec" integer not null, "retry_sec" integer not null, "expire_sec" integer not null, "master_ips" text not null, "axfr_ips" text not null, "created" text not null, "updated" text not null, "changed" text, "records" integer default 0 not null);

CREATE INDEX "domains_of_account" on "domains" ("account_id", "id");

CREATE INDEX "domains_of_type" on "domains" ("type");

CREATE INDEX "domains_in_tree" on "domains" ("tree_key");

CREATE INDEX "waiting_domains" on "domains" ("changed") where (changed is not null);

CREATE TABLE "domain_roots" ("root" text not null primary key);

CREATE TABLE "tags" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "label" text not null, "label_key" text not null, constraint "tag_of_account" unique ("account_id", "label_key"));

CREATE TABLE "tagged" ("tag_id" bigint not null references "tags" ("id") on delete cascade, "entity_type" text not null, "entity_id" bigint not null, "position" integer not null, constraint "tag_of_entity" primary key ("tag_id", "entity_type", "entity_id"));

CREATE INDEX "tags_of_entity" on "tagged" ("entity_type", "entity_id");

CREATE TABLE "records" ("id" integer primary key autoincrement, "domain_id" bigint not null references "domains" ("id") on delete cascade, "type" text not null, "name" text not null, "name_key" text not null, "target" text not null, "priority" integer not null, "weight" integer not null, "port" integer not null, "service" text, "protocol" text, "ttl_sec" integer not null, "tag" text, "rdata" text, "created" text not null, "updated" text not null, "alias_id" bigint);

CREATE INDEX "records_of_domain" on "records" ("domain_id", "id");

CREATE INDEX "records_of_type_at_name" on "records" ("domain_id", "name_key", "type");

CREATE INDEX "null_records_at_name" on "records" ("domain_id", "name_key", "type") where (target = '');

CREATE INDEX "records_of_ipv4" on "records" ("target") where (type = 'A');

CREATE INDEX "records_of_ipv6" on "records" ("domain_id") where (type = 'AAAA');

CREATE INDEX "addresses_of_alias" on "records" ("alias_id") where (alias_id is not null);

CREATE TABLE "alias_lookups" ("record_id" bigint not null primary key, "domain_id" bigint not null references "domains" ("id") on delete cascade, "next" text not null, "failures" integer default 0 not null, "missing_since" text, "problem" text);

CREATE INDEX "due_aliases" on "alias_lookups" ("next", "record_id");

CREATE INDEX "aliases_of_domain" on "alias_lookups" ("domain_id");

CREATE INDEX "unresolved_aliases" on "alias_lookups" ("record_id") where (problem is not null);

CREATE TABLE "alias_sources" ("record_id" bigint not null, "domain_id" bigint not null references "domains" ("id") on delete cascade, "name_key" text not null, constraint "source_of_alias" primary key ("record_id", "domain_id", "name_key"));

CREATE INDEX "aliases_from_name" on "alias_sources" ("domain_id", "name_key");

CREATE TABLE "events" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "user_id" bigint not null, "username" text not null, "action" text not null, "entity_id" bigint, "entity_key" text, "entity_type" text not null, "entity_label" text not null, "entity_url" text default '' not null, "secondary_entity" text, "message" text, "remark" text, "read" integer not null, "seen" integer not null, "created" text not null, "status" text default 'notification' not null, "starts" text, "ends" text);

CREATE INDEX "events_of_account" on "events" ("account_id", "id", "created");

CREATE INDEX "events_since" on "events" ("account_id", "created", "id");

CREATE INDEX "events_of_action" on "events" ("account_id", "action", "created", "id");

CREATE INDEX "events_of_entity" on "events" ("account_id", coalesce(entity_key, cast(entity_id as text)), "action", "id");

CREATE INDEX "unseen_events" on "events" ("account_id", "id") where (seen = 0);

CREATE TABLE "jobs" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "event_id" bigint, "kind" text not null, "entity_type" text not null, "entity_id" bigint not null, "ends" text not null, "data" text not null, "failure" text);

CREATE INDEX "jobs_of_account" on "jobs" ("account_id", "ends", "id");

CREATE INDEX "jobs_of_entity" on "jobs" ("entity_type", "entity_id");

CREATE UNIQUE INDEX "job_of_node" on "jobs" ("entity_type", "entity_id") where (entity_type = 'node');

CREATE TABLE "nodes" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "label" text not null, "label_key" text not null, "group" text not null, "status" text not null, "type" text not null, "region" text not null, "image" text, "disk" bigint not null, "memory" bigint not null, "vcpus" integer not null, "transfer" bigint not null, "alerts" text not null, "backups_enabled" integer not null, "backup_day" text, "backup_window" text, "backup_successful" text, "backup_next" text, "watchdog_enabled" integer not null, "booted_config_id" bigint, "rescue_devices" text, "vlans" text default '[]' not null, "created" text not null, "updated" text not null, constraint "node_of_account" unique ("account_id", "label_key"));

CREATE INDEX "nodes_of_account" on "nodes" ("account_id", "id");

CREATE INDEX "next_backups" on "nodes" ("account_id", "backup_next");

CREATE TABLE "disks" ("id" integer primary key autoincrement, "node_id" bigint not null references "nodes" ("id") on delete cascade, "label" text not null, "filesystem" text not null, "size" bigint not null, "content" bigint not null, "status" text not null, "created" text not null, "updated" text not null);

CREATE INDEX "disks_of_node" on "disks" ("node_id", "id");

CREATE TABLE "node_configs" ("id" integer primary key autoincrement, "node_id" bigint not null references "nodes" ("id") on delete cascade, "label" text not null, "comments" text not null, "kernel" text not null, "memory_limit" bigint not null, "root_device" text not null, "run_level" text not null, "virt_mode" text not null, "helpers" text not null, "devices" text not null, "interfaces" text not null, "created" text not null, "updated" text not null);

CREATE INDEX "configs_of_node" on "node_configs" ("node_id", "id");

CREATE TABLE "backups" ("id" integer primary key autoincrement, "node_id" bigint not null references "nodes" ("id") on delete cascade, "type" text not null, "status" text not null, "label" text, "region" text not null, "contents" text, "created" text not null, "updated" text not null, "finished" text);

CREATE INDEX "backups_of_node" on "backups" ("node_id", "id");

CREATE TABLE "volumes" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "node_id" bigint references "nodes" ("id"), "label" text not null, "region" text not null, "size" bigint not null, "created" text not null, "updated" text not null, constraint "volume_of_account" unique ("account_id", "label"));

CREATE INDEX "volumes_of_account" on "volumes" ("account_id", "id");

CREATE INDEX "volumes_of_node" on "volumes" ("node_id", "id");

CREATE TABLE "firewalls" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "label" text not null, "status" text not null, "rules" text not null, "created" text not null, "updated" text not null);

CREATE INDEX "firewalls_of_account" on "firewalls" ("account_id", "id");

CREATE TABLE "firewall_devices" ("id" integer primary key autoincrement, "firewall_id" bigint not null references "firewalls" ("id") on delete cascade, "node_id" bigint not null references "nodes" ("id") on delete cascade, "created" text not null, "updated" text not null, constraint "firewall_of_node" unique ("node_id", "firewall_id"));

CREATE INDEX "devices_of_firewall" on "firewall_devices" ("firewall_id", "id");

CREATE TABLE "addresses" ("id" integer primary key autoincrement, "address" text not null unique, "type" text not null, "public" integer not null, "network" text not null, "region" text not null, "node_id" bigint references "nodes" ("id"), "rdns" text, "freed" text, "reverse_zone" text);

CREATE INDEX "addresses_of_node" on "addresses" ("node_id", "id");

CREATE INDEX "freed_addresses" on "addresses" ("network", "freed");

CREATE INDEX "addresses_of_zone" on "addresses" ("reverse_zone");

CREATE TABLE "address_pools" ("network" text not null primary key, "next" bigint not null);

CREATE TABLE "node_samples" ("node_id" bigint not null references "nodes" ("id") on delete cascade, "at" text not null, "measures" text not null, constraint "sample_of_node" primary key ("node_id", "at"));

CREATE TABLE "node_runs" ("node_id" bigint not null references "nodes" ("id") on delete cascade, "started" text not null, "ended" text);

CREATE INDEX "runs_of_node" on "node_runs" ("node_id", "ended");

CREATE TABLE "charges" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "kind" text not null, "entity_type" text not null, "entity_id" bigint not null, "product" text not null, "label" text not null, "hourly" bigint not null, "monthly" bigint not null, "transfer" bigint not null, "opened" text not null, "closed" text, "invoiced" text, "due" text not null, "traffic" text);

CREATE INDEX "due_charges" on "charges" ("account_id", "due");

CREATE INDEX "charges_of_entity" on "charges" ("entity_type", "entity_id");

CREATE TABLE "invoices" ("id" bigint not null primary key, "account_id" bigint not null references "accounts" ("id") on delete cascade, "date" text not null, "label" text not null, "subtotal" bigint not null, "tax" bigint not null, "total" bigint not null);

CREATE INDEX "invoices_of_account" on "invoices" ("account_id", "id");

CREATE TABLE "invoice_items" ("id" integer primary key autoincrement, "invoice_id" bigint not null references "invoices" ("id") on delete cascade, "label" text not null, "type" text not null, "from" text not null, "to" text not null, "quantity" bigint not null, "unit_price" bigint not null, "amount" bigint not null, "tax" bigint not null, "total" bigint not null);

CREATE INDEX "items_of_invoice" on "invoice_items" ("invoice_id", "id");

CREATE TABLE "payments" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "date" text not null, "method" text not null, "amount" bigint not null);

CREATE INDEX "payments_of_account" on "payments" ("account_id", "id");

CREATE TABLE "numbers" ("series" text not null primary key, "last" bigint not null);

CREATE TABLE "tickets" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "user_id" bigint not null, "opened_by" text not null, "gravatar_id" text not null, "summary" text not null, "description" text not null, "status" text not null, "entity_type" text, "entity_id" bigint, "entity_label" text, "entity_url" text, "opened" text not null, "updated" text not null, "updated_by" text, "closed" text);

CREATE INDEX "tickets_of_account" on "tickets" ("account_id", "id");

CREATE TABLE "ticket_replies" ("id" integer primary key autoincrement, "ticket_id" bigint not null references "tickets" ("id") on delete cascade, "created_by" text not null, "from_operator" integer not null, "gravatar_id" text not null, "description" text not null, "created" text not null);

CREATE INDEX "replies_of_ticket" on "ticket_replies" ("ticket_id", "id");

CREATE TABLE "files" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "entity_type" text not null, "entity_id" bigint not null, "name" text not null, "octets" integer not null, "created" text not null);

CREATE INDEX "files_of_entity" on "files" ("entity_type", "entity_id", "id");

CREATE TABLE "file_parts" ("file_id" bigint not null references "files" ("id") on delete cascade, "part" integer not null, "content" text not null, constraint "part_of_file" primary key ("file_id", "part"));

CREATE TABLE "entity_transfers" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "receiver_id" bigint references "accounts" ("id") on delete cascade, "token" text not null unique, "status" text not null, "created" text not null, "updated" text not null, "expires" text not null, "completes" text, "event_id" bigint);

CREATE INDEX "transfers_sent" on "entity_transfers" ("account_id", "status");

CREATE INDEX "transfers_accepted" on "entity_transfers" ("receiver_id", "status");

CREATE TABLE "transferred_entities" ("transfer_id" bigint not null references "entity_transfers" ("id") on delete cascade, "position" integer not null, "entity_type" text not null, "entity_id" bigint not null, "label" text not null, constraint "entity_of_transfer" primary key ("transfer_id", "entity_type", "entity_id"));

CREATE INDEX "transfers_of_entity" on "transferred_entities" ("entity_type", "entity_id");

CREATE TABLE "notices" ("id" integer primary key autoincrement, "account_id" bigint references "accounts" ("id") on delete cascade, "label" text not null, "message" text not null, "until" text);

CREATE TABLE "maintenance" ("id" integer primary key autoincrement, "node_id" bigint not null references "nodes" ("id") on delete cascade, "type" text not null, "status" text not null, "reason" text not null, "begins" text not null);

CREATE INDEX "maintenance_of_node" on "maintenance" ("node_id");

CREATE TABLE "managed_contacts" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "name" text not null, "email" text not null, "phone_primary" text, "phone_secondary" text, "group" text, "updated" text not null);

CREATE INDEX "contacts_of_account" on "managed_contacts" ("account_id", "id");

CREATE TABLE "managed_credentials" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "label" text not null, "sealed" text not null, "last_decrypted" text, constraint "credential_of_account" unique ("account_id", "label"));

CREATE INDEX "credentials_of_account" on "managed_credentials" ("account_id", "id");

CREATE TABLE "managed_ssh_keys" ("account_id" bigint not null primary key references "accounts" ("id") on delete cascade, "public_key" text not null, "sealed" text not null);

CREATE TABLE "managed_services" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "status" text not null, "service_type" text not null, "label" text not null, "address" text not null, "host" text not null, "timeout" integer not null, "body" text, "consultation_group" text not null, "notes" text, "region" text, "created" text not null, "updated" text not null, "next" text, "failures" integer not null);

CREATE INDEX "services_of_account" on "managed_services" ("account_id", "id");

CREATE INDEX "services_to_probe" on "managed_services" ("next");

CREATE TABLE "managed_service_credentials" ("service_id" bigint not null references "managed_services" ("id") on delete cascade, "credential_id" bigint not null references "managed_credentials" ("id") on delete cascade, "position" integer not null, constraint "credential_of_service" primary key ("service_id", "credential_id"));

CREATE INDEX "services_of_credential" on "managed_service_credentials" ("credential_id");

CREATE TABLE "managed_issues" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "ticket_id" bigint not null references "tickets" ("id") on delete cascade, "host" text not null, "services" text not null, "created" text not null, "ended" text);

CREATE INDEX "issues_of_account" on "managed_issues" ("account_id", "id");

CREATE TABLE "mail" ("id" integer primary key autoincrement, "account_id" bigint not null references "accounts" ("id") on delete cascade, "token" text not null, "recipient" text not null, "email" text not null, "subject" text not null, "text" text not null, "about" text, "created" text not null, "next" text);

CREATE INDEX "mail_of_account" on "mail" ("account_id", "created");

CREATE INDEX "mail_to_deliver" on "mail" ("next");

CREATE TABLE "managed_node_settings" ("node_id" bigint not null primary key references "nodes" ("id") on delete cascade, "access" integer not null, "user" text not null, "ip" text not null, "port" integer not null);

CREATE TABLE "zones" ("domain_id" bigint not null primary key references "domains" ("id") on delete cascade, "name_servers" text not null, "number" bigint);

CREATE TABLE "zone_changes" ("domain_id" bigint not null references "domains" ("id") on delete cascade, "number" bigint not null, "octets" bigint not null, "serial" bigint, "settings" text, "record_id" bigint, "name_key" text, "type" text, "name" text, "priority" integer, "weight" integer, "port" integer, "ttl_sec" integer, "tag" text, "rdata" text, "alias_id" bigint, "target" text, constraint "change_of_zone" primary key ("domain_id", "number"));

CREATE INDEX "versions_of_zone" on "zone_changes" ("domain_id", "serial") where (serial is not null);

CREATE TABLE "zone_lines" ("domain_id" bigint not null references "domains" ("id") on delete cascade, "kind" text not null, "part" integer not null, "lines" text not null, constraint "part_of_zone" primary key ("domain_id", "kind", "part"));

CREATE TABLE "write_probes" ("id" integer not null primary key, "written" text not null);

CREATE TABLE "slaves" ("domain_id" bigint not null primary key references "domains" ("id") on delete cascade, "domain_key" text not null, "master_ips" text not null, "asked" text, "next" text not null, "failures" integer default 0 not null, "serial" bigint, "refresh" integer, "retry" integer, "expire" integer, "transferred" text, "expires" text);

CREATE INDEX "failing_slaves" on "slaves" ("failures") where (failures > 0);

CREATE TABLE "serials" ("domain_key" text not null primary key, "serial" bigint not null);

CREATE TABLE "reverse_zones" ("name" text not null primary key, "serial" bigint not null, "settings" text);

CREATE TRIGGER count_added after insert on records when new.alias_id is null
      begin update domains set records = records + 1 where id = new.domain_id; end;

CREATE TRIGGER count_removed after delete on records when old.alias_id is null
      begin update domains set records = records - 1 where id = old.domain_id; end;

CREATE TRIGGER note_created_record after insert on records when exists (select 1 from zones join domains on domains.id = zones.domain_id where domain_id = new.domain_id) begin 
    insert into zone_changes (domain_id, number, octets, record_id, name_key)
    select new.domain_id, coalesce(last.number, 0) + 1, coalesce(last.octets, 0) + 0, new.id, new.name_key
    from (select 1) as one left join
      (select number, octets from zone_changes where domain_id = new.domain_id order by number desc limit 1) as last
      on true; end;

CREATE TRIGGER note_changed_record after update on records when (new.type is distinct from old.type or new.name is distinct from old.name or new.priority is distinct from old.priority or new.weight is distinct from old.weight or new.port is distinct from old.port or new.ttl_sec is distinct from old.ttl_sec or new.tag is distinct from old.tag or new.rdata is distinct from old.rdata or new.alias_id is distinct from old.alias_id or new.target is distinct from old.target) and exists (select 1 from zones join domains on domains.id = zones.domain_id where domain_id = old.domain_id) begin 
    insert into zone_changes (domain_id, number, octets, record_id, name_key, type, name, priority, weight, port, ttl_sec, tag, rdata, alias_id, target)
    select old.domain_id, coalesce(last.number, 0) + 1, coalesce(last.octets, 0) + octet_length(old.target), old.id, old.name_key, old.type, old.name, old.priority, old.weight, old.port, old.ttl_sec, old.tag, old.rdata, old.alias_id, old.target
    from (select 1) as one left join
      (select number, octets from zone_changes where domain_id = old.domain_id order by number desc limit 1) as last
      on true; end;

CREATE TRIGGER note_moved_record after update on records when new.name_key <> old.name_key and exists (select 1 from zones join domains on domains.id = zones.domain_id where domain_id = old.domain_id) begin 
    insert into zone_changes (domain_id, number, octets, record_id, name_key, type, name, priority, weight, port, ttl_sec, tag, rdata, alias_id, target)
    select old.domain_id, coalesce(last.number, 0) + 1, coalesce(last.octets, 0) + octet_length(old.target), old.id, new.name_key, old.type, old.name, old.priority, old.weight, old.port, old.ttl_sec, old.tag, old.rdata, old.alias_id, old.target
    from (select 1) as one left join
      (select number, octets from zone_changes where domain_id = old.domain_id order by number desc limit 1) as last
      on true; end;

CREATE TRIGGER note_deleted_record after delete on records when exists (select 1 from zones join domains on domains.id = zones.domain_id where domain_id = old.domain_id) begin 
    insert into zone_changes (domain_id, number, octets, record_id, name_key, type, name, priority, weight, port, ttl_sec, tag, rdata, alias_id, target)
    select old.domain_id, coalesce(last.number, 0) + 1, coalesce(last.octets, 0) + octet_length(old.target), old.id, old.name_key, old.type, old.name, old.priority, old.weight, old.port, old.ttl_sec, old.tag, old.rdata, old.alias_id, old.target
    from (select 1) as one left join
      (select number, octets from zone_changes where domain_id = old.domain_id order by number desc limit 1) as last
      on true; end;

CREATE TRIGGER shorten_journal after insert on zone_changes when new.number % 1000 = 0 or octet_length(new.target) > 8000 begin delete from zone_changes where domain_id = new.domain_id
      and (number <= new.number - 10000 or octets - coalesce(octet_length(target), 0) < new.octets - 8388608); end;

CREATE TRIGGER look_up_new_alias after insert on records when new.type = 'ALIAS' begin insert into alias_lookups (record_id, domain_id, next) values (new.id, new.domain_id, ''); end;

CREATE TRIGGER look_up_changed_alias after update on records when new.type = 'ALIAS' and (new.type is distinct from old.type or new.name_key is distinct from old.name_key or new.ttl_sec is distinct from old.ttl_sec or new.target is distinct from old.target) begin update alias_lookups set next = '' where record_id = new.id; update records set name = new.name, name_key = new.name_key
      where alias_id = new.id and (name <> new.name or name_key <> new.name_key); end;

CREATE TRIGGER forget_alias after delete on records when old.type = 'ALIAS' begin delete from alias_lookups where record_id = old.id; delete from alias_sources where record_id = old.id; delete from records where alias_id = old.id; end;

CREATE TRIGGER look_again_after_insert after insert on records when exists (select record_id from alias_sources where domain_id = new.domain_id and name_key = new.name_key) begin update alias_lookups set next = '' where record_id in (select record_id from alias_sources where domain_id = new.domain_id and name_key = new.name_key); end;

CREATE TRIGGER look_again_after_update after update on records when (new.type is distinct from old.type or new.name_key is distinct from old.name_key or new.ttl_sec is distinct from old.ttl_sec or new.target is distinct from old.target) and (exists (select record_id from alias_sources where domain_id = old.domain_id and name_key = old.name_key) or exists (select record_id from alias_sources where domain_id = new.domain_id and name_key = new.name_key)) begin update alias_lookups set next = '' where record_id in (select record_id from alias_sources where domain_id = old.domain_id and name_key = old.name_key); update alias_lookups set next = '' where record_id in (select record_id from alias_sources where domain_id = new.domain_id and name_key = new.name_key); end;

CREATE TRIGGER look_again_after_delete after delete on records when exists (select record_id from alias_sources where domain_id = old.domain_id and name_key = old.name_key) begin update alias_lookups set next = '' where record_id in (select record_id from alias_sources where domain_id = old.domain_id and name_key = old.name_key); end;
