/** Items that become due, such as domains to refresh. */
export interface DueItems<Item> {
  /** Takes items that are due, as many as the limits allow. */
  readonly claim: () => Promise<readonly Item[]>;
  /** Works on one of them, and releases it. */
  readonly work: (item: Item) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/**
 * Works on all items that are due, and claims more after each. Resolves after the last one. It may be called again
 * meanwhile, and does not wait for items of another call: if some are always due, it would never end.
 */
export async function workOnDue<Item>({ claim, work, onError }: DueItems<Item>): Promise<void> {
  const open = new Set<Promise<void>>();
  const begin = async () => {
    for (const item of await claim()) {
      const ended = work(item)
        .catch(onError)
        .then(begin)
        .catch(onError)
        .finally(() => open.delete(ended));
      open.add(ended);
    }
  };
  await begin();
  while (open.size > 0) await Promise.all(open);
}

interface Repeated {
  readonly run: () => Promise<void>;
  /** Rejects on abort. */
  readonly wait: (signal: AbortSignal) => Promise<void>;
  readonly stop: AbortController;
  readonly onError: (error: unknown) => void;
}

/** Begins a run after each wait, whether or not the one before has ended, until it is closed. */
export function repeatRuns({ run, wait, stop, onError }: Repeated): { close(): Promise<void> } {
  const { signal } = stop;
  const runs = new Set<Promise<void>>();
  const loop = async () => {
    while (!signal.aborted) {
      const one = run()
        .catch(onError)
        .finally(() => runs.delete(one));
      runs.add(one);
      await wait(signal).catch(() => {}); // on abort
    }
    await Promise.all(runs);
  };
  const ended = loop();
  return {
    close: () => {
      stop.abort();
      return ended;
    },
  };
}
