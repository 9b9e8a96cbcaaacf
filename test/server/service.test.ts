import { once } from "node:events";
import { createServer as createTcpServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { startService } from "../../src/server/service.ts";
import { openStore } from "../../src/server/store/store.ts";

async function listenAnywhere(): Promise<{ port: number; close(): Promise<unknown> }> {
  const own = createTcpServer().listen(0, "127.0.0.1");
  await once(own, "listening");
  const address = own.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  return { port, close: () => new Promise((resolve) => own.close(resolve)) };
}

async function isFree(port: number): Promise<boolean> {
  const own = createTcpServer().listen(port, "127.0.0.1");
  const isListening = await Promise.race([
    once(own, "listening").then(() => true),
    once(own, "error").then(() => false),
  ]);
  own.close();
  return isListening;
}

test("a service serves the API and DNS until it is closed, and leaves the store open", async () => {
  const store = await openStore(":memory:");
  onTestFinished(() => store.close());
  const service = await startService({ store, clock: () => new Date(), port: 0, dns: { port: 0 } });
  const { status } = await fetch(`${service.url}/readyz`);
  expect([status, service.dnsPort]).toEqual([200, expect.any(Number)]);
  await service.close();
  expect(await isFree(Number(new URL(service.url).port))).toBe(true);
  expect(await isFree(service.dnsPort ?? 0)).toBe(true);
  expect(await store.read(async () => "open")).toBe("open");
});

test("a service whose name service cannot start ends as a whole", async () => {
  const store = await openStore(":memory:");
  onTestFinished(() => store.close());
  const [taken, free] = [await listenAnywhere(), await listenAnywhere()];
  onTestFinished(() => void taken.close());
  await free.close();
  const start = startService({ store, clock: () => new Date(), port: free.port, dns: { port: taken.port } });
  await expect(start).rejects.toThrow(`${taken.port}`);
  expect(await isFree(free.port)).toBe(true);
});
