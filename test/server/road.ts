import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

const host = "127.0.0.1";

export type State = "up" | "full" | "hangs" | "down";

/**
 * A way to PostgreSQL that can stop: it keeps what is sent, or refuses connections. One that is `full` keeps what new
 * connections send, as PgBouncer does. `abandon` makes the connections of this moment hang for ever, without a word, as
 * a firewall does that has forgotten them.
 */
export async function startRoad(place: string) {
  const socket = `${new URL(place).searchParams.get("host")}/.s.PGSQL.5432`;
  const open = new Set<Socket>();
  let state: State = "up";
  let accepted = 0;
  const road = createServer({ pauseOnConnect: true }, (near) => {
    accepted++;
    if (state === "down") return void near.destroy();
    const far = connect(socket);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one);
      one
        .on("error", () => {})
        .on("close", () => {
          open.delete(one);
          other.destroy();
        });
      one.on("data", (octets) => other.write(octets));
      if (state === "up") one.resume();
      else one.pause();
    }
  });
  await once(road.listen(0, host), "listening");
  onTestFinished(() => {
    for (const one of open) one.destroy();
    road.close();
  });
  const url = new URL(place);
  url.searchParams.set("host", host);
  url.searchParams.set("port", String((road.address() as AddressInfo).port));
  return {
    url: url.href,
    accepted: () => accepted,
    abandon() {
      for (const one of open) one.pause().removeAllListeners("data");
      open.clear();
    },
    set(next: State) {
      state = next;
      for (const one of open) {
        if (next === "down") one.destroy();
        else if (next === "hangs") one.pause();
        else if (next === "up") one.resume();
      }
    },
  };
}
