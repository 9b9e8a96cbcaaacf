import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyChanges } from "/work/main/test/sources/changes.ts";
import { formats } from "/work/main/src/sources/formats.ts";
import { readFileSync } from "node:fs";
test("x", () => {
  const f = process.env.CASE!;
  const previous = { file: "example.zone", bytes: readFileSync(f), origin: "example." };
  const { read, rewrite } = formats.bind;
  const { zone } = read(previous);
  fc.assert(fc.property(anyChanges, (change) => {
    const wanted = change(zone);
    const bytes = rewrite(wanted, previous);
    const again = read({ ...previous, bytes });
    const errs = again.diagnostics.filter((d) => d.severity === "error");
    if (errs.length) { console.log(Buffer.from(bytes).toString("latin1").split("\n").map((l,i)=>`${i+1}| ${JSON.stringify(l)}`).join("\n"), errs.map((e) => [e.rule, e.summary, e.at])); throw new Error("bad"); }
  }), { numRuns: 3000, seed: -337315729, path: process.env.P || undefined });
});
