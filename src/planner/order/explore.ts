import { countSeparateWrites, type Milestone, type Phase } from "./overlay.ts";

/** The progress of a step in a state: the minimum and maximum number of completed writes. */
export interface Progress {
  readonly milestone: Milestone;
  readonly least: number;
  readonly most: number;
}

/** The maximum number of states to check one by one. */
const mostStates = 1000;

/** A question and its answer. */
interface Question {
  readonly milestone: Milestone;
  readonly index: number;
  isDone: boolean;
  /** Whether the other answer has not been tried yet. */
  isOpen: boolean;
}

/**
 * Calls `ask` for every state that its questions distinguish, in any order of the milestones, and returns the states
 * for which it is false. `isComplete` is false if there are too many states.
 */
export function explore(ask: (phase: Phase) => boolean): {
  failures: readonly (readonly Progress[])[];
  isComplete: boolean;
} {
  const failures: Progress[][] = [];
  const questions: Question[] = [];
  for (let states = 0; states < mostStates; states++) {
    const known = new Map<Milestone, { least: number; most: number }>();
    const applyAnswer = ({ milestone, index, isDone }: Question) => {
      const progress = known.get(milestone) ?? { least: 0, most: countSeparateWrites(milestone) };
      if (isDone) progress.least = Math.max(progress.least, index + 1);
      else progress.most = Math.min(progress.most, index);
      known.set(milestone, progress);
    };
    for (const question of questions) applyAnswer(question);
    const phase: Phase = (milestone, index) => {
      const progress = known.get(milestone);
      if (progress && progress.least > index) return true;
      if (progress && progress.most <= index) return false;
      const forced = milestone.kind === "swap" ? undefined : findImplied(milestone, questions);
      const question = { milestone, index, isDone: forced ?? false, isOpen: forced === undefined };
      questions.push(question);
      applyAnswer(question);
      return question.isDone;
    };
    if (!ask(phase)) failures.push([...known].map(([milestone, { least, most }]) => ({ milestone, least, most })));
    while (questions.at(-1)?.isOpen === false) questions.pop();
    const last = questions.at(-1);
    if (last === undefined) return { failures, isComplete: true };
    last.isDone = true;
    last.isOpen = false;
  }
  return { failures, isComplete: false };
}

/** The answer to a question that follows from earlier answers, if any. */
function findImplied(milestone: Milestone, questions: readonly Question[]): boolean | undefined {
  for (const { milestone: other, isDone } of questions) {
    if (other.kind === "swap") continue;
    if (isDone && implies(other, milestone)) return true;
    if (!isDone && implies(milestone, other)) return false;
  }
  return undefined;
}

/** Whether the second is reached whenever the first is. */
function implies(one: Milestone, other: Milestone): boolean {
  if (one.kind === "some") return other.kind === "some" && hasAll(other.drafts, one.drafts);
  return other.kind === "some" ? hasAny(other.drafts, one.drafts) : hasAll(one.drafts, other.drafts);
}

function hasAll(drafts: Milestone["drafts"], wanted: Milestone["drafts"]): boolean {
  if (wanted.size > drafts.size) return false;
  for (const draft of wanted) if (!drafts.has(draft)) return false;
  return true;
}

function hasAny(drafts: Milestone["drafts"], wanted: Milestone["drafts"]): boolean {
  for (const draft of wanted) if (drafts.has(draft)) return true;
  return false;
}
