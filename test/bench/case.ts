import { median, quantile } from "./median.ts";

/**
 * A bench measures its cases one after the other and yields each as soon as it is known; it prints nothing. The
 * argument is the number of its command line.
 */
export type Bench = (argument?: number) => AsyncIterable<Case> | Iterable<Case>;

/** One measured case. */
export interface Case {
  /** The heading that successive cases share: "SQLite", "1,000,000 records, 41 MB". */
  readonly group?: string;
  /** Unique in its group, and the same in each run, so that runs can be compared. */
  readonly name: string;
  /** By their names: "time", "CPU", "peak memory". Machines differ, so only people read them. */
  readonly numbers?: Numbers;
  /** By their names, which may be those of numbers: only these are compared with another run. */
  readonly ratios?: Readonly<Record<string, Ratio>>;
  /** A sentence for people, such as the reason why something was not measured. */
  readonly note?: string;
}

export type Numbers = Readonly<Record<string, Quantity>>;

export interface Quantity {
  readonly value: number;
  /** "ms", "s", "MiB", "/s", or a plural: "writes". */
  readonly unit: string;
}

/** A number of ours divided by one of something fair that was measured in the same run. */
export interface Ratio {
  readonly value: number;
  /** The measured thing to which ours is compared: "node -e 0". */
  readonly to: string;
  /** The direction in which the ratio improves. */
  readonly better: "lower" | "higher";
  readonly aim?: number;
  /** The uncertainty of the value as a fraction of it; only if it was measured in three turns or more. */
  readonly spread?: number;
}

export const ms = (value: number): Quantity => ({ value, unit: "ms" });
export const seconds = (value: number): Quantity => ({ value, unit: "s" });
export const perSecond = (value: number): Quantity => ({ value, unit: "/s" });
export const mebibytes = (bytes: number): Quantity => ({ value: bytes / 2 ** 20, unit: "MiB" });
export const count = (value: number, unit: string): Quantity => ({ value, unit });

/**
 * Ours divided by theirs. Of lists, whose entries were measured in turns, it is the median of the ratios of each turn;
 * half of their interquartile range by the square root of their number is its spread.
 */
export function ratio(
  ours: number | readonly number[],
  theirs: number | readonly number[],
  of: Omit<Ratio, "value" | "spread">,
): Ratio {
  if (typeof ours === "number" || typeof theirs === "number") return { value: middle(ours) / middle(theirs), ...of };
  const turns = ours.flatMap((value, turn) => {
    const other = theirs[turn];
    return other === undefined ? [] : [value / other];
  });
  const value = median(turns);
  if (turns.length < 3) return { value, ...of };
  const range = quantile(turns, 0.75) - quantile(turns, 0.25);
  return { value, ...of, spread: range / 2 / Math.sqrt(turns.length) / value };
}

const middle = (values: number | readonly number[]) => (typeof values === "number" ? values : median(values));
