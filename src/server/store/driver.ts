import type { Dialect } from "kysely";
import type { Identity } from "./migrations.ts";

/** What differs between the databases that can hold the store. Everything else is SQL through one query builder. */
export interface Driver {
  readonly dialect: Dialect;
  readonly identity: Identity;
  /** In words, why the database could not do its work; undefined for an error that is not the database's own trouble. */
  failure(error: unknown): string | undefined;
}
