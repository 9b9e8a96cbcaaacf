import type { Ratio } from "./case.ts";
import { ratioText } from "./print.ts";
import type { Result } from "./result.ts";

/** A ratio may be worse by this part before it counts: runs on a machine with other work differ by as much. */
const tolerance = 0.25;
/** The multiple of both measured spreads, added up, within which a difference is noise. */
const spreads = 3;

export interface Comparison {
  readonly lines: readonly string[];
  /** Ratios that both results have. */
  readonly compared: number;
  readonly regressions: number;
}

/**
 * Two results, ratio by ratio: those of the second that are worse than in the first by more than the threshold are
 * regressions. Times are not compared, because they depend on the machine and on what else it does.
 */
export function compareResults(before: Result, after: Result): Comparison {
  const [old, now] = [ratiosOf(before), ratiosOf(after)];
  const changes = [...now].flatMap(([key, ratio]) => {
    const earlier = old.get(key);
    return earlier === undefined ? [] : [{ key, earlier, ratio, ...judge(earlier, ratio) }];
  });
  const lines = (verdict: Verdict) =>
    changes
      .filter((change) => change.verdict === verdict)
      .map(({ key, earlier, ratio, worse, threshold }) => {
        const difference = `${(Math.abs(worse) * 100).toFixed(0)} % ${worse > 0 ? "worse" : "better"}`;
        const allowed = `threshold ${(threshold * 100).toFixed(0)} %`;
        return `${verdict}  ${key}: ${ratioText(earlier)} -> ${ratioText(ratio)} (${difference}, ${allowed})`;
      });
  const missing = [...old.keys()].filter((key) => !now.has(key));
  const regressions = changes.filter(({ verdict }) => verdict === "regression").length;
  const rest = changes.filter(({ verdict }) => verdict === "unchanged").length;
  return {
    compared: changes.length,
    regressions,
    lines: [
      ...differences(before, after),
      ...lines("regression"),
      ...lines("improvement"),
      ...missing.map((key) => `not measured  ${key}: only the old result has it`),
      `${changes.length} ratios compared: ${regressions} regressions, ${rest} within the threshold. A ratio regresses if ` +
        `it is worse by more than ${tolerance * 100} %, or by more than ${spreads} times the spreads of both results, ` +
        `whichever is larger.`,
    ],
  };
}

type Verdict = "regression" | "improvement" | "unchanged";

function judge(earlier: Ratio, ratio: Ratio): { verdict: Verdict; worse: number; threshold: number } {
  const growth = ratio.value / earlier.value;
  const worse = (ratio.better === "lower" ? growth : 1 / growth) - 1;
  const threshold = Math.max(tolerance, spreads * ((earlier.spread ?? 0) + (ratio.spread ?? 0)));
  if (worse > threshold) return { verdict: "regression", worse, threshold };
  return { verdict: 1 / (1 + worse) - 1 > threshold ? "improvement" : "unchanged", worse, threshold };
}

/** Notes about machines that differ. */
function differences(before: Result, after: Result): string[] {
  return (["cpu", "cores", "node"] as const)
    .filter((key) => before[key] !== after[key])
    .map((key) => `note  the results differ in ${key}: ${before[key]}, then ${after[key]}`);
}

/** By bench, case and name. Ratios that are no numbers, whose divisor was zero, are left out. */
function ratiosOf({ benches }: Result): Map<string, Ratio> {
  const entries = benches.flatMap(({ name, cases }) =>
    cases.flatMap(({ group, name: title, ratios = {} }) =>
      Object.entries(ratios)
        .filter(([, { value }]) => value > 0) // JSON has null for what no number tells
        .map(([what, ratio]) => [[name, group, title, what].filter(Boolean).join(" / "), ratio] as const),
    ),
  );
  return new Map(entries.filter(([, { value }]) => Number.isFinite(value)));
}
