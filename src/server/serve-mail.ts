import { setTimeout as delay } from "node:timers/promises";
import { deliverMail } from "./areas/mail/delivery.ts";
import type { Maildir } from "./areas/mail/maildir.ts";
import type { ServerOptions } from "./server.ts";

const lookEveryMs = 1000;

/** Writes the messages of the store to a folder until it is closed. */
export function startMail(
  { store, clock, onError = console.error }: Pick<ServerOptions, "store" | "clock" | "onError">,
  { maildir, sender }: { readonly maildir: Maildir; readonly sender: string },
): { close(): Promise<void> } {
  const stop = new AbortController();
  const loop = async () => {
    while (!stop.signal.aborted) {
      await deliverMail({ store, clock, maildir, sender }).catch(onError);
      await delay(lookEveryMs, undefined, { signal: stop.signal }).catch(() => {}); // on abort
    }
  };
  const ended = loop();
  return {
    close: () => {
      stop.abort();
      return ended;
    },
  };
}
