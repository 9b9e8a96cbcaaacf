import { randomUUID } from "node:crypto";
import { type ColumnDataType, type ColumnDefinitionBuilder, type Kysely, type RawBuilder, sql } from "kysely";
import { reverseZone } from "../../dns/reverse.ts";
import { treeKey } from "./domains.ts";
import type { Tables } from "./tables.ts";
import { longestPart, partsOf } from "./zone-lines.ts";

type DataType = ColumnDataType | RawBuilder<unknown>;

/** Column types of a database: an ascending `id` that is never reused, and text that sorts by its octets. */
export interface Columns {
  readonly id: readonly [type: DataType, definition: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder];
  readonly text: DataType;
  /**
   * Tells a planner that has no statistics of its own how selective the indexes of a table are: the rows, then the rows
   * that have the same first column, the same two first columns, and so on.
   */
  readonly estimate?: (db: Kysely<Tables>, table: string, indexes: Readonly<Record<string, string>>) => Promise<void>;
  /** Creates triggers that add inserted records to `domains.records`, and subtract deleted ones. */
  readonly countRecords: (db: Kysely<Tables>) => Promise<void>;
  readonly createTrigger: (db: Kysely<Tables>, trigger: Trigger) => Promise<void>;
}

/** A statement that the database runs after each change of a row. Its SQL names the row `new`, `old`, or both. */
export interface Trigger {
  readonly name: string;
  readonly table: string;
  readonly event: "insert" | "update" | "delete";
  /** A condition. */
  readonly when: string;
  readonly run: string;
}

interface Migration {
  name: string;
  up(db: Kysely<Tables>, columns: Columns): Promise<void>;
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const key = (column: ColumnDefinitionBuilder) => column.notNull().unique();
const of = (table: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(`${table}.id`).onDelete("cascade");

/** The text columns of the account's contact data; empty when unset. */
const contactColumns = [
  "company",
  "email",
  "first_name",
  "last_name",
  "address_1",
  "address_2",
  "city",
  "state",
  "zip",
  "country",
  "phone",
  "tax_id",
] as const;

/** In the order in which they run. A released migration is never edited; a later one changes its results. */
export const migrations: readonly Migration[] = [
  {
    name: "0001-accounts",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("accounts")
        .addColumn("id", ...id)
        .addColumn("name", text, key)
        .addColumn("created", text, required)
        .execute();
      await schema
        .createTable("users")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("username", text, key)
        .addColumn("created", text, required)
        .execute();
      await schema
        .createTable("tokens")
        .addColumn("id", ...id)
        .addColumn("user_id", "bigint", of("users"))
        .addColumn("hash", text, key)
        .addColumn("scopes", text, required)
        .addColumn("expires", text)
        .addColumn("created", text, required)
        .execute();
    },
  },
  {
    name: "0002-domains",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("domains")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("domain", text, required)
        .addColumn("domain_key", text, key)
        .addColumn("type", text, required)
        .addColumn("status", text, required)
        .addColumn("description", text, required)
        .addColumn("group", text, required)
        .addColumn("soa_email", text, required)
        .addColumn("ttl_sec", "integer", required)
        .addColumn("refresh_sec", "integer", required)
        .addColumn("retry_sec", "integer", required)
        .addColumn("expire_sec", "integer", required)
        .addColumn("master_ips", text, required)
        .addColumn("axfr_ips", text, required)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .addColumn("changed", text)
        .execute();
      await schema.createIndex("domains_of_account").on("domains").columns(["account_id", "id"]).execute();
      await schema
        .createTable("tags")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("label", text, required)
        .addColumn("label_key", text, required)
        .addUniqueConstraint("tag_of_account", ["account_id", "label_key"])
        .execute();
      await schema
        .createTable("domain_tags")
        .addColumn("domain_id", "bigint", of("domains"))
        .addColumn("tag_id", "bigint", of("tags"))
        .addColumn("position", "integer", required)
        .addPrimaryKeyConstraint("tag_of_domain", ["domain_id", "tag_id"])
        .execute();
      await schema.createIndex("domains_of_tag").on("domain_tags").column("tag_id").execute();
    },
  },
  {
    name: "0003-records",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("records")
        .addColumn("id", ...id)
        .addColumn("domain_id", "bigint", of("domains"))
        .addColumn("type", text, required)
        .addColumn("name", text, required)
        .addColumn("name_key", text, required)
        .addColumn("target", text, required)
        .addColumn("priority", "integer", required)
        .addColumn("weight", "integer", required)
        .addColumn("port", "integer", required)
        .addColumn("service", text)
        .addColumn("protocol", text)
        .addColumn("ttl_sec", "integer", required)
        .addColumn("tag", text)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .execute();
      await schema.createIndex("records_of_domain").on("records").columns(["domain_id", "id"]).execute();
      await schema.createIndex("records_at_name").on("records").columns(["domain_id", "name_key"]).execute();
    },
  },
  {
    name: "0004-zones",
    async up({ schema }, { text }) {
      await schema
        .createTable("zones")
        .addColumn("domain_id", "bigint", (column) => column.primaryKey().references("domains.id").onDelete("cascade"))
        .addColumn("name_servers", text, required)
        .addColumn("lines", text, required)
        .execute();
      await schema
        .createTable("serials")
        .addColumn("domain_key", text, (column) => column.primaryKey())
        .addColumn("serial", "bigint", required)
        .execute();
    },
  },
  {
    name: "0005-grants",
    async up({ schema }, { text }) {
      const no = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
      await schema.alterTable("users").addColumn("restricted", "integer", no).execute();
      await schema.alterTable("users").addColumn("add_domains", "integer", no).execute();
      await schema
        .alterTable("tokens")
        .addColumn("label", text, (column) => column.notNull().defaultTo(""))
        .execute();
      await schema
        .createTable("grants")
        .addColumn("user_id", "bigint", of("users"))
        .addColumn("domain_id", "bigint", of("domains"))
        .addColumn("permissions", text, required)
        .addPrimaryKeyConstraint("grant_of_user", ["user_id", "domain_id"])
        .execute();
      await schema.createIndex("grants_on_domain").on("grants").column("domain_id").execute();
    },
  },
  {
    name: "0006-events",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("events")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("user_id", "bigint", required)
        .addColumn("username", text, required)
        .addColumn("action", text, required)
        .addColumn("entity_id", "bigint", required)
        .addColumn("entity_type", text, required)
        .addColumn("entity_label", text, required)
        .addColumn("message", text)
        .addColumn("read", "integer", required)
        .addColumn("seen", "integer", required)
        .addColumn("created", text, required)
        .execute();
      await schema.createIndex("events_of_account").on("events").columns(["account_id", "id"]).execute();
    },
  },
  {
    name: "0007-account-euuid",
    async up(db, { text }) {
      await db.schema
        .alterTable("accounts")
        .addColumn("euuid", text, (column) => column.notNull().defaultTo(""))
        .execute();
      for (const { id } of await db.selectFrom("accounts").select("id").execute())
        await db.updateTable("accounts").set({ euuid: randomUUID() }).where("id", "=", id).execute();
    },
  },
  {
    name: "0008-slaves",
    async up({ schema }, { text }) {
      await schema
        .createTable("slaves")
        .addColumn("domain_id", "bigint", (column) => column.primaryKey().references("domains.id").onDelete("cascade"))
        .addColumn("domain_key", text, required)
        .addColumn("master_ips", text, required)
        .addColumn("next", text, required)
        .addColumn("serial", "bigint")
        .addColumn("refresh", "integer")
        .addColumn("retry", "integer")
        .addColumn("expire", "integer")
        .addColumn("transferred", text)
        .addColumn("expires", text)
        .addColumn("lines", text)
        .execute();
      await schema.createIndex("domains_of_type").on("domains").column("type").execute();
    },
  },
  {
    name: "0009-records-at-name",
    async up({ schema }) {
      await schema
        .createIndex("records_of_type_at_name")
        .on("records")
        .columns(["domain_id", "name_key", "type"])
        .execute();
      // Whole targets are too long for an index.
      await schema
        .createIndex("null_records_at_name")
        .on("records")
        .columns(["domain_id", "name_key", "type"])
        .where(sql`target`, "=", sql`''`)
        .execute();
      await schema.dropIndex("records_at_name").execute();
    },
  },
  {
    name: "0010-domain-tree",
    async up(db, { text }) {
      await db.schema
        .createTable("domain_roots")
        .addColumn("root", text, (column) => column.primaryKey())
        .execute();
      await db.schema
        .alterTable("domains")
        .addColumn("tree_key", text, (column) => column.notNull().defaultTo(""))
        .execute();
      for (const { id, domain } of await db.selectFrom("domains").select(["id", "domain"]).execute())
        await db
          .updateTable("domains")
          .set({ tree_key: treeKey(domain) })
          .where("id", "=", id)
          .execute();
      await db.schema.createIndex("domains_in_tree").on("domains").column("tree_key").execute();
    },
  },
  {
    name: "0011-zone-lines",
    async up(db, { text }) {
      await db.schema
        .createTable("zone_lines")
        .addColumn("domain_id", "bigint", of("domains"))
        .addColumn("kind", text, required)
        .addColumn("part", "integer", required)
        .addColumn("lines", text, required)
        .addPrimaryKeyConstraint("part_of_zone", ["domain_id", "kind", "part"])
        .execute();
      for (const [table, kind] of [
        ["zones", "rendered"],
        ["slaves", "transferred"],
      ] as const) {
        const old = sql.table(table);
        await sql`
          insert into zone_lines (domain_id, kind, part, lines)
          select domain_id, ${sql.lit(kind)}, 0, lines from ${old} where octet_length(lines) <= ${sql.lit(longestPart)}
        `.execute(db);
        const large = await sql<{ domain_id: number }>`
          select domain_id from ${old} where octet_length(lines) > ${sql.lit(longestPart)}
        `.execute(db);
        for (const { domain_id } of large.rows) {
          const zone = await sql<{ lines: string }>`select lines from ${old} where domain_id = ${domain_id}`.execute(
            db,
          );
          let part = 0;
          for (const lines of partsOf(zone.rows[0]?.lines.split("\n") ?? []))
            await db.insertInto("zone_lines").values({ domain_id, kind, part: part++, lines }).execute();
        }
        await db.schema.alterTable(table).dropColumn("lines").execute();
      }
    },
  },
  {
    name: "0012-account-ground",
    async up(db, { id, text }) {
      const { schema } = db;
      const unset = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo("");
      const no = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
      for (const name of contactColumns) await schema.alterTable("accounts").addColumn(name, text, unset).execute();
      for (const name of ["card_last_four", "card_expiry", "due", "closed"])
        await schema.alterTable("accounts").addColumn(name, text).execute();
      await db
        .updateTable("accounts")
        .set(({ ref }) => ({ company: ref("name") }))
        .execute();
      await schema.alterTable("users").addColumn("email", text, unset).execute();
      await schema.alterTable("users").addColumn("password", text).execute();
      await schema.alterTable("users").addColumn("account_access", text).execute();
      await schema.alterTable("users").addColumn("add_nodes", "integer", no).execute();

      await schema.alterTable("grants").renameTo("domain_grants").execute();
      await schema
        .createTable("grants")
        .addColumn("user_id", "bigint", of("users"))
        .addColumn("entity_type", text, required)
        .addColumn("entity_id", "bigint", required)
        .addColumn("permissions", text, required)
        .addPrimaryKeyConstraint("grant_on_entity", ["user_id", "entity_type", "entity_id"])
        .execute();
      await sql`
        insert into grants (user_id, entity_type, entity_id, permissions)
        select user_id, 'domain', domain_id, permissions from domain_grants
      `.execute(db);
      await schema.dropTable("domain_grants").execute();
      await schema.createIndex("grants_on_entity").on("grants").columns(["entity_type", "entity_id"]).execute();

      await schema
        .createTable("tagged")
        .addColumn("tag_id", "bigint", of("tags"))
        .addColumn("entity_type", text, required)
        .addColumn("entity_id", "bigint", required)
        .addColumn("position", "integer", required)
        .addPrimaryKeyConstraint("tag_of_entity", ["tag_id", "entity_type", "entity_id"])
        .execute();
      await sql`
        insert into tagged (tag_id, entity_type, entity_id, position)
        select tag_id, 'domain', domain_id, position from domain_tags
      `.execute(db);
      await schema.dropTable("domain_tags").execute();
      await schema.createIndex("tags_of_entity").on("tagged").columns(["entity_type", "entity_id"]).execute();

      // SQLite cannot make a column nullable.
      await schema.alterTable("events").renameColumn("entity_id", "domain_id").execute();
      await schema.alterTable("events").addColumn("entity_id", "bigint").execute();
      await schema.alterTable("events").addColumn("entity_key", text).execute();
      await schema.alterTable("events").addColumn("entity_url", text, unset).execute();
      await sql`update events set entity_id = domain_id, entity_url = '/v4/domains/' || domain_id`.execute(db);
      await schema.alterTable("events").dropColumn("domain_id").execute();
      await schema.alterTable("events").addColumn("secondary_entity", text).execute();
      const notification = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo("notification");
      await schema.alterTable("events").addColumn("status", text, notification).execute();
      await schema.alterTable("events").addColumn("starts", text).execute();
      await schema.alterTable("events").addColumn("ends", text).execute();

      await schema
        .createTable("jobs")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("event_id", "bigint")
        .addColumn("kind", text, required)
        .addColumn("entity_type", text, required)
        .addColumn("entity_id", "bigint", required)
        .addColumn("ends", text, required)
        .addColumn("data", text, required)
        .execute();
      await schema.createIndex("jobs_of_account").on("jobs").columns(["account_id", "ends", "id"]).execute();
      await schema.createIndex("jobs_of_entity").on("jobs").columns(["entity_type", "entity_id"]).execute();

      await schema
        .createTable("files")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("entity_type", text, required)
        .addColumn("entity_id", "bigint", required)
        .addColumn("name", text, required)
        .addColumn("octets", "integer", required)
        .addColumn("content", text, required)
        .addColumn("created", text, required)
        .execute();
      await schema.createIndex("files_of_entity").on("files").columns(["entity_type", "entity_id", "id"]).execute();
    },
  },
  {
    name: "0013-oauth",
    async up({ schema }, { id, text }) {
      const no = (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(0);
      await schema
        .createTable("oauth_clients")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("client_id", text, key)
        .addColumn("label", text, required)
        .addColumn("redirect_uri", text, required)
        .addColumn("public", "integer", no)
        .addColumn("status", text, required)
        .addColumn("secret_hash", text, required)
        .execute();
      await schema.createIndex("clients_of_account").on("oauth_clients").columns(["account_id", "id"]).execute();
      await schema
        .createTable("authorizations")
        .addColumn("id", ...id)
        .addColumn("oauth_client_id", "bigint", of("oauth_clients"))
        .addColumn("user_id", "bigint", of("users"))
        .addColumn("scopes", text, required)
        .addColumn("redirect_uri", text, required)
        .addColumn("challenge", text)
        .addColumn("code_hash", text, key)
        .addColumn("code_expires", text, required)
        .addColumn("redeemed", "integer", no)
        .execute();
      await schema
        .createIndex("authorizations_of_client")
        .on("authorizations")
        .columns(["oauth_client_id", "id"])
        .execute();
      await schema.createIndex("authorizations_of_user").on("authorizations").column("user_id").execute();
      await schema
        .createTable("refresh_tokens")
        .addColumn("hash", text, (column) => column.primaryKey())
        .addColumn("authorization_id", "bigint", of("authorizations"))
        .addColumn("used", "integer", no)
        .execute();
      await schema
        .createIndex("refresh_tokens_of_authorization")
        .on("refresh_tokens")
        .column("authorization_id")
        .execute();
      await schema
        .alterTable("tokens")
        .addColumn("authorization_id", "bigint", (column) => column.references("authorizations.id").onDelete("cascade"))
        .execute();
      await schema.createIndex("tokens_of_authorization").on("tokens").column("authorization_id").execute();
      await schema
        .createTable("sessions")
        .addColumn("hash", text, (column) => column.primaryKey())
        .addColumn("user_id", "bigint", of("users"))
        .addColumn("expires", text, required)
        .execute();
      await schema.createIndex("sessions_of_user").on("sessions").column("user_id").execute();
      await schema
        .createTable("logins")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("username", text, required)
        .addColumn("ip", text, required)
        .addColumn("restricted", "integer", required)
        .addColumn("created", text, required)
        .execute();
      await schema.createIndex("logins_of_account").on("logins").columns(["account_id", "id"]).execute();
    },
  },
  {
    name: "0014-tickets",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("tickets")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("user_id", "bigint", required)
        .addColumn("opened_by", text, required)
        .addColumn("gravatar_id", text, required)
        .addColumn("summary", text, required)
        .addColumn("description", text, required)
        .addColumn("status", text, required)
        .addColumn("entity_type", text)
        .addColumn("entity_id", "bigint")
        .addColumn("entity_label", text)
        .addColumn("entity_url", text)
        .addColumn("opened", text, required)
        .addColumn("updated", text, required)
        .addColumn("updated_by", text)
        .addColumn("closed", text)
        .execute();
      await schema.createIndex("tickets_of_account").on("tickets").columns(["account_id", "id"]).execute();
      await schema
        .createTable("ticket_replies")
        .addColumn("id", ...id)
        .addColumn("ticket_id", "bigint", of("tickets"))
        .addColumn("created_by", text, required)
        .addColumn("from_operator", "integer", required)
        .addColumn("gravatar_id", text, required)
        .addColumn("description", text, required)
        .addColumn("created", text, required)
        .execute();
      await schema.createIndex("replies_of_ticket").on("ticket_replies").columns(["ticket_id", "id"]).execute();
      await schema
        .createTable("file_parts")
        .addColumn("file_id", "bigint", of("files"))
        .addColumn("part", "integer", required)
        .addColumn("content", text, required)
        .addPrimaryKeyConstraint("part_of_file", ["file_id", "part"])
        .execute();
      await schema.alterTable("files").dropColumn("content").execute();
    },
  },
  {
    name: "0015-account",
    async up({ schema }, { id, text }) {
      const flag = (initial: 0 | 1) => (column: ColumnDefinitionBuilder) => column.notNull().defaultTo(initial);
      await schema.alterTable("accounts").addColumn("closing_comments", text).execute();
      await schema.alterTable("accounts").addColumn("backups_enabled", "integer", flag(0)).execute();
      await schema.alterTable("accounts").addColumn("network_helper", "integer", flag(1)).execute();
      await schema
        .createTable("notices")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", (column) => column.references("accounts.id").onDelete("cascade"))
        .addColumn("label", text, required)
        .addColumn("message", text, required)
        .addColumn("until", text)
        .execute();
    },
  },
  {
    name: "0016-lists-of-tokens-and-users",
    async up({ schema }) {
      await schema.createIndex("tokens_of_user").on("tokens").columns(["user_id", "id"]).execute();
      await schema.createIndex("users_of_account").on("users").columns(["account_id", "id"]).execute();
    },
  },
  {
    name: "0017-nodes",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("nodes")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("label", text, required)
        .addColumn("label_key", text, required)
        .addColumn("group", text, required)
        .addColumn("status", text, required)
        .addColumn("type", text, required)
        .addColumn("region", text, required)
        .addColumn("image", text)
        .addColumn("disk", "bigint", required)
        .addColumn("memory", "bigint", required)
        .addColumn("vcpus", "integer", required)
        .addColumn("transfer", "bigint", required)
        .addColumn("alerts", text, required)
        .addColumn("backups_enabled", "integer", required)
        .addColumn("backup_day", text)
        .addColumn("backup_window", text)
        .addColumn("backup_successful", text)
        .addColumn("watchdog_enabled", "integer", required)
        .addColumn("booted_config_id", "bigint")
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .addUniqueConstraint("node_of_account", ["account_id", "label_key"])
        .execute();
      await schema.createIndex("nodes_of_account").on("nodes").columns(["account_id", "id"]).execute();
      await schema
        .createTable("disks")
        .addColumn("id", ...id)
        .addColumn("node_id", "bigint", of("nodes"))
        .addColumn("label", text, required)
        .addColumn("filesystem", text, required)
        .addColumn("size", "bigint", required)
        .addColumn("content", "bigint", required)
        .addColumn("status", text, required)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .execute();
      await schema.createIndex("disks_of_node").on("disks").columns(["node_id", "id"]).execute();
      await schema
        .createTable("node_configs")
        .addColumn("id", ...id)
        .addColumn("node_id", "bigint", of("nodes"))
        .addColumn("label", text, required)
        .addColumn("comments", text, required)
        .addColumn("kernel", text, required)
        .addColumn("memory_limit", "bigint", required)
        .addColumn("root_device", text, required)
        .addColumn("run_level", text, required)
        .addColumn("virt_mode", text, required)
        .addColumn("helpers", text, required)
        .addColumn("devices", text, required)
        .addColumn("interfaces", text, required)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .execute();
      await schema.createIndex("configs_of_node").on("node_configs").columns(["node_id", "id"]).execute();
      await schema
        .createTable("addresses")
        .addColumn("id", ...id)
        .addColumn("address", text, key)
        .addColumn("type", text, required)
        .addColumn("public", "integer", required)
        .addColumn("network", text, required)
        .addColumn("region", text, required)
        .addColumn("node_id", "bigint", (column) => column.references("nodes.id"))
        .addColumn("rdns", text)
        .addColumn("freed", text)
        .execute();
      await schema.createIndex("addresses_of_node").on("addresses").columns(["node_id", "id"]).execute();
      await schema.createIndex("freed_addresses").on("addresses").columns(["network", "freed"]).execute();
      await schema
        .createTable("address_pools")
        .addColumn("network", text, (column) => column.primaryKey())
        .addColumn("next", "bigint", required)
        .execute();
      await schema.alterTable("jobs").addColumn("failure", text).execute();
      // A node has at most one unfinished job.
      await schema
        .createIndex("job_of_node")
        .unique()
        .on("jobs")
        .columns(["entity_type", "entity_id"])
        .where("entity_type", "=", "node")
        .execute();
    },
  },
  {
    name: "0018-node-samples",
    async up({ schema }, { text }) {
      await schema
        .createTable("node_samples")
        .addColumn("node_id", "bigint", of("nodes"))
        .addColumn("at", text, required)
        .addColumn("measures", text, required)
        .addPrimaryKeyConstraint("sample_of_node", ["node_id", "at"])
        .execute();
      await schema
        .createTable("node_runs")
        .addColumn("node_id", "bigint", of("nodes"))
        .addColumn("started", text, required)
        .addColumn("ended", text)
        .execute();
      await schema.createIndex("runs_of_node").on("node_runs").columns(["node_id", "ended"]).execute();
    },
  },
  {
    name: "0018-rescue",
    async up({ schema }, { text }) {
      await schema.alterTable("nodes").addColumn("rescue_devices", text).execute();
    },
  },
  {
    name: "0019-backups",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("backups")
        .addColumn("id", ...id)
        .addColumn("node_id", "bigint", of("nodes"))
        .addColumn("type", text, required)
        .addColumn("status", text, required)
        .addColumn("label", text)
        .addColumn("region", text, required)
        .addColumn("contents", text)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .addColumn("finished", text)
        .execute();
      await schema.createIndex("backups_of_node").on("backups").columns(["node_id", "id"]).execute();
      await schema.alterTable("nodes").addColumn("backup_next", text).execute();
      await schema.createIndex("next_backups").on("nodes").columns(["account_id", "backup_next"]).execute();
    },
  },
  {
    name: "0020-volumes-and-firewalls",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("volumes")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("node_id", "bigint", (column) => column.references("nodes.id"))
        .addColumn("label", text, required)
        .addColumn("region", text, required)
        .addColumn("size", "bigint", required)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .addUniqueConstraint("volume_of_account", ["account_id", "label"])
        .execute();
      await schema.createIndex("volumes_of_account").on("volumes").columns(["account_id", "id"]).execute();
      await schema.createIndex("volumes_of_node").on("volumes").columns(["node_id", "id"]).execute();
      await schema
        .createTable("firewalls")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("label", text, required)
        .addColumn("status", text, required)
        .addColumn("rules", text, required)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .execute();
      await schema.createIndex("firewalls_of_account").on("firewalls").columns(["account_id", "id"]).execute();
      await schema
        .createTable("firewall_devices")
        .addColumn("id", ...id)
        .addColumn("firewall_id", "bigint", of("firewalls"))
        .addColumn("node_id", "bigint", of("nodes"))
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .addUniqueConstraint("firewall_of_node", ["node_id", "firewall_id"])
        .execute();
      await schema.createIndex("devices_of_firewall").on("firewall_devices").columns(["firewall_id", "id"]).execute();
    },
  },
  {
    name: "0021-maintenance",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("maintenance")
        .addColumn("id", ...id)
        .addColumn("node_id", "bigint", of("nodes"))
        .addColumn("type", text, required)
        .addColumn("status", text, required)
        .addColumn("reason", text, required)
        .addColumn("begins", text, required)
        .execute();
      await schema.createIndex("maintenance_of_node").on("maintenance").column("node_id").execute();
    },
  },
  {
    name: "0022-ssh-keys",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("ssh_keys")
        .addColumn("id", ...id)
        .addColumn("user_id", "bigint", of("users"))
        .addColumn("label", text, required)
        .addColumn("ssh_key", text, required)
        .addColumn("created", text, required)
        .execute();
      await schema.createIndex("ssh_keys_of_user").on("ssh_keys").columns(["user_id", "id"]).execute();
    },
  },
  {
    name: "0023-managed",
    async up({ schema }, { id, text }) {
      await schema
        .alterTable("accounts")
        .addColumn("managed", "integer", (column) => column.notNull().defaultTo(1))
        .execute();
      await schema
        .createTable("managed_contacts")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("name", text, required)
        .addColumn("email", text, required)
        .addColumn("phone_primary", text)
        .addColumn("phone_secondary", text)
        .addColumn("group", text)
        .addColumn("updated", text, required)
        .execute();
      await schema.createIndex("contacts_of_account").on("managed_contacts").columns(["account_id", "id"]).execute();
      await schema
        .createTable("managed_credentials")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("label", text, required)
        .addColumn("sealed", text, required)
        .addColumn("last_decrypted", text)
        .addUniqueConstraint("credential_of_account", ["account_id", "label"])
        .execute();
      await schema
        .createIndex("credentials_of_account")
        .on("managed_credentials")
        .columns(["account_id", "id"])
        .execute();
      await schema
        .createTable("managed_ssh_keys")
        .addColumn("account_id", "bigint", (column) =>
          column.primaryKey().references("accounts.id").onDelete("cascade"),
        )
        .addColumn("public_key", text, required)
        .addColumn("sealed", text, required)
        .execute();
      await schema
        .createTable("managed_node_settings")
        .addColumn("node_id", "bigint", (column) => column.primaryKey().references("nodes.id").onDelete("cascade"))
        .addColumn("access", "integer", required)
        .addColumn("user", text, required)
        .addColumn("ip", text, required)
        .addColumn("port", "integer", required)
        .execute();
    },
  },
  {
    name: "0024-billing",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("charges")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("kind", text, required)
        .addColumn("entity_type", text, required)
        .addColumn("entity_id", "bigint", required)
        .addColumn("product", text, required)
        .addColumn("label", text, required)
        .addColumn("hourly", "bigint", required)
        .addColumn("monthly", "bigint", required)
        .addColumn("transfer", "bigint", required)
        .addColumn("opened", text, required)
        .addColumn("closed", text)
        .addColumn("invoiced", text)
        .addColumn("due", text, required)
        .addColumn("traffic", text)
        .execute();
      await schema.createIndex("due_charges").on("charges").columns(["account_id", "due"]).execute();
      await schema.createIndex("charges_of_entity").on("charges").columns(["entity_type", "entity_id"]).execute();
      await schema
        .createTable("invoices")
        .addColumn("id", "bigint", (column) => column.primaryKey())
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("date", text, required)
        .addColumn("label", text, required)
        .addColumn("subtotal", "bigint", required)
        .addColumn("tax", "bigint", required)
        .addColumn("total", "bigint", required)
        .execute();
      await schema.createIndex("invoices_of_account").on("invoices").columns(["account_id", "id"]).execute();
      await schema
        .createTable("invoice_items")
        .addColumn("id", ...id)
        .addColumn("invoice_id", "bigint", of("invoices"))
        .addColumn("label", text, required)
        .addColumn("type", text, required)
        .addColumn("from", text, required)
        .addColumn("to", text, required)
        .addColumn("quantity", "bigint", required)
        .addColumn("unit_price", "bigint", required)
        .addColumn("amount", "bigint", required)
        .addColumn("tax", "bigint", required)
        .addColumn("total", "bigint", required)
        .execute();
      await schema.createIndex("items_of_invoice").on("invoice_items").columns(["invoice_id", "id"]).execute();
      await schema
        .createTable("payments")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("date", text, required)
        .addColumn("method", text, required)
        .addColumn("amount", "bigint", required)
        .execute();
      await schema.createIndex("payments_of_account").on("payments").columns(["account_id", "id"]).execute();
      await schema
        .createTable("numbers")
        .addColumn("series", text, (column) => column.primaryKey())
        .addColumn("last", "bigint", required)
        .execute();
    },
  },
  {
    name: "0025-reverse-zones",
    async up(db, { text }) {
      const { schema } = db;
      await schema
        .createTable("reverse_zones")
        .addColumn("name", text, (column) => column.primaryKey())
        .addColumn("serial", "bigint", required)
        .addColumn("settings", text)
        .execute();
      await schema.alterTable("addresses").addColumn("reverse_zone", text).execute();
      await schema.createIndex("addresses_of_zone").on("addresses").column("reverse_zone").execute();
      const named = await db
        .selectFrom("addresses")
        .select(["id", "address", "rdns"])
        .where("public", "=", 1)
        .execute();
      for (const { id, address, rdns } of named) {
        const name = reverseZone(address).slice(0, -1);
        await db.updateTable("addresses").set({ reverse_zone: name }).where("id", "=", id).execute();
        if (address.includes(":") && rdns === null) continue;
        const zone = { name, serial: 1 };
        await db
          .insertInto("reverse_zones")
          .values(zone)
          .onConflict((conflict) => conflict.column("name").doNothing())
          .execute();
      }
    },
  },
  {
    name: "0026-redirect-named",
    async up({ schema }) {
      await schema
        .alterTable("authorizations")
        .addColumn("redirect_named", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
    },
  },
  {
    name: "0027-node-vlans",
    async up({ schema }, { text }) {
      await schema
        .alterTable("nodes")
        .addColumn("vlans", text, (column) => column.notNull().defaultTo("[]"))
        .execute();
    },
  },
  {
    name: "0028-managed-services",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("managed_services")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("status", text, required)
        .addColumn("service_type", text, required)
        .addColumn("label", text, required)
        .addColumn("address", text, required)
        .addColumn("host", text, required)
        .addColumn("timeout", "integer", required)
        .addColumn("body", text)
        .addColumn("consultation_group", text, required)
        .addColumn("notes", text)
        .addColumn("region", text)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .addColumn("next", text)
        .addColumn("failures", "integer", required)
        .execute();
      await schema.createIndex("services_of_account").on("managed_services").columns(["account_id", "id"]).execute();
      await schema.createIndex("services_to_probe").on("managed_services").column("next").execute();
      await schema
        .createTable("managed_service_credentials")
        .addColumn("service_id", "bigint", of("managed_services"))
        .addColumn("credential_id", "bigint", of("managed_credentials"))
        .addColumn("position", "integer", required)
        .addPrimaryKeyConstraint("credential_of_service", ["service_id", "credential_id"])
        .execute();
      await schema
        .createIndex("services_of_credential")
        .on("managed_service_credentials")
        .column("credential_id")
        .execute();
      await schema
        .createTable("managed_issues")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("ticket_id", "bigint", of("tickets"))
        .addColumn("host", text, required)
        .addColumn("services", text, required)
        .addColumn("created", text, required)
        .addColumn("ended", text)
        .execute();
      await schema.createIndex("issues_of_account").on("managed_issues").columns(["account_id", "id"]).execute();
    },
  },
  {
    name: "0029-entity-transfers",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("entity_transfers")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("receiver_id", "bigint", (column) => column.references("accounts.id").onDelete("cascade"))
        .addColumn("token", text, key)
        .addColumn("status", text, required)
        .addColumn("created", text, required)
        .addColumn("updated", text, required)
        .addColumn("expires", text, required)
        .addColumn("completes", text)
        .addColumn("event_id", "bigint")
        .execute();
      await schema.createIndex("transfers_sent").on("entity_transfers").columns(["account_id", "status"]).execute();
      await schema
        .createIndex("transfers_accepted")
        .on("entity_transfers")
        .columns(["receiver_id", "status"])
        .execute();
      await schema
        .createTable("transferred_entities")
        .addColumn("transfer_id", "bigint", of("entity_transfers"))
        .addColumn("position", "integer", required)
        .addColumn("entity_type", text, required)
        .addColumn("entity_id", "bigint", required)
        .addColumn("label", text, required)
        .addPrimaryKeyConstraint("entity_of_transfer", ["transfer_id", "entity_type", "entity_id"])
        .execute();
      await schema
        .createIndex("transfers_of_entity")
        .on("transferred_entities")
        .columns(["entity_type", "entity_id"])
        .execute();
    },
  },
  {
    name: "0030-records-of-addresses",
    async up({ schema }, { text }) {
      // Literals, because parameters do not match a partial index.
      await schema
        .createIndex("records_of_ipv4")
        .on("records")
        .column("target")
        .where(sql`type`, "=", sql`'A'`)
        .execute();
      await schema
        .createIndex("records_of_ipv6")
        .on("records")
        .column("domain_id")
        .where(sql`type`, "=", sql`'AAAA'`)
        .execute();
      await schema.alterTable("events").addColumn("remark", text).execute();
    },
  },
  {
    name: "0032-nodes",
    async up(db, { estimate }) {
      const create = (name: string) => db.schema.createIndex(name).on("events");
      // With the moment, so that events are counted without a read of their rows.
      await db.schema.dropIndex("events_of_account").execute();
      await create("events_of_account").columns(["account_id", "id", "created"]).execute();
      await create("events_since").columns(["account_id", "created", "id"]).execute();
      await create("events_of_action").columns(["account_id", "action", "created", "id"]).execute();
      const entity = sql`coalesce(entity_key, cast(entity_id as text))`;
      await create("events_of_entity").column("account_id").expression(entity).columns(["action", "id"]).execute();
      await create("unseen_events").columns(["account_id", "id"]).where(sql`seen`, "=", sql`0`).execute();
      // An entity has fewer events than an action, and an action fewer than the last days.
      await estimate?.(db, "events", {
        events_of_account: "1000000 100000 1 1",
        events_since: "1000000 100000 2 1",
        events_of_action: "1000000 100000 5000 2 1",
        events_of_entity: "1000000 100000 20 5 1",
        unseen_events: "10000 1000 1",
      });
    },
  },
  {
    name: "0034-mail",
    async up({ schema }, { id, text }) {
      await schema
        .createTable("mail")
        .addColumn("id", ...id)
        .addColumn("account_id", "bigint", of("accounts"))
        .addColumn("token", text, required)
        .addColumn("recipient", text, required)
        .addColumn("email", text, required)
        .addColumn("subject", text, required)
        .addColumn("text", text, required)
        .addColumn("about", text)
        .addColumn("created", text, required)
        .addColumn("next", text)
        .execute();
      await schema.createIndex("mail_of_account").on("mail").columns(["account_id", "created"]).execute();
      await schema.createIndex("mail_to_deliver").on("mail").column("next").execute();
    },
  },
  {
    name: "0035-record-counts",
    async up(db, { countRecords }) {
      await db.schema
        .alterTable("domains")
        .addColumn("records", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
      // Before the count: PostgreSQL makes writes to the records wait from here on.
      await countRecords(db);
      const count = sql`(select count(*) from records where records.domain_id = domains.id)`;
      await sql`update domains set records = ${count}`.execute(db);
    },
  },
  {
    name: "0036-zone-changes",
    async up(db, { text, createTrigger }) {
      const { schema } = db;
      await schema.alterTable("zones").addColumn("number", "bigint").execute();
      await schema
        .createTable("zone_changes")
        .addColumn("domain_id", "bigint", of("domains"))
        .addColumn("number", "bigint", required)
        .addColumn("octets", "bigint", required)
        .addColumn("serial", "bigint")
        .addColumn("settings", text)
        .addColumn("record_id", "bigint")
        .addColumn("name_key", text)
        .addColumn("type", text)
        .addColumn("name", text)
        .addColumn("priority", "integer")
        .addColumn("weight", "integer")
        .addColumn("port", "integer")
        .addColumn("ttl_sec", "integer")
        .addColumn("tag", text)
        .addColumn("target", text)
        .addPrimaryKeyConstraint("change_of_zone", ["domain_id", "number"])
        .execute();
      await schema
        .createIndex("versions_of_zone")
        .on("zone_changes")
        .columns(["domain_id", "serial"])
        .where(sql`serial`, "is not", null)
        .execute();
      // A domain without a rendered zone has no journal; nor has one that is being deleted with its records.
      const isRendered = (row: "new" | "old") =>
        `exists (select 1 from zones join domains on domains.id = zones.domain_id where domain_id = ${row}.domain_id)`;
      const kept = ["type", "name", "priority", "weight", "port", "ttl_sec", "tag", "target"];
      const next = (row: "new" | "old", octets: string, columns: readonly string[], values: readonly string[]) => `
        insert into zone_changes (domain_id, number, octets, ${columns.join(", ")})
        select ${row}.domain_id, coalesce(last.number, 0) + 1, coalesce(last.octets, 0) + ${octets}, ${values.join(", ")}
        from (select 1) as one left join
          (select number, octets from zone_changes where domain_id = ${row}.domain_id order by number desc limit 1) as last
          on true`;
      const created = next("new", "0", ["record_id", "name_key"], ["new.id", "new.name_key"]);
      const before = (name: "new" | "old") => {
        const values = ["old.id", `${name}.name_key`, ...kept.map((column) => `old.${column}`)];
        return next("old", "octet_length(old.target)", ["record_id", "name_key", ...kept], values);
      };
      const differs = kept.map((column) => `new.${column} is distinct from old.${column}`).join(" or ");
      const trigger = (name: string, event: "insert" | "update" | "delete", when: string, run: string) =>
        createTrigger(db, { name, table: "records", event, when, run });
      await trigger("note_created_record", "insert", isRendered("new"), created);
      await trigger("note_changed_record", "update", `(${differs}) and ${isRendered("old")}`, before("old"));
      const isMoved = "new.name_key <> old.name_key";
      await trigger("note_moved_record", "update", `${isMoved} and ${isRendered("old")}`, before("new"));
      await trigger("note_deleted_record", "delete", isRendered("old"), before("old"));
      // Rarely, because each time takes a millisecond; but at once after a long text.
      await createTrigger(db, {
        name: "shorten_journal",
        table: "zone_changes",
        event: "insert",
        when: "new.number % 1000 = 0 or octet_length(new.target) > 8000",
        run: `delete from zone_changes where domain_id = new.domain_id
          and (number <= new.number - 10000 or octets - coalesce(octet_length(target), 0) < new.octets - 8388608)`,
      });
      // Zone files are rendered from the records, and earlier versions by the journal.
      await sql`delete from zone_lines where kind in ('rendered', 'kept')`.execute(db);
    },
  },
  {
    name: "0037-health",
    async up({ schema }, { text }) {
      await schema
        .alterTable("slaves")
        .addColumn("failures", "integer", (column) => column.notNull().defaultTo(0))
        .execute();
      await schema.createIndex("failing_slaves").on("slaves").column("failures").where(sql`failures`, ">", 0).execute();
      await schema
        .createTable("write_probes")
        .addColumn("id", "integer", (column) => column.primaryKey())
        .addColumn("written", text, required)
        .execute();
    },
  },
  {
    name: "0038-slave-clock",
    async up({ schema }, { text }) {
      await schema.alterTable("slaves").addColumn("asked", text).execute();
    },
  },
  {
    name: "0039-waiting-domains",
    async up({ schema }) {
      await schema
        .createIndex("waiting_domains")
        .on("domains")
        .column("changed")
        .where(sql`changed`, "is not", null)
        .execute();
    },
  },
];
