import type { WriteFailure } from "../../src/targets/target.ts";
import { type Fault, type Service, Silence, testTarget } from "./conformance.ts";
import { memoryTarget } from "./memory-target.ts";

const failures: Partial<Record<Fault, WriteFailure>> = {
  "lost before": "lost",
  "lost after": "lost",
  unavailable: "unavailable",
  refused: "refused",
};

testTarget("an in-memory service with change sets and non-numeric ids", async () => {
  const target = memoryTarget(async ({ write, content }, carryOut, fail) => {
    const fault = service.fault(write, content);
    const failure = fault && failures[fault];
    if (fault?.endsWith("after") || fault === undefined) {
      const result = await carryOut();
      await service.afterWrite();
      if (fault === undefined) return result;
    }
    if (failure) throw fail(failure);
    return service.silence.wait();
  });
  const service: Service = {
    target,
    connect: () => target,
    silence: new Silence(),
    fault: () => undefined,
    afterWrite: async () => {},
  };
  return service;
});
