import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { findingTexts, guardText, type JudgedBlock, remedy } from "../../planner/blocks/acks.ts";
import type { PlanReport } from "../../workflow/plan/plan-report.ts";
import { junitText, type TestCase } from "../format/junit.ts";
import { repositoryPath } from "../format/repository-path.ts";
import { nameText } from "../text/name-text.ts";
import { palette } from "../text/palette.ts";
import { changeText } from "./change-text.ts";
import { changesOf, type ZoneChanges } from "./changes.ts";
import { approvalText } from "./guards.ts";
import { skippedCases } from "./skipped.ts";

const symbols = palette({ color: false, unicode: true });

/**
 * A plan as JUnit XML: a test suite for each zone with changes, and one for the rest. The changes of a zone are a test
 * case that passes and lists them; each guard is one that fails while its approval is missing.
 */
export function planJunit(report: PlanReport, folder?: string, door: Door = "cli"): string {
  const { plan, ackUntil, notes } = report;
  const { zones, otherBlocks } = changesOf(report, symbols);
  const rest = "(all zones)";
  const inSync: TestCase = { className: rest, name: "zones in sync", output: count(plan.inSync, "zone") };
  const ofNotes: TestCase = {
    className: rest,
    name: "notes",
    output: notes.map((note) => `${note.severity}[${note.id}] ${escapeControl(summaryText(note, door))}`).join("\n"),
  };
  return junitText([
    ...zones.map((zone) => ({ name: nameText(zone.name), cases: zoneCases(zone, ackUntil, { folder, door }) })),
    {
      name: rest,
      cases: [
        inSync,
        ...skippedCases(report),
        ...otherBlocks.map((block) => blockCase(block, rest, { until: ackUntil, door })),
        ...(notes.length > 0 ? [ofNotes] : []),
      ],
    },
  ]);
}

function zoneCases(
  { name, lines, blocks }: ZoneChanges,
  until: string,
  { folder, door }: { readonly folder: string | undefined; readonly door: Door },
): TestCase[] {
  const zone = nameText(name);
  const file = lines.find(({ cause }) => cause)?.cause?.file;
  const changes: TestCase = {
    className: zone,
    name: "changes",
    ...(file !== undefined && { file: repositoryPath(file, folder) }),
    output: lines.map((line) => changeText(line, name)).join("\n"),
  };
  return [changes, ...blocks.map((block) => blockCase(block, zone, { until, door }))];
}

function blockCase(
  block: JudgedBlock,
  className: string,
  { until, door }: { readonly until: string; readonly door: Door },
): TestCase {
  const name = guardText(block);
  const texts = findingTexts(block);
  const reasons = texts.map((text) => `- ${text}`);
  if (block.state === "blocked") {
    const message = `blocked by ${name}: ${texts[0]}${texts.length > 1 ? `; and ${texts.length - 1} more` : ""}`;
    return {
      className,
      name,
      failure: { message, text: [...reasons, inWordsOf(door)`to approve: ${remedy(block, until)}`].join("\n") },
    };
  }
  const approval = `${approvalText(block, door)}${block.reason === undefined ? "" : `: ${escapeControl(block.reason)}`}`;
  return { className, name, output: [approval, ...reasons].join("\n") };
}
