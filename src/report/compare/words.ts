import { inWordsOf } from "../../diagnostics/advice.ts";
import { durationInWords } from "../../diagnostics/quantities.ts";
import { isSameName, type Name, nameKey, relativeTo, shownName, withoutDot } from "../../dns/name/name.ts";
import type { Answer, AnswerSet } from "../../dns/transfer/compare-answers.ts";
import type { RrsetDifference } from "../../dns/transfer/compare-records.ts";
import type { ZoneComparison } from "../../workflow/compare/compare.ts";
import type { CutOver } from "../../workflow/compare/cut-over.ts";
import type { AnswerDifference, Unanswered } from "../../workflow/compare/replies.ts";

/** `300 s (5 minutes)` */
export function secondsText(seconds: number): string {
  return seconds === 1 ? "1 s" : `${seconds} s${seconds < 60 ? "" : ` (${durationInWords(seconds)})`}`;
}

/** An owner name as zone files write it, with UTF-8 as characters. */
export function ownerText(owner: Name, zone: Name): string {
  return shownName(relativeTo(owner, nameKey(zone)));
}

/** A zone without its final dot. */
export function zoneText(zone: Name): string {
  return shownName(withoutDot(zone));
}

/** The records of a side: `300 192.0.2.1, 192.0.2.2`; empty without any. */
export function contentText(content: RrsetDifference["a"]): string {
  return content === undefined ? "" : `${content.ttl} ${content.rdata.join(", ")}`;
}

/** An answer as one line: `300 A 192.0.2.1`, `NXDOMAIN`, `NODATA`, `referral to ns.example.net.` */
export function answerText(answer: Answer, question: Name, parts: AnswerDifference["parts"]): string {
  const { rcode, sets, referral, isAuthoritative } = answer;
  const setText = ({ owner, ttl, type, rdata }: AnswerSet) =>
    `${isSameName(owner, question) ? "" : `${shownName(owner)} `}${ttl} ${type} ${rdata.join(", ")}`;
  const words = [
    ...(parts.includes("authority") && !isAuthoritative && referral === undefined ? ["not authoritative"] : []),
    ...(rcode === "NOERROR" ? [] : [rcode]),
    ...sets.map(setText),
    ...(referral ? [`referral to ${referral.rdata.join(", ")}, TTL ${referral.ttl}`] : []),
  ];
  return words.length > 0 && !(words.length === 1 && words[0] === "not authoritative")
    ? words.join("; ")
    : [...words, "NODATA"].join("; ");
}

/** The unanswered questions of each side by reason. */
export function groupUnanswered(unanswered: readonly Unanswered[]): { first: Unanswered; count: number }[] {
  const groups = new Map<string, { first: Unanswered; count: number }>();
  for (const first of unanswered) {
    const key = `${first.side} ${first.reason}`;
    const group = groups.get(key);
    if (group) group.count++;
    else groups.set(key, { first, count: 1 });
  }
  return [...groups.values()];
}

/** Sentences about when the delegation can be changed, and the old name server switched off. */
export function cutOverSentences({ cutOver, verdict }: ZoneComparison): string[] {
  if (!cutOver) return [];
  const { canChange, waitSeconds, offAt, isAtLeast } = cutOver;
  const signed = signedSentences(cutOver);
  const alike = cutOver.isSigned ? "apart from the keys, both sides answer alike" : "both sides answer alike";
  const change = canChange
    ? `${signed.length > 0 ? "Then the delegation can be changed" : "The delegation can be changed now"}: ${alike}.`
    : verdict === "unanswered"
      ? "Do not change the delegation yet: not every record or answer was compared, so the sides may differ."
      : "Do not change the delegation yet: fix the differences above first.";
  if (waitSeconds === undefined || offAt === undefined) return [...signed, change];
  const wait = secondsText(waitSeconds);
  const off = isAtLeast
    ? inWordsOf(
        "cli",
      )`Keep the old name servers for at least ${wait} after the change, longer if the NS set at the parent has a longer TTL; ${{ set: "parent" }} asks for it.`
    : `Keep the old name servers for ${wait} after the change.`;
  const until = isAtLeast ? `that is until ${offAt} at least` : `they can be switched off at ${offAt}`;
  const end = canChange && signed.length === 0 ? [`If the delegation changes now, ${until}.`] : [];
  return [...signed, change, [off, ...end].join(" ")];
}

/** RFC 6781 §4.3.5 */
function signedSentences({ isSigned, parent }: CutOver): string[] {
  const dsTtl = parent && "dsTtl" in parent ? parent.dsTtl : undefined;
  const isUnsignedAtParent = parent !== undefined && !("failure" in parent) && dsTtl === undefined;
  if (!isSigned || isUnsignedAtParent) return [];
  const wait = dsTtl === undefined ? "until their TTL has passed" : `${secondsText(dsTtl)}, their TTL`;
  const where = dsTtl === undefined ? "If the parent has DS records for the zone, remove" : "Remove";
  const why = "The old zone is signed, and the new one does not have its keys.";
  return [`${why} ${where} the DS records at the parent and wait ${wait}, before the delegation changes.`];
}

/** The TTLs that decide about the cut-over, as rows of a name and a time. */
export function cutOverRows({ zone, cutOver }: ZoneComparison): [what: string, time: string][] {
  if (!cutOver) return [];
  const { negativeTtl, nsTtl, parent, longest, oldAnswers } = cutOver;
  const parentText =
    parent === undefined
      ? "not asked"
      : "failure" in parent
        ? `unknown: ${parent.failure}`
        : parent.nsTtl === undefined
          ? "no delegation"
          : secondsText(parent.nsTtl);
  const optional = (what: string, ttl: number | undefined): [string, string][] =>
    ttl === undefined ? [] : [[what, secondsText(ttl)]];
  return [
    ...oldAnswers.map(({ owner, type, ttl, isNegative }): [string, string] => [
      `old answer for ${ownerText(owner, zone)} ${type}`,
      `${secondsText(ttl)}${isNegative ? ", that there is none" : ""}`,
    ]),
    ...optional("absent names and records", negativeTtl),
    ["NS set at the parent", parentText],
    ...optional("NS set in the old zone", nsTtl),
    ...optional(longest ? `longest TTL, ${ownerText(longest.owner, zone)} ${longest.type}` : "", longest?.ttl),
  ];
}
