import { count } from "../diagnostics/plain.ts";
import type { ApplyEvent } from "../executor/event.ts";
import { palette, type Style } from "./palette.ts";

const barWidth = 24;

/** Progress of a run: one line, which a terminal updates in place. */
export class Progress {
  readonly #writes: number;
  readonly #zones: number;
  #written = 0;
  #ended = 0;
  #failed = 0;

  /** Number of writes and zones of the plan. */
  constructor(writes: number, zones: number) {
    this.#writes = writes;
    this.#zones = zones;
  }

  add({ kind }: ApplyEvent): void {
    if (kind === "record-written" || kind === "settings-written" || kind === "zone-created" || kind === "zone-deleted")
      this.#written++;
    if (kind === "record-undone") this.#written--;
    if (kind === "zone-done" || kind === "zone-failed" || kind === "zone-stopped") this.#ended++;
    if (kind === "zone-failed") this.#failed++;
  }

  /** `width` is that of the terminal, in columns. */
  line(style: Style, width: number): string {
    const { dot } = palette(style);
    const done = this.#writes === 0 ? 1 : this.#written / this.#writes;
    const full = Math.floor(done * barWidth);
    const [on, off] = style.unicode ? ["█", "░"] : ["#", "-"];
    const bar = `${on.repeat(full)}${off.repeat(barWidth - full)}`;
    const parts = [
      `${this.#written} of ${count(this.#writes, "write")}`,
      `${this.#ended} of ${count(this.#zones, "zone")}`,
      ...(this.#failed > 0 ? [`${this.#failed} failed`] : []),
    ];
    return `${bar} ${parts.join(` ${dot} `)}`.slice(0, Math.max(0, width - 1));
  }
}
