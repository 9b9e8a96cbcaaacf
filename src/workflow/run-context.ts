/** The world around one run: its folder and environment, time, and the other processes of the machine. */
export interface RunContext {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Aborts when the user wants to stop. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** 32 hexadecimal digits that nobody has had before. */
  readonly nonce: () => string;
  /** Waits, in milliseconds; ends early when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** This process, and whether another one of this machine still runs. */
  readonly pid: number;
  readonly isAlive: (pid: number) => boolean;
  /** Called with each wait that the service asks for: why, and for how many seconds. */
  readonly onWait?: (why: string | undefined, seconds: number) => void;
}
