import { type Door, inWordsOf } from "../../diagnostics/advice.ts";
import { escapeControl } from "../../diagnostics/escape.ts";
import { type Problem, summaryText } from "../../diagnostics/problem.ts";
import { count } from "../../diagnostics/quantities.ts";
import { findingTexts, guardText, type JudgedBlock, remedy } from "../../planner/blocks/acks.ts";
import { junitText, type TestCase, type TestSuite } from "../format/junit.ts";
import { repositoryPath } from "../format/repository-path.ts";
import { nameText } from "../text/name-text.ts";
import { failedOf, sectionsOf } from "../text/on-targets.ts";
import { palette } from "../text/palette.ts";
import { changeText } from "./change-text.ts";
import { changesOf, type ZoneChanges } from "./changes.ts";
import { approvalText } from "./guards.ts";
import type { Planned, PlanSection } from "./sections.ts";
import { skippedCases } from "./skipped.ts";

const symbols = palette({ color: false, unicode: true });

/**
 * A plan as JUnit XML: a test suite for each zone with changes, and one for the rest. The changes of a zone are a test
 * case that passes and lists them; each guard is one that fails while its approval is missing.
 */
export function planJunit(planned: Planned, folder?: string, door: Door = "cli"): string {
  return junitText([
    ...sectionsOf(planned).flatMap((section) => suitesOf(section, { folder, door })),
    ...failedOf(planned).map(({ target, problems }) => failedSuite(problems, { on: ` on ${target}`, door })),
  ]);
}

interface SuiteContext {
  readonly folder: string | undefined;
  readonly door: Door;
}

/** A target that could not be planned: a test case that fails. */
function failedSuite(problems: readonly Problem[], { on, door }: { readonly on: string; readonly door: Door }) {
  const texts = problems.map((found) => escapeControl(summaryText(found, door)));
  const className = `(all zones)${on}`;
  const failure = { message: texts[0] ?? "", text: texts.join("\n") };
  return { name: className, cases: [{ className, name: "plan", failure }] };
}

function suitesOf({ report, on }: PlanSection, { folder, door }: SuiteContext): TestSuite[] {
  const { plan, ackUntil, notes } = report;
  const { zones, otherBlocks } = changesOf(report, symbols);
  const rest = `(all zones)${on}`;
  const inSync: TestCase = { className: rest, name: "zones in sync", output: count(plan.inSync, "zone") };
  const ofNotes: TestCase = {
    className: rest,
    name: "notes",
    output: notes.map((note) => `${note.severity}[${note.id}] ${escapeControl(summaryText(note, door))}`).join("\n"),
  };
  return [
    ...zones.map((zone) => {
      const name = `${nameText(zone.name)}${on}`;
      return { name, cases: zoneCases(zone, ackUntil, { name, folder, door }) };
    }),
    {
      name: rest,
      cases: [
        inSync,
        ...skippedCases(report),
        ...otherBlocks.map((block) => blockCase(block, rest, { until: ackUntil, door })),
        ...(notes.length > 0 ? [ofNotes] : []),
      ],
    },
  ];
}

function zoneCases(
  { name, lines, blocks }: ZoneChanges,
  until: string,
  { name: zone, folder, door }: SuiteContext & { readonly name: string },
): TestCase[] {
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
