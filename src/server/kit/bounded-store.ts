import type { Store } from "../store/store.ts";
import { Slots } from "./fair-limiter.ts";

/** The same store, in which at most `most` transactions run at once. The others wait without a connection. */
export function boundedStore(store: Store, most: number): Store {
  const slots = new Slots(most);
  return {
    ...store,
    read: (work) => slots.run("", () => store.read(work)),
    write: (work) => slots.run("", () => store.write(work)),
  };
}
