import { type Name, nameKey } from "../../dns/name/name.ts";
import type { AxfrZone } from "../../dns/transfer/axfr-receiver.ts";
import { withAliases } from "../../dns/transfer/transferred-alias.ts";
import { isType } from "../../dns/zone/zone.ts";
import { serverText } from "../../dns-client/server-address.ts";
import type { TransferOptions } from "../../dns-client/transfer-zone.ts";
import { unreadForLedger } from "./ledger.ts";
import { type Transfer, type TransferRequest, transferZones } from "./transfer-zones.ts";
import type { Acquired, ImportSource, NotAcquired } from "./zones.ts";

/** Zones that are transferred from name servers. */
export function axfrSource(
  { isFromService = false, ...request }: Omit<TransferRequest, "signal"> & Pick<ImportSource, "isFromService">,
  transfer?: (options: TransferOptions) => Promise<AxfrZone>,
): ImportSource {
  const { zones, servers } = request;
  return {
    request: JSON.stringify(["axfr", zones.map(nameKey).sort(), servers.map(serverText)]),
    zones,
    isRepeatable: false,
    isFromService,
    acquire: async function* (zones: readonly Name[], signal: AbortSignal) {
      for await (const one of transferZones({ ...request, zones, signal }, transfer)) yield acquireTransfer(one);
    },
  };
}

function acquireTransfer(transfer: Transfer): Acquired | NotAcquired {
  const { name } = transfer;
  if ("problems" in transfer) return { name, from: undefined, problems: transfer.problems };
  const { zone, ds, evidence, notes } = transfer;
  const { unread } = zone;
  const records = withAliases(zone.records);
  const from = serverText(transfer.server);
  const serial = records.find((record) => isType(record, "SOA"))?.data.serial ?? 0;
  return {
    name,
    from,
    head: `Transferred from ${from}, serial ${serial}`,
    settings: {},
    records,
    unread: unread.map(unreadForLedger),
    ds,
    evidence,
    problems: notes,
  };
}
