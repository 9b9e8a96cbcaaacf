import Database from "libsql";
import type { PowerDnsServer } from "./servers.ts";

/** A row of the table of records, as another program stores it: names without a final dot, and no check at all. */
export type StoredRow = readonly [name: string, type: string, content: string, ttl?: number, prio?: number];

/** The rows of an SOA record and of a name server, which a zone needs. */
export function apexRows(zone: string): StoredRow[] {
  return [
    [zone, "SOA", `ns1.example.net ops.example.net 1 3600 600 86400 60`, 300],
    [zone, "NS", "ns1.example.net", 300],
    [zone, "NS", "ns2.example.net", 300],
  ];
}

/** Stores a zone by SQL, past the API and its checks. */
export function storeZone(
  { database }: PowerDnsServer,
  zone: string,
  rows: readonly StoredRow[],
  kind = "NATIVE",
): void {
  const db = new Database(database);
  const { lastInsertRowid: id } = db.prepare("INSERT INTO domains (name, type) VALUES (?, ?)").run(zone, kind);
  const insert = db.prepare(
    "INSERT INTO records (domain_id, name, type, content, ttl, prio, disabled, auth) VALUES (?, ?, ?, ?, ?, ?, 0, 1)",
  );
  for (const [name, type, content, ttl = 300, prio = 0] of [...apexRows(zone), ...rows])
    insert.run(id, name, type, content, ttl, prio);
  db.close();
}
