import type { ApiErrorEntry } from "../../../contract/errors.ts";
import { adviceText } from "../../../diagnostics/advice.ts";
import type { ProblemId } from "../../../diagnostics/registry.ts";
import { TransferError } from "../../../dns/transfer/transfer-error.ts";
import type { Context, Handler } from "../../entities/context.ts";
import { copyTags, domainEntity } from "../../entities/entities.ts";
import { addEvent } from "../../entities/events.ts";
import { errorEntry, Refusal, refuseIfAny, tooManyRequests } from "../../kit/api-error.ts";
import type { Database, DomainRow } from "../../store/tables.ts";
import { copyRecords, insertRecordRows, sumLongTargets } from "../zones/records-rows.ts";
import { raiseSerial } from "../zones/serial.ts";
import { domainColumnsOf, domainNameErrors, longTarget, tooManyRecords, tooMuchText } from "./domain-rules.ts";
import { insertDomainRow, lockDomainPlace } from "./domains-rows.ts";
import { readImportedZone, type ZoneToStore } from "./imported-zone.ts";
import {
  completeDomain,
  findDomain,
  newDomainColumns,
  readDomainReply,
  requireAddDomains,
  toStoredName,
} from "./lookups.ts";
import { nameserverErrors, readNameserver } from "./nameserver.ts";
import { lengthErrors, placeErrors } from "./place.ts";
import { longSetErrors } from "./set-octets.ts";

export const cloneDomain: Handler<"cloneDomain"> = ({ domainId, body: { domain } }, context) =>
  context.store.write(async (db) => {
    requireAddDomains(context);
    const found = await findDomain(db, domainId, context);
    const { id, ...original } = found;
    await lockDomainPlace(db, domain);
    refuseIfAny([
      ...domainNameErrors(domain),
      ...(await placeErrors(db, domain, context)),
      ...(await lengthErrors(db, domain, id)),
      ...(await sizeErrors(db, found, context)),
    ]);
    const clone = { ...original, domain, domain_key: domain.toLowerCase(), ...newDomainColumns(context) };
    const row = await insertDomainRow(db, clone);
    await copyRecords(db, id, row.id, row.created);
    await addEvent(db, context, "dns_zone_create", {
      entity: domainEntity(row),
      message: `clone of ${original.domain}`,
    });
    await completeDomain(db, row, [], context);
    await copyTags(db, "domain", { from: id, to: row.id }, context);
    return readDomainReply(db, row, context);
  });

/** Errors of records that could not be added to a domain one by one: the limits may have changed since they were. */
async function sizeErrors(db: Database, domain: DomainRow, context: Context): Promise<ApiErrorEntry[]> {
  const { mostRecords, textRoom, records } = context;
  const isOverTextRoom = (await sumLongTargets(db, domain.id, longTarget)) > textRoom;
  return [
    ...(domain.records > mostRecords ? [errorEntry("domain", tooManyRecords(mostRecords))] : []),
    ...(isOverTextRoom ? [errorEntry("domain", tooMuchText(textRoom))] : []),
    ...(records === "open" ? await longSetErrors(db, domain) : []),
  ];
}

/**
 * Transfers a zone and stores it as a master domain, completely or not at all. No transaction is open while the name
 * server is asked, and it is asked only for a valid request, so a dry run never asks it.
 */
export const importDomain: Handler<"importDomain"> = async ({ body }, context) => {
  const { domain, remote_nameserver } = body;
  const { store } = context;
  requireAddDomains(context);
  const taken = await store.read((db) => placeErrors(db, domain, context));
  refuseIfAny([...domainNameErrors(domain), ...taken, ...nameserverErrors(remote_nameserver)]);
  const { fields, serial, records: imported, differences } = await transferZone(domain, remote_nameserver, context);
  return store.write(async (db) => {
    await lockDomainPlace(db, domain);
    refuseIfAny(await placeErrors(db, domain, context));
    const row = await insertDomainRow(db, { ...domainColumnsOf(fields), ...newDomainColumns(context) });
    await insertRecordRows(
      db,
      imported.map((record) => ({
        domain_id: row.id,
        ...record,
        name_key: record.name.toLowerCase(),
        created: row.created,
        updated: row.created,
      })),
    );
    await raiseSerial(db, row.domain_key, serial);
    await completeDomain(db, row, [], context);
    const message = [`${imported.length} records from ${remote_nameserver}`, ...differences].join("; ");
    await addEvent(db, context, "dns_zone_import", { entity: domainEntity(row), message });
    return readDomainReply(db, row, context);
  });
};

async function transferZone(domain: string, nameserver: string, context: Context): Promise<ZoneToStore> {
  const server = readNameserver(nameserver);
  const { remote, imports, caller, signal } = context;
  if (server === undefined || remote === undefined)
    throw failure(["Zone transfers are not configured on this server."], context);
  const account = String(caller.accountId);
  if (!imports.hasRoom(account)) throw tooManyRequests();
  const transfer = () => remote.transfer(toStoredName(domain), server, signal);
  const zone = await imports.run(account, transfer).catch((error: unknown) => {
    if (!(error instanceof TransferError)) throw error;
    throw failure([`The zone transfer failed: ${reasonOf(error)}`], context);
  });
  const imported = await readImportedZone(domain, zone, context);
  const { problems } = imported;
  if (problems.length === 0) return imported;
  const reasons = problems.slice(0, mostReasons).map((reason) => `The zone cannot be imported: ${reason}`);
  const others = problems.length - reasons.length;
  throw failure(others > 0 ? [...reasons, `${others} more reasons are not shown.`] : reasons, context);
}

/** Failures that would tell a caller about the operator's network; they share one text. */
const unreachable: readonly ProblemId[] = ["transfer/connect", "transfer/address"];

/** Advice for a caller, who has neither the limits nor the keys of this service. */
const advice: { readonly [Id in ProblemId]?: string } = {
  "transfer/notauth":
    "Use a server that is authoritative for the zone; the operator of this service may have to set a key for it.",
  "transfer/refused":
    "Allow this service to transfer the zone on the server; the operator of this service may have to set a key for it.",
  "transfer/too-large": "This service imports no larger zone.",
  "transfer/tsig": "The operator of this service has to compare its key and clock with those of the server.",
};

function reasonOf({ problem: { id, summary, fix } }: TransferError): string {
  if (unreachable.includes(id))
    return (
      "the name server cannot be reached. Check its name and address, and that it answers on port 53 over TCP; " +
      "the operator of this service may have to allow its network or port."
    );
  const action = advice[id] ?? fix;
  return action === undefined ? `${summary}.` : `${summary}. ${adviceText(action, "cli")}`;
}

/** Limit on the reasons in one reply. */
const mostReasons = 20;

/** In profile live, the live service's reason with its spelling. */
function failure(reasons: readonly string[], { profile }: Context): Refusal {
  const errors: ApiErrorEntry[] =
    profile === "live"
      ? [{ reason: "An unknown error occured. Please open a ticket for further assistance." }]
      : reasons.map((reason) => errorEntry("remote_nameserver", reason));
  return new Refusal(400, errors);
}
