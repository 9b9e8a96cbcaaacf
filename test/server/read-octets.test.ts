import { expect, test } from "vitest";
import { type ApiRequest, readBodyOctets } from "../../src/server/kit/request.ts";

const errors = { tooLarge: () => new Error("too large"), incomplete: () => new Error("incomplete") };

test.each([
  ["one chunk", 1, 1000, "whole"],
  ["long chunks", 50, 20_000, "whole"],
  ["as much as is allowed", 10_000, 100, "whole"],
  ["an octet more", 1, 1_000_001, "too large"],
  ["many short chunks", 4096, 1, "whole"],
  ["more short chunks", 1_000_000, 1, "too large after 4097"],
  ["more chunks that are not short", 15_000, 64, "whole"],
])("a body of %s", async (_, chunks, length, expected) => {
  let given = 0;
  const body = (async function* () {
    for (; given < chunks; ) yield Buffer.alloc(length, String(given++ % 10));
  })();
  const request = { headers: new Headers(), body } as unknown as ApiRequest;
  const sent = () =>
    Buffer.concat(Array.from({ length: chunks }, (_, index) => Buffer.alloc(length, String(index % 10))));
  const result = await readBodyOctets(request, 1_000_000, errors).then(
    (octets) => (octets.equals(sent()) ? "whole" : "changed"),
    (error: Error) => (given > 1 ? `${error.message} after ${given}` : error.message),
  );
  expect(result).toBe(expected);
});
