import type { ApiErrorEntry } from "../../contract/errors.ts";
import type { ProblemId } from "../../diagnostics/registry.ts";
import { asName } from "../../dns/name.ts";
import { TransferError } from "../../dns/transfer/transfer-error.ts";
import { ApiError, errorEntry, refuse } from "../kit/api-error.ts";
import type { Context, Handler } from "../kit/context.ts";
import { begin, beginning, mayAddDomain } from "../kit/domains.ts";
import { note } from "../kit/events.ts";
import { goOnBehind } from "../kit/serial.ts";
import { columnsOf, replyOf } from "../resources/domain-row.ts";
import { domainNameProblems } from "../rules/domain.ts";
import { type ImportedZone, readImportedZone } from "../rules/imported-zone.ts";
import { nameserverProblems, readNameserver } from "../rules/nameserver.ts";
import { placeProblems } from "../rules/place.ts";
import * as domains from "../store/domains.ts";
import * as records from "../store/records.ts";
import { tagsOf } from "../store/tags.ts";

/**
 * Transfers a zone and stores it as a master domain, whole or not at all. No transaction is open while a name server
 * somewhere takes its time, and none is asked before the request is known to be right: `rehearse` comes no further either.
 */
export const importDomain: Handler<"importDomain"> = async ({ body }, context) => {
  const { domain, remote_nameserver } = body;
  const { store, profile } = context;
  mayAddDomain(context);
  const taken = await store.read((db) => placeProblems(db, domain, context));
  refuse([...domainNameProblems(domain), ...taken, ...nameserverProblems(remote_nameserver)]);
  const { fields, serial, records: imported, remarks } = await transferred(domain, remote_nameserver, context);
  return store.write(async (db) => {
    await domains.lockPlace(db, domain);
    refuse(await placeProblems(db, domain, context));
    const row = await domains.insert(db, { ...columnsOf(fields), ...beginning(context) });
    await records.insertAll(
      db,
      imported.map((record) => ({
        domain_id: row.id,
        ...record,
        name_key: record.name.toLowerCase(),
        created: row.created,
        updated: row.created,
      })),
    );
    await goOnBehind(db, row.domain_key, serial);
    await begin(db, row, [], context);
    const message = [`${imported.length} records from ${remote_nameserver}`, ...remarks].join("; ");
    await note(db, context, "dns_zone_import", row, message);
    return replyOf(row, (await tagsOf(db, [row.id])).get(row.id) ?? [], profile);
  });
};

async function transferred(domain: string, nameserver: string, context: Context): Promise<ImportedZone> {
  const server = readNameserver(nameserver);
  const { remote } = context;
  if (server === undefined || remote === undefined)
    throw failure(["Zone transfers are not configured on this server."], context);
  const zone = await remote.transfer(asName(`${domain}.`), server).catch((error: unknown) => {
    if (!(error instanceof TransferError)) throw error;
    throw failure([`The zone is not transferred: ${reasonOf(error)}`], context);
  });
  const imported = await readImportedZone(domain, zone, context);
  const { problems } = imported;
  if (problems.length === 0) return imported;
  const reasons = problems.slice(0, mostReasons).map((reason) => `The zone cannot be imported: ${reason}`);
  const others = problems.length - reasons.length;
  throw failure(others > 0 ? [...reasons, `There are ${others} more reasons.`] : reasons, context);
}

/** Failures that would tell a caller about the operator's network: they get one text. */
const unreachable: readonly ProblemId[] = ["transfer/connect", "transfer/address", "transfer/timeout"];

function reasonOf({ problem: { id, summary, fix } }: TransferError): string {
  if (unreachable.includes(id))
    return (
      "the name server cannot be reached. Check its name and address, and that it answers on port 53 by TCP; " +
      "the operator of this service may have to allow its network or port."
    );
  return fix === undefined ? `${summary}.` : `${summary}. ${fix}`;
}

/** How many reasons one reply gives. */
const mostReasons = 20;

/** The reason of profile live is the live service's, spelled as it is there. */
function failure(reasons: readonly string[], { profile }: Context): ApiError {
  const said: ApiErrorEntry[] =
    profile === "live"
      ? [{ reason: "An unknown error occured. Please open a ticket for further assistance." }]
      : reasons.map((reason) => errorEntry("remote_nameserver", reason));
  return new ApiError(400, said);
}
