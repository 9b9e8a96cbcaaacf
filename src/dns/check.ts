import type { Problem } from "../diagnostics/problem.ts";
import { indexZone, type Rule, toProblem } from "./lookup/rule.ts";
import { asName, nameKey } from "./name/name.ts";
import { assignedNumber } from "./rules/assigned-number.ts";
import { belowDelegation } from "./rules/below-delegation.ts";
import { belowDname } from "./rules/below-dname.ts";
import { bimiSyntax } from "./rules/bimi-syntax.ts";
import { caaSyntax } from "./rules/caa-syntax.ts";
import { cnameAlone } from "./rules/cname-alone.ts";
import { cnameAtApex } from "./rules/cname-at-apex.ts";
import { cnameChain } from "./rules/cname-chain.ts";
import { cnameLoop } from "./rules/cname-loop.ts";
import { digestLength } from "./rules/digest-length.ts";
import { dkimIgnored } from "./rules/dkim-ignored.ts";
import { dkimSyntax } from "./rules/dkim-syntax.ts";
import { dmarcIgnored } from "./rules/dmarc-ignored.ts";
import { dmarcSyntax } from "./rules/dmarc-syntax.ts";
import { documentationAddress } from "./rules/documentation-address.ts";
import { dsAtApex } from "./rules/ds-at-apex.ts";
import { dsWithoutNs } from "./rules/ds-without-ns.ts";
import { duplicateRecord } from "./rules/duplicate-record.ts";
import { glue } from "./rules/glue.ts";
import { hashOwner } from "./rules/hash-owner.ts";
import { hostHyphen } from "./rules/host-hyphen.ts";
import { hostedTarget } from "./rules/hosted-target.ts";
import { mtaStsHost } from "./rules/mta-sts-host.ts";
import { mtaStsSyntax } from "./rules/mta-sts-syntax.ts";
import { mxWithoutAddress } from "./rules/mx-without-address.ts";
import { naptrSyntax } from "./rules/naptr-syntax.ts";
import { nullMxAlone } from "./rules/null-mx-alone.ts";
import { nullMxPreference } from "./rules/null-mx-preference.ts";
import { nullSrvAlone } from "./rules/null-srv-alone.ts";
import { ownerOfOtherDomain } from "./rules/owner-of-other-domain.ts";
import { ownerSpelling } from "./rules/owner-spelling.ts";
import { policyUnread } from "./rules/policy-unread.ts";
import { privateAddress } from "./rules/private-address.ts";
import { ptrIsAddress } from "./rules/ptr-is-address.ts";
import { reverseOwner } from "./rules/reverse-owner.ts";
import { singleDname } from "./rules/single-dname.ts";
import { singleNameServer } from "./rules/single-name-server.ts";
import { singlePolicy } from "./rules/single-policy.ts";
import { soaTimes } from "./rules/soa-times.ts";
import { spfIgnored } from "./rules/spf-ignored.ts";
import { spfInclude } from "./rules/spf-include.ts";
import { spfLookups } from "./rules/spf-lookups.ts";
import { spfOpen } from "./rules/spf-open.ts";
import { spfSyntax } from "./rules/spf-syntax.ts";
import { spfVoidLookup } from "./rules/spf-void-lookup.ts";
import { srvLabels } from "./rules/srv-labels.ts";
import { srvPort } from "./rules/srv-port.ts";
import { svcbAlias } from "./rules/svcb-alias.ts";
import { targetExists } from "./rules/target-exists.ts";
import { targetIsAddress } from "./rules/target-is-address.ts";
import { targetIsCname } from "./rules/target-is-cname.ts";
import { targetNeedsDot } from "./rules/target-needs-dot.ts";
import { targetOneLabel } from "./rules/target-one-label.ts";
import { targetWithoutAddress } from "./rules/target-without-address.ts";
import { textQuoting } from "./rules/text-quoting.ts";
import { textTypography } from "./rules/text-typography.ts";
import { textUnquoted } from "./rules/text-unquoted.ts";
import { tlsaOwner } from "./rules/tlsa-owner.ts";
import { tlsrptSyntax } from "./rules/tlsrpt-syntax.ts";
import { underscoreHost } from "./rules/underscore-host.ts";
import { uriSyntax } from "./rules/uri-syntax.ts";
import { wildcardNs } from "./rules/wildcard-ns.ts";
import { zoneNameTwice } from "./rules/zone-name-twice.ts";
import type { Zone } from "./zone/zone.ts";

/** Every rule about zones. A new rule is one file and one line here. */
export const rules: readonly Rule[] = [
  assignedNumber,
  belowDelegation,
  belowDname,
  bimiSyntax,
  caaSyntax,
  cnameAlone,
  cnameAtApex,
  cnameChain,
  cnameLoop,
  digestLength,
  dkimIgnored,
  dkimSyntax,
  dmarcIgnored,
  dmarcSyntax,
  documentationAddress,
  dsAtApex,
  dsWithoutNs,
  duplicateRecord,
  glue,
  hashOwner,
  hostHyphen,
  hostedTarget,
  mtaStsHost,
  mtaStsSyntax,
  mxWithoutAddress,
  naptrSyntax,
  nullMxAlone,
  nullMxPreference,
  nullSrvAlone,
  ownerOfOtherDomain,
  ownerSpelling,
  policyUnread,
  privateAddress,
  ptrIsAddress,
  reverseOwner,
  singleDname,
  singleNameServer,
  singlePolicy,
  soaTimes,
  spfIgnored,
  spfInclude,
  spfLookups,
  spfOpen,
  spfSyntax,
  spfVoidLookup,
  srvLabels,
  srvPort,
  svcbAlias,
  targetExists,
  targetIsAddress,
  targetIsCname,
  targetNeedsDot,
  targetOneLabel,
  targetWithoutAddress,
  textQuoting,
  textTypography,
  textUnquoted,
  tlsaOwner,
  tlsrptSyntax,
  underscoreHost,
  uriSyntax,
  wildcardNs,
  zoneNameTwice,
];

const ofPolicies: ReadonlySet<string> = new Set(
  [
    bimiSyntax,
    dkimIgnored,
    dkimSyntax,
    dmarcIgnored,
    dmarcSyntax,
    mtaStsSyntax,
    policyUnread,
    spfIgnored,
    spfSyntax,
    textTypography,
    tlsrptSyntax,
  ].map(({ id }) => id),
);

/** Checks a zone against the rules of DNS and of good practice. */
export function checkZone(zone: Zone): Problem[] {
  const indexed = indexZone(zone);
  const found: Problem[] = [];
  for (const { id, types, check } of rules)
    if (types === undefined || indexed.hasAny(types))
      for (const finding of check(indexed)) found.push(toProblem(id, finding));
  // A text that was truncated because it has no quotes is invalid only for that reason.
  const cut = new Set(zone.slips?.filter(({ rule }) => rule === "text-unquoted").map(({ owner }) => nameKey(owner)));
  return found.filter(
    ({ id, owner }) => !(ofPolicies.has(id) && owner !== undefined && cut.has(nameKey(asName(owner)))),
  );
}
