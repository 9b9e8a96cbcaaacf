import { type ExpressionBuilder, expressionBuilder, sql } from "kysely";
import { besideCname } from "../../../dns/lookup/lookup.ts";
import { yieldToEventLoop } from "../../store/event-loop.ts";
import { type Attributes, caseInsensitive, either, number, textAttribute } from "../../store/filter.ts";
import { padList, splitByLength, statement } from "../../store/language.ts";
import { isOfAll, type Rows, type Slice, slice, windowOf } from "../../store/page.ts";
import type { Database, DomainRow, NewRecordRow, RecordRow, Tables } from "../../store/tables.ts";

const byId = statement((db, domain_id: number, id: number) => ofApi(db, domain_id).selectAll().where("id", "=", id));

export function findRecordRow(db: Database, domain_id: number, id: number): Promise<RecordRow | undefined> {
  return byId.first(db, domain_id, id);
}

const byAccount = statement((db, account_id: number, domain_id: number, id: number) =>
  db
    .selectFrom("records")
    .innerJoin("domains", "domains.id", "records.domain_id")
    .selectAll("records")
    .where("records.id", "=", id)
    .where("records.domain_id", "=", domain_id)
    .where("records.alias_id", "is", null)
    .where("domains.account_id", "=", account_id),
);

/** The record of a domain that belongs to the account, found in one statement. */
export function findRecordInAccount(
  db: Database,
  account_id: number,
  domain_id: number,
  id: number,
): Promise<RecordRow | undefined> {
  return byAccount.first(db, account_id, domain_id, id);
}

export async function listRecordRows(
  db: Database,
  { id, records }: Pick<DomainRow, "id" | "records">,
  wanted: Slice,
): Promise<Rows<RecordRow>> {
  if (!isOfAll(wanted)) return slice(db, { rows: ofApi(db, id) }, attributes, wanted);
  const window = windowOf(wanted, records);
  if (window === undefined) return { rows: [], results: records };
  const { limit, offset, isBackwards } = window;
  const rows = await (isBackwards ? newestFirst : oldestFirst).all(db, id, limit, offset);
  return { rows: isBackwards ? rows.reverse() : rows, results: records };
}

const pageBy = (direction: "asc" | "desc") =>
  statement((db, domain_id: number, limit: number, offset: number) =>
    ofApi(db, domain_id).selectAll().orderBy("id", direction).limit(limit).offset(offset),
  );
const oldestFirst = pageBy("asc");
const newestFirst = pageBy("desc");

/** All records of the domain, oldest first, in parts of a few milliseconds, with the addresses of ALIAS records. */
export async function* readRecordsInParts(db: Database, domain_id: number): AsyncGenerator<RecordRow[]> {
  for await (const { from, to } of parts(db, domain_id))
    yield await ofDomain(db, domain_id)
      .selectAll()
      .where("id", ">", from)
      .where("id", "<=", to)
      .orderBy("id")
      .execute();
}

/** Limits on the records of one step, and on the octets of their targets. */
const part = 500;
const partOctets = 2 ** 19;

/** The number of leading records that form one part: at least one, if there is any. */
function partOf(octets: readonly number[]): number {
  let sum = 0;
  const over = octets.slice(0, part).findIndex((octets, index) => {
    sum += octets;
    return index > 0 && sum > partOctets;
  });
  return over === -1 ? Math.min(octets.length, part) : over;
}

/** The id ranges of the parts: above `from`, up to `to`. The event loop turns between them. */
async function* parts(db: Database, domain_id: number): AsyncGenerator<{ from: number; to: number }> {
  for (let from = 0; ; ) {
    const rows = await ofDomain(db, domain_id)
      .select(({ fn }) => ["id", fn<number>("octet_length", ["target"]).as("octets")])
      .where("id", ">", from)
      .orderBy("id")
      .limit(part)
      .execute();
    const length = partOf(rows.map(({ octets }) => Number(octets)));
    const to = rows[length - 1]?.id;
    if (to === undefined) return;
    yield { from, to };
    if (length === rows.length && length < part) return;
    from = to;
    await yieldToEventLoop();
  }
}

/** Everything that the zone of a domain is made of: its records, and the addresses of ALIAS records. */
function ofDomain(db: Database, domain_id: number) {
  return db.selectFrom("records").where("domain_id", "=", domain_id);
}

/** The records of a domain as the API knows them. */
function ofApi(db: Database, domain_id: number) {
  return ofDomain(db, domain_id).where("alias_id", "is", null);
}

/** The columns of a record that may conflict with others at its name. */
export type RecordAtName = Pick<RecordRow, "type" | "name" | "target">;

/**
 * Records at the same name, in any letter case, that may conflict with this one, without the record `except`: at most
 * one per reason, found by an index, however many records the name has.
 */
export async function findConflicts(
  db: Database,
  domain_id: number,
  record: RecordAtName,
  except = 0,
): Promise<RecordAtName[]> {
  const place = [domain_id, record.name.toLowerCase(), except] as const;
  if (record.type === "CNAME") return otherThanSignaturesAt.all(db, ...place);
  if (besideCname.has(record.type)) return [];
  const others = await ofTypesAt.all(db, ...place, othersOf.get(record.type) ?? ["CNAME"]);
  if (record.type !== "MX") return others;
  return [...others, ...(await nullExchangeAt.all(db, ...place)), ...(await exchangeAt.all(db, ...place))];
}

/** The types that conflict with one, beside the values of MX; all but `besideCname` do with CNAME. */
const othersOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["A", ["CNAME", "ALIAS"]],
  ["AAAA", ["CNAME", "ALIAS"]],
  ["ALIAS", ["CNAME", "ALIAS", "A", "AAAA"]],
  ["DNAME", ["CNAME", "DNAME"]],
]);

/** A name of a domain, in lower case. */
export type PlaceRow = Pick<RecordRow, "domain_id" | "name_key">;

/** A name with the type of a record there that stands for others. */
export type AliasRow = PlaceRow & Pick<RecordRow, "type">;

/** Selects the names, of at most 512, that have a CNAME or ALIAS record. */
export async function findAliasesAmong(db: Database, places: readonly PlaceRow[]): Promise<AliasRow[]> {
  if (places.length === 0) return [];
  const padded = padList(places);
  const ids = padded.map(({ domain_id }) => domain_id);
  const names = padded.map(({ name_key }) => name_key);
  const rows = await aliasesOf.all(db, ids, names);
  return rows.flatMap(({ alias, ...place }) => (alias === null ? [] : [{ ...place, type: alias }]));
}

const aliasesOf = statement((db, ids: readonly number[], names: readonly string[]) => {
  const places = ids.map((id, index) => sql`(cast(${id} as bigint), cast(${names[index]} as text))`);
  return db
    .with("places(domain_id, name_key)", () => sql<PlaceRow>`(values ${sql.join(places)})`)
    .selectFrom("places")
    .select((eb) => [
      "places.domain_id",
      "places.name_key",
      // Not a join: PostgreSQL would read all records for it until it has statistics of a table that grows.
      eb
        .selectFrom("records")
        .select("records.type")
        .whereRef("records.domain_id", "=", "places.domain_id")
        .whereRef("records.name_key", "=", "places.name_key")
        .where("records.type", "in", sql<string>`('CNAME', 'ALIAS')`)
        .limit(sql.lit(1))
        .as("alias"),
    ]);
});

const otherThanSignaturesAt = statement((...place: Place) => at(...place).where("type", "not in", [...besideCname]));
const ofTypesAt = statement((db, domain_id: number, name_key: string, except: number, types: readonly string[]) =>
  at(db, domain_id, name_key, except).where("type", "in", padList(types)),
);
// Literals, because parameters do not match a partial index.
const nullExchangeAt = statement((...place: Place) =>
  at(...place)
    .where("type", "=", "MX")
    .where("target", "=", sql<string>`''`),
);
const exchangeAt = statement((...place: Place) =>
  at(...place)
    .where("type", "=", "MX")
    .where("target", "!=", sql<string>`''`),
);

type Place = [db: Database, domain_id: number, name_key: string, except: number];

/** One record at a name. */
function at(...[db, domain_id, name_key, except]: Place) {
  return ofApi(db, domain_id)
    .select(["type", "name", "target"])
    .where("name_key", "=", name_key)
    .where("id", "!=", except)
    .limit(1);
}

/**
 * Records below each of these names, at least one if there is any, perhaps with others whose names only end alike.
 * Names are relative to the domain, in lower case.
 */
export async function listRecordsBelow(
  db: Database,
  domain_id: number,
  names: readonly string[],
): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for (const name of names) {
    if (name === "") continue;
    const plain = await endingIn(db, domain_id, name, false).limit(1).execute();
    // After a backslash, the dot may be part of a label.
    rows.push(...(plain.length > 0 ? plain : await endingIn(db, domain_id, name, true).execute()));
  }
  return rows;
}

/** Records whose names end in a dot and this name, which follow a backslash or not. */
function endingIn(db: Database, domain_id: number, name: string, isEscaped: boolean) {
  const end = (eb: ExpressionBuilder<Tables, "records">) =>
    eb.fn<string>("substr", ["name_key", sql`length(name_key) - ${sql.lit(name.length)}`]);
  const before = (eb: ExpressionBuilder<Tables, "records">) =>
    eb.fn<string>("substr", ["name_key", sql`length(name_key) - ${sql.lit(name.length + 1)}`, sql.lit(1)]);
  return ofDomain(db, domain_id)
    .selectAll()
    .where((eb) => eb(eb.fn<number>("length", ["name_key"]), ">", name.length + 1))
    .where((eb) => eb(end(eb), "=", `.${name}`))
    .where((eb) => eb(before(eb), isEscaped ? "=" : "!=", "\\"));
}

const namesAtOnce = 512;

/** All records at some names in lower case, the oldest first. */
export async function listRecordsAt(db: Database, domain_id: number, names: readonly string[]): Promise<RecordRow[]> {
  const rows: RecordRow[] = [];
  for (let at = 0; at < names.length; at += namesAtOnce) {
    if (at > 0) await yieldToEventLoop();
    rows.push(...(await atNames.all(db, domain_id, padList(names.slice(at, at + namesAtOnce)))));
  }
  return rows.sort((a, b) => a.id - b.id);
}

const atNames = statement((db, domain_id: number, names: readonly string[]) =>
  ofDomain(db, domain_id).selectAll().where("name_key", "in", names),
);

/** A name and type of a domain. */
export type SetPlace = PlaceRow & Pick<RecordRow, "type">;

/** The octets of the fixed part of a record in a message. */
const headOctets = 12;

/**
 * An upper bound on the octets of each of at most 512 sets in a message, of those that have records. It is exact for
 * addresses. The data of other types is at most six times as long as its text: an IPv6 address such as `::1` in a list;
 * only the ports of WKS records take more.
 */
export async function boundSets(db: Database, places: readonly SetPlace[]): Promise<(SetPlace & { octets: number })[]> {
  if (places.length === 0) return [];
  const padded = padList(places);
  const rows = await setBounds.all(
    db,
    padded.map(({ domain_id }) => domain_id),
    padded.map(({ name_key }) => name_key),
    padded.map(({ type }) => type),
  );
  return rows.flatMap(({ octets, ...place }) => (octets === null ? [] : [{ ...place, octets: Number(octets) }]));
}

const bound = sql<number>`case records.type when ${sql.lit("A")} then 4 when ${sql.lit("AAAA")} then 16 else
  32 + 6 * (octet_length(records.target) + coalesce(octet_length(records.rdata), octet_length(records.tag), 0)) +
  case records.type when ${sql.lit("WKS")} then 8192 else 0 end end`;

const setBounds = statement((db, ids: readonly number[], names: readonly string[], types: readonly string[]) => {
  const places = ids.map(
    (id, index) => sql`(cast(${id} as bigint), cast(${names[index]} as text), cast(${types[index]} as text))`,
  );
  return db
    .with("places(domain_id, name_key, type)", () => sql<SetPlace>`(values ${sql.join(places)})`)
    .selectFrom("places")
    .select((eb) => [
      "places.domain_id",
      "places.name_key",
      "places.type",
      eb
        .selectFrom("records")
        .select(({ fn }) => fn.sum<number | null>(sql`${sql.lit(headOctets)} + ${bound}`).as("octets"))
        .whereRef("records.domain_id", "=", "places.domain_id")
        .whereRef("records.name_key", "=", "places.name_key")
        .whereRef("records.type", "=", "places.type")
        .as("octets"),
    ]);
});

/** The sets of a domain with an upper bound above `most`, as for `boundSets`. */
export function listLongSets(db: Database, domain_id: number, most: number): Promise<SetPlace[]> {
  return longSets.all(db, domain_id, most);
}

const longSets = statement((db, domain_id: number, most: number) =>
  ofDomain(db, domain_id)
    .select(["domain_id", "name_key", "type"])
    .groupBy(["domain_id", "name_key", "type"])
    .having(({ fn }) => fn.sum<number>(sql`${sql.lit(headOctets)} + ${bound}`), ">", most)
    .orderBy("name_key")
    .orderBy("type"),
);

/** The records of a name and type, without the record `except`. */
export function listSetRows(db: Database, place: SetPlace, except = 0): Promise<RecordRow[]> {
  return ofSet.all(db, place.domain_id, place.name_key, place.type, except);
}

const ofSet = statement((db, domain_id: number, name_key: string, type: string, except: number) =>
  ofDomain(db, domain_id)
    .selectAll()
    .where("name_key", "=", name_key)
    .where("type", "=", type)
    .where("id", "!=", except),
);

/** Whether there are more than `most` records at some names in lower case; reads no more of them. */
export async function hasMoreRecordsAt(
  db: Database,
  domain_id: number,
  names: readonly string[],
  most: number,
): Promise<boolean> {
  let left = most;
  for (let at = 0; at < names.length && left >= 0; at += namesAtOnce)
    left -= (await idsAt.all(db, domain_id, padList(names.slice(at, at + namesAtOnce)), left + 1)).length;
  return left < 0;
}

const idsAt = statement((db, domain_id: number, names: readonly string[], limit: number) =>
  ofDomain(db, domain_id).select("id").where("name_key", "in", names).limit(limit),
);

/** A record that has an address, with its domain. */
export type AddressRecord = Pick<RecordRow, "name" | "type" | "target"> & { readonly domain: string };

/** The A records of an account with one of these addresses, by name. */
export function listRecordsOfIpv4(
  db: Database,
  account_id: number,
  addresses: readonly string[],
): Promise<AddressRecord[]> {
  // A literal, because parameters do not match a partial index.
  return ofAccount(db, account_id)
    .where("records.type", "=", sql<string>`'A'`)
    .where("records.target", "in", addresses)
    .execute();
}

/**
 * The AAAA records of an account that may have one of these IPv6 addresses, by name: addresses are stored as they were
 * sent, and each spelling ends with the last word of the address, with a zero that `::` stands for, or with an IPv4
 * address. For many addresses all AAAA records are read, because each pattern is compared with each record.
 */
export function listRecordsLikeIpv6(
  db: Database,
  account_id: number,
  addresses: readonly string[],
): Promise<AddressRecord[]> {
  const all = ofAccount(db, account_id).where("records.type", "=", sql<string>`'AAAA'`);
  const lastWords = new Set(addresses.map((address) => /[\da-f]*$/.exec(address)?.[0] ?? ""));
  if (lastWords.size > mostPatterns) return all.execute();
  const patterns = [...[...lastWords].map((word) => `%${word}`), "%::", "%.%"];
  return all
    .where(({ eb, fn, or }) => {
      const target = fn<string>("lower", ["records.target"]);
      return or(patterns.map((pattern) => eb(target, "like", pattern)));
    })
    .execute();
}

const mostPatterns = 10;

function ofAccount(db: Database, account_id: number) {
  return db
    .selectFrom("records")
    .innerJoin("domains", "domains.id", "records.domain_id")
    .select(["records.name", "records.type", "records.target", "domains.domain"])
    .where("domains.account_id", "=", account_id)
    .where("records.alias_id", "is", null)
    .orderBy("domains.domain_key")
    .orderBy("records.name_key")
    .orderBy("records.id");
}

/** The octets of all targets of at least `long` octets together, without the record `except`. */
export async function sumLongTargets(db: Database, domain_id: number, long: number, except = 0): Promise<number> {
  const { octets } = await db
    .selectFrom("records")
    .select(({ fn }) => fn.sum<number | null>(fn("octet_length", ["target"])).as("octets"))
    .where("domain_id", "=", domain_id)
    .where((eb) => eb(eb.fn("octet_length", ["target"]), ">=", long))
    .where("id", "!=", except)
    .executeTakeFirstOrThrow();
  return Number(octets ?? 0);
}

const insertion = statement((db, row: NewRecordRow) => db.insertInto("records").values(row).returningAll());

export function insertRecordRow(db: Database, row: NewRecordRow): Promise<RecordRow> {
  return insertion.only(db, row);
}

const insertions = statement((db, ...rows: readonly NewRecordRow[]) =>
  db.insertInto("records").values(rows).returningAll(),
);

/** Inserts short records, and returns them in the same order. */
export async function insertShortRecordRows(db: Database, rows: readonly NewRecordRow[]): Promise<RecordRow[]> {
  const inserted: RecordRow[] = [];
  for (const part of splitByLength(rows)) {
    if (inserted.length > 0) await yieldToEventLoop();
    // Databases number rows in the order of a list, but promise no order of their replies.
    const stored = (await insertions.all(db, ...part)).sort((a, b) => a.id - b.id);
    const isInOrder = part.every(({ domain_id, type, name, target }, index) => {
      const row = stored[index];
      return row?.domain_id === domain_id && row.type === type && row.name === name && row.target === target;
    });
    if (!isInOrder) throw new Error("records are numbered in another order than they were sent");
    inserted.push(...stored);
  }
  return inserted;
}

export async function insertRecordRows(db: Database, rows: readonly NewRecordRow[]): Promise<void> {
  const octets = rows.map(({ target }) => Buffer.byteLength(target));
  for (let at = 0; at < rows.length; ) {
    if (at > 0) await yieldToEventLoop();
    const length = partOf(octets.slice(at, at + part));
    await db
      .insertInto("records")
      .values(rows.slice(at, at + length))
      .execute();
    at += length;
  }
}

const changing = statement((db, id: number, changes: Partial<NewRecordRow>) =>
  db.updateTable("records").set(changes).where("id", "=", id).returningAll(),
);

export function updateRecordRow(db: Database, id: number, changes: Partial<NewRecordRow>): Promise<RecordRow> {
  return changing.only(db, id, changes);
}

const removal = statement((db, id: number) => db.deleteFrom("records").where("id", "=", id).returning("id"));

export async function removeRecordRow(db: Database, id: number): Promise<void> {
  await removal.all(db, id);
}

/** Copies the records of one domain to another, in their order, created and updated `now`. */
export async function copyRecords(db: Database, from: number, to: number, now: string): Promise<void> {
  const kept = [
    "type",
    "name",
    "name_key",
    "target",
    "priority",
    "weight",
    "port",
    "service",
    "protocol",
    "ttl_sec",
    "tag",
    "rdata",
  ] as const;
  for await (const ids of parts(db, from)) {
    await db
      .insertInto("records")
      .columns(["domain_id", ...kept, "created", "updated"])
      .expression((eb) =>
        eb
          .selectFrom("records")
          .select(({ val }) => [val(to).as("domain_id"), ...kept, val(now).as("created"), val(now).as("updated")])
          .where("domain_id", "=", from)
          .where("alias_id", "is", null)
          .where("id", ">", ids.from)
          .where("id", "<=", ids.to)
          .orderBy("id"),
      )
      .execute();
  }
}

export async function removeRecordsOf(db: Database, domain_id: number): Promise<void> {
  for await (const { to } of parts(db, domain_id))
    await db.deleteFrom("records").where("domain_id", "=", domain_id).where("id", "<=", to).execute();
}

/** The length of the domain's longest record name, in characters. */
export async function readLongestName(db: Database, domain_id: number): Promise<number> {
  const { longest } = await db
    .selectFrom("records")
    .select(({ fn }) => fn.max<number | null>(fn("length", ["name"])).as("longest"))
    .where("domain_id", "=", domain_id)
    .executeTakeFirstOrThrow();
  return longest ?? 0;
}

const eb = expressionBuilder<Tables, "records">();

/** Targets are compared without regard to letter case, except texts and the URL of a CAA record. */
const hasName = eb.not(
  eb.or([eb("records.type", "=", "TXT"), eb(eb.fn.coalesce("records.tag", eb.val("")), "=", "iodef")]),
);

const attributes: Attributes = {
  id: number(eb.ref("records.id")),
  type: textAttribute(eb.ref("records.type")),
  name: caseInsensitive(eb.ref("records.name_key")),
  target: {
    ...either(
      hasName,
      caseInsensitive(eb.fn<string>("lower", ["records.target"])),
      textAttribute(eb.ref("records.target")),
    ),
    cost: 600,
    octets: eb.fn<number>("octet_length", ["records.target"]),
  },
  priority: number(eb.ref("records.priority")),
  weight: number(eb.ref("records.weight")),
  port: number(eb.ref("records.port")),
  service: textAttribute(eb.ref("records.service")),
  protocol: textAttribute(eb.ref("records.protocol")),
  ttl_sec: number(eb.ref("records.ttl_sec")),
  tag: textAttribute(eb.ref("records.tag")),
  created: textAttribute(eb.ref("records.created")),
  updated: textAttribute(eb.ref("records.updated")),
};

/** The addresses that an ALIAS record has now, of both types. */
export async function listAliasAddresses(db: Database, alias_id: number): Promise<RecordRow[]> {
  return addressesOf.all(db, alias_id);
}

const addressesOf = statement((db, alias_id: number) =>
  db.selectFrom("records").selectAll().where("alias_id", "=", alias_id).orderBy("id"),
);
