import { cpSync } from "node:fs";
import { join } from "node:path";
import zonefile from "dns-zonefile";
import { expect, test } from "vitest";
import { apiDesk } from "./run.ts";

type Parsed = ReturnType<typeof zonefile.parse>;

/**
 * The records that another program reads in an exported zone, in the form of `--to records`. It keeps relative names,
 * so they are completed here.
 */
function records(zone: string, { $ttl, ...parsed }: Parsed): string[] {
  const ttls: Record<string, number> = { "1h": 3600, "1d": 86400 };
  const absolute = (name: string) => (name === "@" ? `${zone}.` : name.endsWith(".") ? name : `${name}.${zone}.`);
  const lines = <T extends { name: string; ttl?: number }>(type: string, list: T[] = [], data: (record: T) => string) =>
    list.map((record) => `${absolute(record.name)} ${record.ttl ?? ttls[String($ttl)]} IN ${type} ${data(record)}`);
  return [
    ...lines("A", parsed.a, ({ ip }) => ip),
    ...lines("AAAA", parsed.aaaa, ({ ip }) => ip),
    ...lines("CNAME", parsed.cname, ({ alias }) => absolute(alias)),
    ...lines("MX", parsed.mx, ({ preference, host }) => `${preference} ${absolute(host)}`),
    ...lines(
      "NS",
      parsed.ns?.filter(({ name }) => name !== "@"),
      ({ host }) => absolute(host),
    ),
    ...lines("TXT", parsed.txt, ({ txt }) => txt),
    ...lines("PTR", parsed.ptr, ({ host }) => absolute(host)),
    ...lines(
      "SRV",
      parsed.srv,
      ({ priority, weight, port, target }) => `${priority} ${weight} ${port} ${absolute(target)}`,
    ),
    ...lines("CAA", parsed.caa, ({ flags, tag, value }) => `${flags} ${tag} ${value}`),
  ].sort();
}

test.each([
  ["example.com", 22],
  ["example.net", 12],
  ["2.0.192.in-addr.arpa", 5],
])("dns-zonefile finds all records of exported %s: %i", async (zone, number) => {
  const desk = await apiDesk();
  cpSync(join(import.meta.dirname, "../../zones"), join(desk.folder, "zones"), { recursive: true });
  await desk.run("apply --yes");
  const found = records(zone, zonefile.parse((await desk.run(`export ${zone} --live --to bind`)).out));
  expect(found.length).toBe(number);
  expect(`${found.join("\n")}\n`).toBe((await desk.run(`export ${zone} --live --to records`)).out);
});
