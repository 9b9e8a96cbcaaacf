import { addToList, groupBy } from "../../group-by.ts";

/** An item that one target or more have, such as a change of their plans. */
export interface SharedItem<T> {
  readonly targets: readonly string[];
  /** The item of each target, in the same order. */
  readonly items: readonly [T, ...T[]];
}

/** The items of a target. */
export interface ItemsOfTarget<T> {
  readonly target: string;
  readonly items: readonly T[];
}

interface Entry<T> {
  readonly targets: string[];
  readonly items: [T, ...T[]];
}

/**
 * Items with equal keys as one, in the order of the first target. An item of others follows one with an equal near key,
 * such as another value of the same record, else the item before it in its own order, else it precedes the next one. An
 * item that a target has twice stays two.
 */
export function shareItems<T>(
  lists: readonly ItemsOfTarget<T>[],
  keyOf: (item: T) => string,
  nearKeyOf: (item: T) => string = keyOf,
): SharedItem<T>[] {
  let entries: Entry<T>[] = [];
  for (const { target, items } of lists) {
    const known = groupBy(entries, ({ items: [first] }) => keyOf(first));
    const near = groupBy(entries, ({ items: [first] }) => nearKeyOf(first));
    const before = new Map<Entry<T>, Entry<T>[]>();
    const after = new Map<Entry<T>, Entry<T>[]>();
    const leading: Entry<T>[] = [];
    let anchor: Entry<T> | undefined;
    const moveTo = (entry: Entry<T>) => {
      if (anchor === undefined) before.set(entry, [...leading.splice(0)]);
      anchor = entry;
    };
    for (const item of items) {
      const entry = known.get(keyOf(item))?.shift();
      if (entry) {
        entry.targets.push(target);
        entry.items.push(item);
        moveTo(entry);
        continue;
      }
      const like = near.get(nearKeyOf(item))?.at(-1);
      if (like) moveTo(like);
      const added: Entry<T> = { targets: [target], items: [item] };
      if (anchor === undefined) leading.push(added);
      else addToList(after, anchor, added);
    }
    const placed = entries.flatMap((entry) => [...(before.get(entry) ?? []), entry, ...(after.get(entry) ?? [])]);
    entries = [...placed, ...leading];
  }
  return entries;
}

/** Texts of targets, each once; one that not all of `targets` have ends with those that do: `… (on public)`. */
export function shareTexts(lists: readonly ItemsOfTarget<string>[], targets: readonly string[]): string[] {
  return shareItems(lists, (text) => text).map(
    ({ targets: on, items: [text] }) => `${text}${on.length < targets.length ? ` (${onTargets(on)})` : ""}`,
  );
}

export function onTargets(targets: readonly string[]): string {
  return `on ${targets.join(", ")}`;
}
