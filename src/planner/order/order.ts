import type { PlannedStep } from "./draft.ts";
import type { Milestone } from "./overlay.ts";

/** An order of the steps, including the activations and deactivations of zones. */
export class Order {
  readonly drafts: readonly PlannedStep[];
  readonly #positions: ReadonlyMap<PlannedStep, number>;
  readonly #gates = new Map<Milestone, PlannedStep>();

  constructor(drafts: readonly PlannedStep[]) {
    this.drafts = drafts;
    this.#positions = new Map(drafts.map((draft, index) => [draft, index]));
  }

  /** Position of a draft, from 0. */
  at(draft: PlannedStep): number {
    return this.#positions.get(draft) ?? Number.POSITIVE_INFINITY;
  }

  /** The step that reaches a milestone. */
  gate(milestone: Milestone): PlannedStep {
    const known = this.#gates.get(milestone);
    if (known) return known;
    const [first, ...others] = milestone.drafts;
    if (first === undefined) throw new Error("a milestone without steps");
    const isFirst = milestone.kind === "some";
    const gate = others.reduce((gate, draft) => (this.at(draft) < this.at(gate) === isFirst ? draft : gate), first);
    this.#gates.set(milestone, gate);
    return gate;
  }
}
