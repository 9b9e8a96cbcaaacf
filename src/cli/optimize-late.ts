import { setFlagsFromString } from "node:v8";

/**
 * Lets V8 wait ten times as long until it optimizes a function. Commands on files end within seconds: of their CPU
 * time, a third went into optimizing code that hardly ran any more. Large zones still reach optimized code, and a
 * server needs it. Only for versions of Node whose V8 has the flag: others print a message about it.
 */
export function optimizeLate(): void {
  const invocations = "--invocation-count-for-turbofan=30000";
  const flags: Readonly<Record<string, string>> = {
    20: "--interrupt-budget=700000",
    22: invocations,
    24: invocations,
  };
  const flag = flags[process.versions.node.split(".")[0] ?? ""];
  if (flag !== undefined) setFlagsFromString(flag);
}
