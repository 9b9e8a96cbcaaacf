import { type Milestone, mostOf, type Phase } from "./overlay.ts";

/** Progress of a step in a state: the least and the greatest number of its writes that are done. */
export interface Progress {
  readonly milestone: Milestone;
  readonly least: number;
  readonly most: number;
}

/** More states than this are not looked at one by one. */
const mostStates = 1000;

/** A question that was asked, and how it was answered. */
interface Question {
  readonly milestone: Milestone;
  readonly index: number;
  isDone: boolean;
  /** Is the other answer still to be tried? */
  isOpen: boolean;
}

/**
 * Calls `ask` for every state that its questions tell apart, however the milestones follow one another, and gives those
 * for which it is false, as far as they were asked for. `isComplete` is false when there are too many states.
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
      const progress = known.get(milestone) ?? { least: 0, most: mostOf(milestone) };
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

/** Progress of another milestone, as far as the answers so far fix it. */
function findImplied(milestone: Milestone, questions: readonly Question[]): boolean | undefined {
  for (const { milestone: other, isDone } of questions) {
    if (other.kind === "swap") continue;
    if (isDone && implies(other, milestone)) return true;
    if (!isDone && implies(milestone, other)) return false;
  }
  return undefined;
}

/** Is the second reached whenever the first is? */
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
