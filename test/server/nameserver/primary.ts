import { expect, onTestFinished } from "vitest";
import type { Key } from "../../../src/dns/transfer/tsig.ts";
import { rdataText, type ZoneRecord } from "../../../src/dns/zone/zone.ts";
import { askSoa } from "../../../src/dns-client/ask.ts";
import { insertRecordRows } from "../../../src/server/areas/zones/records-rows.ts";
import { listenDns } from "../../../src/server/nameserver/listen.ts";
import { StoredZones } from "../../../src/server/nameserver/zones/stored-zones.ts";
import { readServerSettings } from "../../../src/server/server.ts";
import { domainName } from "../../names.ts";
import { noon, start } from "../start.ts";
import { waitForCurrent } from "./wait-for-current.ts";

export const host = "127.0.0.1";
export const name = domainName("example.com.");
export const key: Key = { name: domainName("transfer."), algorithm: "hmac-sha256", secret: Buffer.from("shared") };
export const show = (records: readonly ZoneRecord[]) =>
  records.map((record) => `${record.owner} ${record.ttl} ${record.type} ${rdataText(record)}`);

/** The API and a name server with a zone of these records, which `axfr_ips` may transfer. */
export async function begin(records: ReturnType<typeof a>[] = [], axfr_ips = [host]) {
  const api = await start();
  const onError = (error: unknown) => expect.fail(String(error));
  const zones = new StoredZones(
    readServerSettings({ store: api.store, clock: () => api.clock.now, nameservers: ["ns1.example.net"] }),
    () => api.clock.now,
    { waitForCurrent },
  );
  const service = await listenDns({ host, port: 0, zones, keys: [key], onError });
  onTestFinished(() => service.close());
  const at = { host, port: service.port };
  const id = await api.domain("example.com");
  const rest = { priority: 0, weight: 0, port: 0, service: null, protocol: null, ttl_sec: 0, tag: null };
  const row = { ...rest, domain_id: id, created: noon, updated: noon };
  await api.store.write((db) =>
    insertRecordRows(
      db,
      records.map((record) => ({ ...row, ...record, name_key: record.name.toLowerCase() })),
    ),
  );
  await api.call("PUT", `/domains/${id}`, { axfr_ips });
  const post = (body: object) => api.call("POST", `/domains/${id}/records`, body);
  return { ...api, at, id, post, soa: () => askSoa(at, name) };
}

export const a = (name: string, octet = 1, rest = {}) => ({ type: "A", name, target: `192.0.2.${octet}`, ...rest });
export const many = (count: number) => Array.from({ length: count }, (_, index) => a(`h${index}`, index % 200));
