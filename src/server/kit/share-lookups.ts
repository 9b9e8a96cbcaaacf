/**
 * Looks keys up, each once at a time: calls that arrive during a lookup share the next one, so that every result was
 * read after its call.
 */
export function shareLookups<T>(lookUp: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  const next = new Map<string, Promise<T>>();
  const begin = (key: string): Promise<T> => {
    next.delete(key);
    const found = lookUp(key).finally(() => running.delete(key));
    running.set(key, found);
    return found;
  };
  return (key) => {
    const current = running.get(key);
    if (current === undefined) return begin(key);
    const shared =
      next.get(key) ??
      current.then(
        () => begin(key),
        () => begin(key),
      );
    next.set(key, shared);
    return shared;
  };
}
