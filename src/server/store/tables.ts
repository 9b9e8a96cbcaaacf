import type { Generated, Insertable, Kysely, Selectable } from "kysely";

/**
 * The tables. Moments are `YYYY-MM-DDTHH:MM:SS` in UTC, so that they sort as text; times are seconds. `…_key` columns
 * are the lower-case forms of names, for comparison without regard to letter case (RFC 4343).
 */
export interface Tables {
  accounts: { id: Generated<number>; name: string; created: string; euuid: Generated<string> };
  users: UserTable;
  grants: { user_id: number; domain_id: number; permissions: Permissions };
  tokens: TokenTable;
  domains: DomainTable;
  /** The last two labels of domains, as rows to lock: see `lockPlace`. */
  domain_roots: { root: string };
  tags: { id: Generated<number>; account_id: number; label: string; label_key: string };
  domain_tags: { domain_id: number; tag_id: number; position: number };
  records: RecordTable;
  events: EventTable;
  /** The name servers that a domain's zone was rendered with; the zone itself is in `zone_lines`. */
  zones: { domain_id: number; name_servers: string };
  zone_lines: ZoneLinesTable;
  slaves: SlaveTable;
  /**
   * Separate from the domains: the serial of a deleted and recreated domain must continue, or secondaries keep the old
   * zone.
   */
  serials: { domain_key: string; serial: number };
}

/** A connection inside a transaction. */
export type Database = Kysely<Tables>;

export type Permissions = "read_only" | "read_write";

interface UserTable {
  id: Generated<number>;
  account_id: number;
  username: string;
  /** 1 for a user who may do only what grants allow. */
  restricted: Generated<number>;
  /** 1 for a restricted user who may create domains, with a grant on each. */
  add_domains: Generated<number>;
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
  created: string;
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

/** An event remains after its domain and its user. */
interface EventTable {
  id: Generated<number>;
  account_id: number;
  user_id: number;
  username: string;
  action: string;
  entity_id: number;
  entity_type: string;
  entity_label: string;
  message: string | null;
  read: number;
  seen: number;
  created: string;
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
  /** When to ask them again. */
  next: string;
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

/** A part of the lines of a zone, joined by line feeds: part 0, 1 … */
export interface ZoneLinesTable {
  domain_id: number;
  /** A zone file, rendered from the records or transferred from the masters; or rows kept as JSON, see `keepRows`. */
  kind: ZoneKind;
  part: number;
  lines: string;
}

export type ZoneKind = "rendered" | "transferred" | "kept";
export type SlaveRow = Selectable<SlaveTable>;
export type DomainRow = Selectable<DomainTable>;
/** A new domain; the store derives its `tree_key`. */
export type DomainColumns = Omit<Insertable<DomainTable>, "tree_key">;
export type RecordRow = Selectable<RecordTable>;
export type NewRecordRow = Insertable<RecordTable>;
export type EventRow = Selectable<EventTable>;
export type NewEventRow = Insertable<EventTable>;
