import { isIP } from "node:net";
import { Refusal } from "../../diagnostics/diagnostic.ts";
import { plain } from "../../diagnostics/plain.ts";
import { listenDns } from "../../server/dns/listen.ts";
import { startNotifier } from "../../server/dns/notifier.ts";
import { StoredZones } from "../../server/dns/stored-zones.ts";
import { readSettings, type ServerOptions } from "../../server/server.ts";
import type { ServerAddress } from "../../transfer/server-address.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-code.ts";
import { unknownText } from "../tell.ts";

/** Where secondaries listen. */
const dnsPort = 53;
const noticeEveryMs = 1000;

/** `127.0.0.1:5300`, `[::1]:5300` */
export function readAddress(text: string): ServerAddress {
  const [, bracketed, bare, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? bare ?? "";
  if (isIP(host) !== (bracketed ? 6 : 4) || Number(port) > 65535)
    throw new UsageError(`--dns is an address and a port such as 127.0.0.1:5300 or [::1]:5300, not ${plain(text)}.`);
  return { host, port: Number(port) };
}

/**
 * The name service: answers the names of the zones, gives zones to their `axfr_ips`, and tells those of changes.
 * @throws {Refusal} `listen`
 */
export async function serveNames(context: Context, settings: ServerOptions, { host, port }: ServerAddress) {
  const zones = new StoredZones(readSettings(settings), settings.clock);
  const onError = (error: unknown) =>
    context.talk(`${error instanceof Refusal ? plain(error.message) : unknownText(context, error)}\n`);
  const service = await listenDns({ host, port, zones, onError }).catch((error: unknown) => {
    const detail = `${error instanceof Error ? error.message : String(error)}.`;
    const fix = "Stop what holds it, or choose another port or address.";
    throw new Refusal([
      { severity: "error", rule: "listen", summary: `cannot answer names on ${host} port ${port}`, detail, fix },
    ]);
  });
  const notifier = startNotifier({ zones, port: dnsPort, everyMs: noticeEveryMs, onError });
  return {
    address: `${host.includes(":") ? `[${host}]` : host}:${service.port}`,
    close: () => Promise.all([service.close(), notifier.close()]),
  };
}
