import type { RunContext } from "./run-context.ts";

/** Time without a reply before it is reported, and between two reports, in milliseconds. */
const firstMs = 4_000;
const nextMs = 30_000;
/** Interval of looks at the clock: the first report comes within five seconds. */
const tickMs = 1_000;

/** Reports that a service does not reply, from the first request after its last reply on. */
export class SilenceWatch {
  readonly #context: Pick<RunContext, "now" | "repeat" | "onSilence">;
  readonly #origin: string;
  #pending = 0;
  /** When the silence began; undefined after a reply to all requests. */
  #begun: number | undefined;
  #next = firstMs;
  #stopTicks: (() => void) | undefined;

  constructor(context: Pick<RunContext, "now" | "repeat" | "onSilence">, origin: string) {
    this.#context = context;
    this.#origin = origin;
  }

  /** Watches a request until its end. */
  async watch<T>(reply: Promise<T>): Promise<T> {
    const { now, repeat } = this.#context;
    this.#begun ??= now().getTime();
    this.#pending++;
    this.#stopTicks ??= repeat(tickMs, () => this.#look());
    try {
      const value = await reply;
      this.#begun = this.#pending > 1 ? now().getTime() : undefined;
      this.#next = firstMs;
      return value;
    } finally {
      this.#pending--;
    }
  }

  #look(): void {
    const { now, onSilence } = this.#context;
    if (this.#pending === 0 || this.#begun === undefined) return;
    const silent = now().getTime() - this.#begun;
    if (silent < this.#next) return;
    this.#next = silent + nextMs;
    onSilence?.(this.#origin, Math.floor(silent / 1000));
  }

  end(): void {
    this.#stopTicks?.();
  }
}
