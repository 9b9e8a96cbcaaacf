import { problemError } from "../../../../diagnostics/problem.ts";
import { count } from "../../../../diagnostics/quantities.ts";
import { timestamp } from "../../../kit/timestamp.ts";
import { measuresBy, type Sample, type SampleKey, sampleKeys } from "../../billing/node-samples-rows.ts";
import { sampleTime } from "../../billing/traffic.ts";

/**
 * Reads a file of comma-separated values, whose first line names the columns: `time`, then keys of samples.
 * @throws {ProblemError} `node-samples` with the place of the first mistake
 */
export function readSamples(file: string, content: string): Sample[] {
  const lines = content.replace(/^\uFEFF/, "").split(/\r?\n/);
  const cellsOf = (line: string) => line.split(",").map((cell) => cell.trim());
  const fail = (index: number, column: number, summary: string, fix: string) => {
    const line = lines[index] ?? "";
    const start = line.split(",").slice(0, column).join(",").length + (column > 0 ? 1 : 0);
    const place = { file, line: index + 1, column: start + 1, length: line.split(",")[column]?.length ?? 0 };
    return problemError("node-samples", summary, { fix, place });
  };
  const [time, ...names] = cellsOf(lines[0] ?? "");
  const columnsFix = `Begin the file with a line such as "time,${sampleKeys.slice(0, 3).join(",")}".`;
  if (time !== "time") throw fail(0, 0, 'the first column is not called "time"', columnsFix);
  const keys = names.map((name, index): SampleKey => {
    const key = sampleKeys.find((known) => known === name);
    if (key === undefined) throw fail(0, index + 1, `unknown column "${name}"`, `Columns: ${sampleKeys.join(", ")}.`);
    if (names.indexOf(name) < index)
      throw fail(0, index + 1, `the column "${name}" is repeated`, "Remove one of them.");
    return key;
  });
  return lines.slice(1).flatMap((line, rest) => {
    const index = rest + 1;
    if (line.trim() === "") return [];
    const [at = "", ...cells] = cellsOf(line);
    const moment = readTime(at);
    if (moment === undefined)
      throw fail(index, 0, `"${at}" is not a time in UTC`, "Write a time such as 2026-03-04T12:05:00.");
    if (cells.length !== keys.length)
      throw fail(
        index,
        0,
        `the line has ${count(cells.length + 1, "column")}, and the first has ${keys.length + 1}`,
        "Give each line as many values as the first has columns.",
      );
    const wrong = cells.findIndex((cell) => !/^\d{1,15}(?:\.\d{1,6})?$/.test(cell));
    if (wrong >= 0)
      throw fail(index, wrong + 1, `"${cells[wrong]}" is not a number`, "Write a number of 0 or more, such as 12.5.");
    const slot = new Date(Math.floor(moment.getTime() / sampleTime) * sampleTime);
    return { at: timestamp(slot), ...measuresBy((key) => Number(cells[keys.indexOf(key)] ?? 0)) };
  });
}

/** A time in UTC with or without seconds and zone letter; undefined for others, such as 30 February. */
function readTime(text: string): Date | undefined {
  const [, minutes, seconds = ":00"] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?Z?$/.exec(text) ?? [];
  const moment = new Date(`${minutes}${seconds}Z`);
  const isExact = !Number.isNaN(moment.getTime()) && timestamp(moment) === `${minutes}${seconds}`;
  return isExact ? moment : undefined;
}
