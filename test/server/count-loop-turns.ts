/**
 * Counts how often the event loop turns while the work is under way: other requests are answered in each of these
 * turns.
 */
export async function countLoopTurns(work: Promise<unknown>): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isOver = true;
  return turns;
}
