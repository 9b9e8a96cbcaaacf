import { expect, test, vi } from "vitest";
import { addFrame, addFrames, Frames } from "../../../src/dns/transfer/frames.ts";

test("a long message in octets of one is copied a few times at most", () => {
  const stream = addFrame(Buffer.alloc(60_000, 7));
  const frames = new Frames();
  const allocate = vi.spyOn(Buffer, "allocUnsafe");
  const found: Buffer[] = [];
  for (const octet of stream) found.push(...frames.take(Buffer.of(octet)));
  const allocated = allocate.mock.calls.reduce((sum, [size]) => sum + size, 0);
  allocate.mockRestore();
  expect(found.map(({ length }) => length)).toEqual([60_000]);
  expect(allocated).toBeLessThan(4 * stream.length);
});

test("messages in one chunk are not copied, and a rest does not keep its memory", () => {
  const chunk = Buffer.concat([addFrames(Array(2000).fill(Buffer.alloc(30, 7))), Buffer.of(0)]);
  const frames = new Frames();
  const allocate = vi.spyOn(Buffer, "allocUnsafe");
  const found = [...frames.take(chunk)];
  expect(allocate.mock.calls.length).toBeLessThan(2);
  allocate.mockRestore();
  expect(found.every(({ buffer }) => buffer === chunk.buffer)).toBe(true);
  const [last] = frames.take(Buffer.of(1, 9));
  expect([last, last?.buffer === chunk.buffer]).toEqual([Buffer.of(9), false]);
});

test("what waits is counted", () => {
  const frames = new Frames();
  const counts = () => ({ whole: frames.whole, incomplete: frames.incomplete, waiting: frames.waiting });
  expect(counts()).toEqual({ whole: 0, incomplete: 0, waiting: 0 });
  frames.add(Buffer.of(0, 1, 9, 0, 0, 0));
  expect(counts()).toEqual({ whole: 2, incomplete: 1, waiting: 6 });
  frames.shift();
  expect(counts()).toEqual({ whole: 1, incomplete: 1, waiting: 3 });
  expect(frames.first).toEqual(Buffer.of());
  frames.shift();
  expect([frames.first, counts()]).toEqual([undefined, { whole: 0, incomplete: 1, waiting: 1 }]);
});
