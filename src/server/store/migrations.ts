import { randomUUID } from "node:crypto";
import type { ColumnDefinitionBuilder, Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** How the driver spells an `id` that counts up and never comes twice. */
export type Identity = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;

interface Migration {
  name: string;
  up(db: Kysely<Tables>, identity: Identity): Promise<void>;
}

const required = (column: ColumnDefinitionBuilder) => column.notNull();
const key = (column: ColumnDefinitionBuilder) => column.notNull().unique();
const of = (table: string) => (column: ColumnDefinitionBuilder) =>
  column.notNull().references(`${table}.id`).onDelete("cascade");

/** In the order in which they run. A migration that was released is never edited: a later one changes what it made. */
export const migrations: readonly Migration[] = [
  {
    name: "0001-accounts",
    async up({ schema }, identity) {
      await schema
        .createTable("accounts")
        .addColumn("id", "integer", identity)
        .addColumn("name", "text", key)
        .addColumn("created", "text", required)
        .execute();
      await schema
        .createTable("users")
        .addColumn("id", "integer", identity)
        .addColumn("account_id", "integer", of("accounts"))
        .addColumn("username", "text", key)
        .addColumn("created", "text", required)
        .execute();
      await schema
        .createTable("tokens")
        .addColumn("id", "integer", identity)
        .addColumn("user_id", "integer", of("users"))
        .addColumn("hash", "text", key)
        .addColumn("scopes", "text", required)
        .addColumn("expires", "text")
        .addColumn("created", "text", required)
        .execute();
    },
  },
  {
    name: "0002-domains",
    async up({ schema }, identity) {
      await schema
        .createTable("domains")
        .addColumn("id", "integer", identity)
        .addColumn("account_id", "integer", of("accounts"))
        .addColumn("domain", "text", required)
        .addColumn("domain_key", "text", key)
        .addColumn("type", "text", required)
        .addColumn("status", "text", required)
        .addColumn("description", "text", required)
        .addColumn("group", "text", required)
        .addColumn("soa_email", "text", required)
        .addColumn("ttl_sec", "integer", required)
        .addColumn("refresh_sec", "integer", required)
        .addColumn("retry_sec", "integer", required)
        .addColumn("expire_sec", "integer", required)
        .addColumn("master_ips", "text", required)
        .addColumn("axfr_ips", "text", required)
        .addColumn("created", "text", required)
        .addColumn("updated", "text", required)
        .addColumn("changed", "text")
        .execute();
      await schema.createIndex("domains_of_account").on("domains").columns(["account_id", "id"]).execute();
      await schema
        .createTable("tags")
        .addColumn("id", "integer", identity)
        .addColumn("account_id", "integer", of("accounts"))
        .addColumn("label", "text", required)
        .addColumn("label_key", "text", required)
        .addUniqueConstraint("tag_of_account", ["account_id", "label_key"])
        .execute();
      await schema
        .createTable("domain_tags")
        .addColumn("domain_id", "integer", of("domains"))
        .addColumn("tag_id", "integer", of("tags"))
        .addColumn("position", "integer", required)
        .addPrimaryKeyConstraint("tag_of_domain", ["domain_id", "tag_id"])
        .execute();
      await schema.createIndex("domains_of_tag").on("domain_tags").column("tag_id").execute();
    },
  },
  {
    name: "0003-records",
    async up({ schema }, identity) {
      await schema
        .createTable("records")
        .addColumn("id", "integer", identity)
        .addColumn("domain_id", "integer", of("domains"))
        .addColumn("type", "text", required)
        .addColumn("name", "text", required)
        .addColumn("name_key", "text", required)
        .addColumn("target", "text", required)
        .addColumn("priority", "integer", required)
        .addColumn("weight", "integer", required)
        .addColumn("port", "integer", required)
        .addColumn("service", "text")
        .addColumn("protocol", "text")
        .addColumn("ttl_sec", "integer", required)
        .addColumn("tag", "text")
        .addColumn("created", "text", required)
        .addColumn("updated", "text", required)
        .execute();
      await schema.createIndex("records_of_domain").on("records").columns(["domain_id", "id"]).execute();
      await schema.createIndex("records_at_name").on("records").columns(["domain_id", "name_key"]).execute();
    },
  },
  {
    name: "0004-zones",
    async up({ schema }) {
      await schema
        .createTable("zones")
        .addColumn("domain_id", "integer", (column) => column.primaryKey().references("domains.id").onDelete("cascade"))
        .addColumn("name_servers", "text", required)
        .addColumn("lines", "text", required)
        .execute();
      await schema
        .createTable("serials")
        .addColumn("domain_key", "text", (column) => column.primaryKey())
        .addColumn("serial", "integer", required)
        .execute();
    },
  },
  {
    name: "0006-account-euuid",
    async up(db) {
      await db.schema
        .alterTable("accounts")
        .addColumn("euuid", "text", (column) => column.notNull().defaultTo(""))
        .execute();
      for (const { id } of await db.selectFrom("accounts").select("id").execute())
        await db.updateTable("accounts").set({ euuid: randomUUID() }).where("id", "=", id).execute();
    },
  },
];
