/**
 * Looks keys up, each once at a time: calls that arrive during a lookup share the next one, so that every result was
 * read after its call. A lookup that `gather` lets wait is shared by the calls of that time, too.
 */
export function shareLookups<T>(
  lookUp: (key: string) => Promise<T>,
  gather: (key: string) => Promise<void> | undefined = () => undefined,
): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();
  const begin = (key: string): Promise<T> => {
    next.delete(key);
    const found = lookUp(key).finally(() => running.delete(key));
    running.set(key, found);
    return found;
  };
  return (key) => {
    const gathered = next.get(key);
    if (gathered !== undefined) return gathered;
    const wait: Promise<unknown> | undefined = gather(key)?.then(() => running.get(key)) ?? running.get(key);
    if (wait === undefined) return begin(key);
    const shared = wait.then(
      () => begin(key),
      () => begin(key),
    );
    next.set(key, shared);
    return shared;
  };
}
