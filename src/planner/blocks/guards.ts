import { aliasToTheOutside } from "../guards/alias-to-the-outside.ts";
import { aliasWithoutAnswer } from "../guards/alias-without-answer.ts";
import { apexAddressFamily } from "../guards/apex-address-family.ts";
import { caa } from "../guards/caa.ts";
import { delegation } from "../guards/delegation.ts";
import { dkimKey } from "../guards/dkim-key.ts";
import { dmarcReports } from "../guards/dmarc-reports.ts";
import { domainGuard } from "../guards/domain.ts";
import { freedAddress } from "../guards/freed-address.ts";
import { glueGuard } from "../guards/glue.ts";
import { hiddenNames } from "../guards/hidden-names.ts";
import { highTtl } from "../guards/high-ttl.ts";
import { hostedService } from "../guards/hosted-service.ts";
import { lastRecords } from "../guards/last-records.ts";
import { mail } from "../guards/mail.ts";
import { mailRefused } from "../guards/mail-refused.ts";
import { mailTransportSecurity } from "../guards/mail-transport-security.ts";
import { manyChanges } from "../guards/many-changes.ts";
import { manyCreates } from "../guards/many-creates.ts";
import { manyDeletions } from "../guards/many-deletions.ts";
import { manySwaps } from "../guards/many-swaps.ts";
import { mxPrecedence } from "../guards/mx-precedence.ts";
import { nameServersInUse } from "../guards/name-servers-in-use.ts";
import { proofOfOwnership } from "../guards/proof-of-ownership.ts";
import { soaExpire } from "../guards/soa-expire.ts";
import { specialPurposeAddress } from "../guards/special-purpose-address.ts";
import { stillReferenced } from "../guards/still-referenced.ts";
import { targetWithoutAddressGuard } from "../guards/target-without-address.ts";
import { unprovedOrder } from "../guards/unproved-order.ts";
import { wildcardAddedOrRemoved } from "../guards/wildcard-added-or-removed.ts";
import { wildcardChanged } from "../guards/wildcard-changed.ts";
import { wildcardNoLongerAnswers } from "../guards/wildcard-no-longer-answers.ts";
import { zoneTransfers } from "../guards/zone-transfers.ts";
import type { Guard } from "../risk/guard.ts";

/** The guards: changes that are blocked until someone approves them. No setting switches all of them off. */
export const guards: readonly Guard[] = [
  manyDeletions,
  lastRecords,
  delegation,
  mail,
  domainGuard,
  stillReferenced,
  wildcardAddedOrRemoved,
  unprovedOrder,
  hiddenNames,
  specialPurposeAddress,
  manyChanges,
  apexAddressFamily,
  mxPrecedence,
  mailRefused,
  dkimKey,
  caa,
  mailTransportSecurity,
  highTtl,
  zoneTransfers,
  wildcardChanged,
  freedAddress,
  proofOfOwnership,
  hostedService,
  wildcardNoLongerAnswers,
  targetWithoutAddressGuard,
  soaExpire,
  glueGuard,
  dmarcReports,
  aliasToTheOutside,
  manyCreates,
  manySwaps,
  nameServersInUse,
  aliasWithoutAnswer,
];

/** Former ids, and the guards whose checks of the run as a whole they mean. */
const formerGuards: ReadonlyMap<string, Guard> = new Map(
  guards.flatMap((one) => (one.formerIdOfRun === undefined ? [] : [[one.formerIdOfRun, one]])),
);

export const guardIds: readonly string[] = guards.map(({ guard }) => guard);

/** The guard of an id, which may be a former one. */
export function findGuard(id: string): Guard | undefined {
  return guards.find(({ guard }) => guard === id) ?? formerGuards.get(id);
}

/** Whether the id in an approval means the guard of a block; a former one means its block of the run as a whole. */
export function isBlockOf(id: string, { guard, zone }: { readonly guard: string; readonly zone: string }): boolean {
  return id === guard || (zone === "*" && formerGuards.get(id)?.guard === guard);
}
