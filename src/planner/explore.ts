import { type Chooser, type Happening, mostOf } from "./overlay.ts";

/** Progress of a step in a state: the least and the greatest number of its writes that are done. */
export interface Progress {
  readonly happening: Happening;
  readonly least: number;
  readonly most: number;
}

/** More states than this are not looked at one by one. */
const mostStates = 1000;

/** A question that was asked, and how it was answered. */
interface Turn {
  readonly happening: Happening;
  readonly index: number;
  isDone: boolean;
  /** Is the other answer still to be tried? */
  isOpen: boolean;
}

/**
 * Calls `ask` for every state that its questions tell apart, however the happenings follow one another, and gives those for
 * which it is false, as far as they were asked for. `isComplete` is false when there are too many states.
 */
export function explore(ask: (choose: Chooser) => boolean): {
  failures: readonly (readonly Progress[])[];
  isComplete: boolean;
} {
  const failures: Progress[][] = [];
  const turns: Turn[] = [];
  for (let states = 0; states < mostStates; states++) {
    const known = new Map<Happening, { least: number; most: number }>();
    const settleTurn = ({ happening, index, isDone }: Turn) => {
      const progress = known.get(happening) ?? { least: 0, most: mostOf(happening) };
      if (isDone) progress.least = Math.max(progress.least, index + 1);
      else progress.most = Math.min(progress.most, index);
      known.set(happening, progress);
    };
    for (const turn of turns) settleTurn(turn);
    const choose: Chooser = (happening, index) => {
      const progress = known.get(happening);
      if (progress && progress.least > index) return true;
      if (progress && progress.most <= index) return false;
      const forced = happening.kind === "swap" ? undefined : implied(happening, turns);
      const turn = { happening, index, isDone: forced ?? false, isOpen: forced === undefined };
      turns.push(turn);
      settleTurn(turn);
      return turn.isDone;
    };
    if (!ask(choose)) failures.push([...known].map(([happening, { least, most }]) => ({ happening, least, most })));
    while (turns.at(-1)?.isOpen === false) turns.pop();
    const last = turns.at(-1);
    if (last === undefined) return { failures, isComplete: true };
    last.isDone = true;
    last.isOpen = false;
  }
  return { failures, isComplete: false };
}

/** Progress of another happening, as far as the answers so far fix it. */
function implied(happening: Happening, turns: readonly Turn[]): boolean | undefined {
  for (const { happening: other, isDone } of turns) {
    if (other.kind === "swap") continue;
    if (isDone && implies(other, happening)) return true;
    if (!isDone && implies(happening, other)) return false;
  }
  return undefined;
}

/** Has the second happened whenever the first has? */
function implies(one: Happening, other: Happening): boolean {
  if (one.kind === "some") return other.kind === "some" && hasAll(other.drafts, one.drafts);
  return other.kind === "some" ? hasAny(other.drafts, one.drafts) : hasAll(one.drafts, other.drafts);
}

function hasAll(drafts: Happening["drafts"], wanted: Happening["drafts"]): boolean {
  if (wanted.size > drafts.size) return false;
  for (const draft of wanted) if (!drafts.has(draft)) return false;
  return true;
}

function hasAny(drafts: Happening["drafts"], wanted: Happening["drafts"]): boolean {
  for (const draft of wanted) if (drafts.has(draft)) return true;
  return false;
}
