import { aliasToTheOutside } from "../guards/alias-to-the-outside.ts";
import { apexAddressFamily } from "../guards/apex-address-family.ts";
import { caa } from "../guards/caa.ts";
import { delegation } from "../guards/delegation.ts";
import { dkimKey } from "../guards/dkim-key.ts";
import { dmarcReports } from "../guards/dmarc-reports.ts";
import { domain } from "../guards/domain.ts";
import { freedAddress } from "../guards/freed-address.ts";
import { glue } from "../guards/glue.ts";
import { hiddenNames } from "../guards/hidden-names.ts";
import { highTtl } from "../guards/high-ttl.ts";
import { hostedService } from "../guards/hosted-service.ts";
import { lastRecords } from "../guards/last-records.ts";
import { mail } from "../guards/mail.ts";
import { mailRefused } from "../guards/mail-refused.ts";
import { mailTransportSecurity } from "../guards/mail-transport-security.ts";
import { manyChanges, runChanges } from "../guards/many-changes.ts";
import { manyCreates } from "../guards/many-creates.ts";
import { manyDeletions, runDeletions } from "../guards/many-deletions.ts";
import { manySwaps } from "../guards/many-swaps.ts";
import { mxPrecedence } from "../guards/mx-precedence.ts";
import { proofOfOwnership } from "../guards/proof-of-ownership.ts";
import { soaExpire } from "../guards/soa-expire.ts";
import { specialPurposeAddress } from "../guards/special-purpose-address.ts";
import { stillReferenced } from "../guards/still-referenced.ts";
import { targetWithoutAddress } from "../guards/target-without-address.ts";
import { unprovedOrder } from "../guards/unproved-order.ts";
import { wildcardAddedOrRemoved } from "../guards/wildcard-added-or-removed.ts";
import { wildcardChanged } from "../guards/wildcard-changed.ts";
import { wildcardNoLongerAnswers } from "../guards/wildcard-no-longer-answers.ts";
import { zoneTransfers } from "../guards/zone-transfers.ts";
import type { Guard } from "../risk/guard.ts";

/** The guards: changes that are blocked until someone approves them. No setting switches all of them off. */
export const guards: readonly Guard[] = [
  manyDeletions,
  runDeletions,
  lastRecords,
  delegation,
  mail,
  domain,
  stillReferenced,
  wildcardAddedOrRemoved,
  unprovedOrder,
  hiddenNames,
  specialPurposeAddress,
  manyChanges,
  runChanges,
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
  targetWithoutAddress,
  soaExpire,
  glue,
  dmarcReports,
  aliasToTheOutside,
  manyCreates,
  manySwaps,
];
