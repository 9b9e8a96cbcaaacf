import { count } from "../../diagnostics/quantities.ts";
import type { Comparison, ZoneComparison } from "../../workflow/compare/compare.ts";
import { codeSpan, prose, tableRow } from "../format/markdown.ts";
import {
  answerText,
  contentText,
  cutOverRows,
  cutOverSentences,
  groupUnanswered,
  ownerText,
  zoneText,
} from "./words.ts";

const words = { "only-a": "only in A", "only-b": "only in B", ttl: "TTL", rdata: "RDATA" } as const;
const verdicts = { equal: "equal", differs: "different", unanswered: "incomplete" } as const;

/** A table for a review: a row for each zone and each difference, then the times of the cut-over. */
export function compareMarkdown({ a, b, zones }: Comparison): string {
  const head = "| zone | difference | name | A | B |\n|---|---|---|---|---|\n";
  const times = zones.filter(({ cutOver }) => cutOver);
  return [
    `A: ${codeSpan(a)}, B: ${codeSpan(b)}\n\n`,
    head,
    ...zones.flatMap(zoneRows),
    ...times.map(cutOverText),
    `\n${count(zones.length, "zone")} compared\n`,
  ].join("");
}

function zoneRows({ zone, verdict, missing, silent, notTransferred, records, answers }: ZoneComparison): string[] {
  const noteRow = (what: string, { side, reason }: { readonly side: "a" | "b"; readonly reason: string }) =>
    tableRow(["", what, "", side === "a" ? prose(reason) : "", side === "b" ? prose(reason) : ""]);
  return [
    tableRow([
      codeSpan(zoneText(zone)),
      verdicts[verdict],
      answers ? count(answers.questions, "question") : "",
      "",
      "",
    ]),
    ...missing.map((note) => noteRow("no such zone", note)),
    ...silent.map((note) => noteRow("no answer", note)),
    ...notTransferred.map((note) => noteRow("records not compared", note)),
    ...(records ?? []).map(({ owner, type, kind, a, b, isExpected }) =>
      tableRow([
        "",
        isExpected ? "expected" : words[kind],
        codeSpan(`${ownerText(owner, zone)} ${type}`),
        codeSpan(contentText(a)),
        codeSpan(contentText(b)),
      ]),
    ),
    ...(answers?.differences ?? [])
      .filter(({ isExpected, isFromRecords }) => !isExpected && !isFromRecords)
      .map(({ name, type, reason, parts, a, b }) =>
        tableRow([
          "",
          `answer${reason === "record" ? "" : ` (${reason})`}`,
          codeSpan(`${ownerText(name, zone)} ${type}`),
          codeSpan(answerText(a, name, parts)),
          codeSpan(answerText(b, name, parts)),
        ]),
      ),
    ...groupUnanswered(answers?.unanswered ?? []).map(({ first, count: number }) =>
      noteRow(`no answer to ${count(number, "question")}`, first),
    ),
  ];
}

function cutOverText(comparison: ZoneComparison): string {
  const rows = cutOverRows(comparison).map((row) => tableRow(row.map(prose)));
  const sentences = cutOverSentences(comparison).map((sentence) => `${prose(sentence)}\n`);
  const head = `\n${codeSpan(zoneText(comparison.zone))}: resolvers keep\n\n| what | how long |\n|---|---|\n`;
  return `${head}${rows.join("")}\n${sentences.join("\n")}`;
}
