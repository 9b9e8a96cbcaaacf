import { createServer, createToken, type Listening, listen, openStore } from "zonewright/server";

export async function start(): Promise<Listening & { token: string }> {
  const store = await openStore(":memory:");
  const token = await createToken(store, { username: "test", now: new Date() });
  const api = await listen(createServer({ store, clock: () => new Date(), profile: "live" }), { port: 0 });
  return { ...api, token };
}

// @ts-expect-error a server has a store
createServer({ clock: () => new Date() });
