import { expect, test } from "vitest";
import { asId } from "../../src/dns/desired-live.ts";
import { Progress } from "../../src/report/progress.ts";
import { domainName } from "../names.ts";

test("one progress line in the width of the terminal", () => {
  const progress = new Progress(4, 2);
  const style = { color: false, unicode: true };
  expect(progress.line(style, 80)).toBe("░░░░░░░░░░░░░░░░░░░░░░░░ 0 of 4 writes · 0 of 2 zones");
  progress.add({ kind: "zone-created", zone: domainName("a.example."), domainId: asId(1) });
  progress.add({ kind: "settings-written", zone: domainName("a.example."), names: ["status"] });
  progress.add({ kind: "zone-failed", zone: domainName("b.example."), written: 0, writes: 2, error: new Error("no") });
  expect(progress.line(style, 80)).toBe("████████████░░░░░░░░░░░░ 2 of 4 writes · 1 of 2 zones · 1 failed");
  expect(progress.line({ color: false, unicode: false }, 40)).toBe("############------------ 2 of 4 writes ");
});
