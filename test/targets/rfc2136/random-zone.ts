import type { Random } from "../../executor/random.ts";
import type { Configuration } from "../../updates/servers.ts";

/** RDATA of types that name servers and dnspython read, by type: three values each. */
const values: Readonly<Record<string, readonly [string, string, string]>> = {
  A: ["192.0.2.1", "192.0.2.2", "198.51.100.3"],
  AAAA: ["2001:db8::1", "2001:db8::2", "2001:db8::3"],
  MX: ["10 host", "20 host", "10 mail.example.net."],
  TXT: ['"one"', '"two" "parts"', '"\\"quoted\\"; \\195\\164"'],
  SRV: ["0 5 443 host", "1 5 443 host", "0 0 80 www.example.net."],
  CAA: ['0 issue "ca.example.net"', '128 iodef "mailto:a@example.net"', '0 issuewild ";"'],
  PTR: ["host", "one.example.net.", "two.example.net."],
  SSHFP: [`1 1 ${"0a".repeat(20)}`, `4 2 ${"0b".repeat(32)}`, `3 1 ${"0c".repeat(20)}`],
  TLSA: [`3 1 1 ${"0a".repeat(32)}`, `2 0 1 ${"0b".repeat(32)}`, `3 1 2 ${"0c".repeat(64)}`],
  NAPTR: ['10 10 "u" "E2U+sip" "!^.*$!sip:a@example.net!" .', '20 10 "s" "SIP+D2U" "" host', '10 20 "a" "" "" host'],
  LOC: [
    "52 22 23 N 4 53 32 E -2m 1m 10000m 10m",
    "1 0 0 S 1 0 0 W 0m 1m 10000m 10m",
    "3 3 3 N 3 3 3 E 3m 1m 10000m 10m",
  ],
  HINFO: ['"cpu" "os"', '"cpu" "other"', '"a" "b"'],
  RP: ["admin txt", "other.example.net. .", "admin ."],
  URI: ['10 1 "https://example.net/"', '20 1 "https://example.net/"', '10 1 "ftp://example.net/"'],
  SVCB: ["1 host alpn=h2", "0 www.example.net.", "2 . port=8443"],
  HTTPS: ["1 . alpn=h2,h3", "1 host ipv4hint=192.0.2.1", "0 www.example.net."],
  CERT: ["PGP 0 0 AAEC", "PKIX 1 8 AAEC", "PGP 0 0 AwQF"],
  OPENPGPKEY: ["AAEC", "AwQF", "BgcI"],
  EUI48: ["00-00-5e-00-53-2a", "00-00-5e-00-53-2b", "00-00-5e-00-53-2c"],
  TYPE1234: ["\\# 4 0a000001", "\\# 1 00", "\\# 2 0001"],
};

/** The types of random records. PowerDNS 4.7 takes no update with a type that it does not know: FORMERR. */
export const typesOf = (configuration: Configuration): readonly string[] =>
  Object.keys(values).filter((type) => type !== "TYPE1234" || !configuration.startsWith("PowerDNS"));
const ttls = [60, 300, 3600];

/** A zone as the test wants it: the values of each RRset by owner and type, and its TTL. */
export type ZoneModel = Map<string, Map<string, { readonly ttl: number; readonly values: readonly string[] }>>;

const owners = [
  "www",
  "host",
  "alias",
  "a.tree",
  "deep.er.tree",
  "_sip._tcp",
  "*.wild",
  "x-1",
  "x-2",
  "x-3",
  "cut",
  "mail",
];
const hostOfServer = (index: number) => `ns${index}`;

/** The zone that the servers of `startUpdateServer` begin with; `host` and the name servers keep their addresses. */
export function firstModel(): ZoneModel {
  const model: ZoneModel = new Map();
  set(model, "@", "NS", 300, [hostOfServer(1), hostOfServer(2)]);
  set(model, "@", "MX", 300, ["10 host"]);
  for (const index of [1, 2, 3, 4]) set(model, hostOfServer(index), "A", 300, [`192.0.2.${index}`]);
  set(model, "host", "A", 300, ["192.0.2.20"]);
  set(model, "www", "A", 300, ["192.0.2.10", "192.0.2.11"]);
  return model;
}

function set(model: ZoneModel, owner: string, type: string, ttl: number, list: readonly string[]): void {
  const types = model.get(owner) ?? new Map();
  if (list.length === 0) types.delete(type);
  else types.set(type, { ttl, values: [...new Set(list)].sort() });
  if (types.size === 0) model.delete(owner);
  else model.set(owner, types);
}

/** A copy with a few random edits of all kinds. */
export function editModel(before: ZoneModel, random: Random, types: readonly string[]): ZoneModel {
  const model: ZoneModel = new Map([...before].map(([owner, types]) => [owner, new Map(types)]));
  for (let left = 1 + random.below(5); left > 0; left--) edits[random.below(edits.length)]?.(model, random, types);
  return model;
}

/** A copy with this many names of one kind. */
export function withMany(before: ZoneModel, count: number): ZoneModel {
  const model: ZoneModel = new Map([...before].filter(([owner]) => !owner.startsWith("many-")));
  for (let index = 0; index < count; index++) set(model, `many-${index}`, "A", 300, [`192.0.2.${index % 256}`]);
  return model;
}

function pick<T>(list: readonly T[], random: Random): T {
  const one = list[random.below(list.length)];
  if (one === undefined) throw new Error("an empty list");
  return one;
}

type Edit = (model: ZoneModel, random: Random, types: readonly string[]) => void;

/** Names that may have any records; `cut` is a delegation or plain, `alias` often a CNAME. */
const edits: readonly Edit[] = [
  function changeSet(model, random, types) {
    const owner = pick(owners, random);
    const type = pick(types, random);
    if (owner === "host" && type !== "TXT") return;
    dropAlone(model, owner);
    const count = random.below(4);
    set(
      model,
      owner,
      type,
      pick(ttls, random),
      Array.from({ length: count }, () => pick(values[type] ?? [], random)),
    );
  },
  function changeTtl(model, random) {
    const owner = pick([...model.keys()], random);
    const [type, { values = [] } = {}] = pick([...(model.get(owner) ?? [])], random);
    // Knot keeps the TTL of a lone name server.
    if (owner !== "@" || type !== "NS" || values.length > 1) set(model, owner, type, pick(ttls, random), values);
  },
  function becomeAlias(model, random) {
    const owner = pick(
      owners.filter((name) => name !== "host" && name !== "cut"),
      random,
    );
    model.delete(owner);
    set(model, owner, "CNAME", pick(ttls, random), [pick(["host", "www.example.net.", "ns1"], random)]);
  },
  function becomeAddress(model, random) {
    const owner = pick(
      owners.filter((name) => name !== "host" && name !== "cut"),
      random,
    );
    dropAlone(model, owner);
    set(model, owner, "A", pick(ttls, random), [pick(values.A ?? [], random)]);
  },
  function changeServers(model, random) {
    const before = model.get("@")?.get("NS");
    const list = [1, 2, 3, 4].filter(() => random.below(2) === 0).map(hostOfServer);
    const isSame = list.length === before?.values.length && list.every((one) => before.values.includes(one));
    if (list.length > 0)
      set(model, "@", "NS", isSame || list.length === 1 ? (before?.ttl ?? 300) : pick(ttls, random), list);
  },
  function delegate(model, random) {
    model.delete("cut");
    if (random.below(3) === 0) return;
    set(model, "cut", "NS", pick(ttls, random), ["ns.cut", pick(["ns1", "ns.example.net."], random)]);
    set(model, "ns.cut", "A", 300, ["192.0.2.53"]);
    if (random.below(2) === 0) set(model, "cut", "DS", 300, [`1 13 2 ${"0d".repeat(32)}`]);
  },
  function redirect(model, random) {
    model.delete("dname");
    if (random.below(2) === 0)
      set(model, "dname", "DNAME", pick(ttls, random), [pick(["example.net.", "www"], random)]);
  },
  function addMany(model, random) {
    const start = random.below(100);
    for (let index = start; index < start + 20; index++) set(model, `n${index}`, "A", 300, [`192.0.2.${index}`]);
  },
  function removeMany(model, random) {
    const start = random.below(100);
    for (let index = start; index < start + 20; index++) model.delete(`n${index}`);
  },
];

/** A CNAME stands alone; `cut` has no other records while it is delegated. */
function dropAlone(model: ZoneModel, owner: string): void {
  const types = model.get(owner);
  if (types?.has("CNAME") || types?.has("NS")) model.delete(owner);
}

/** The lines of its master file, without an SOA record. */
export function masterFile(model: ZoneModel): string {
  const lines = [...model].flatMap(([owner, types]) =>
    [...types].flatMap(([type, { ttl, values }]) => values.map((value) => `${owner} ${ttl} IN ${type} ${value}\n`)),
  );
  return lines.join("");
}
