/**
 * The patience of a question that waits for the current version of a zone, however long a loaded machine takes to read
 * it.
 */
export function waitForCurrent(): Promise<void> {
  return new Promise(() => {});
}
