import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { isMissing } from "../judges.ts";
import { runJudge } from "../openapi/installed.ts";

const root = resolve(import.meta.dirname, "../..");
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test.skipIf(isMissing("hadolint"))("the Dockerfile passes hadolint", () => {
  expect(runJudge(["hadolint", "packaging/container/Dockerfile"], root)).toEqual({ code: 0, text: "" });
});

test.skipIf(isMissing("dclint"))("the Compose file passes its linter, and has the image of this version", () => {
  expect(runJudge(["dclint", "packaging/container"], root)).toMatchObject({ code: 0 });
  const { services } = parse(readFileSync(join(root, "packaging/container/compose.yaml"), "utf8"));
  expect(services.dns.image).toBe(`zonewright:${version}`);
});

test("the image serves as the unit of Debian does, on all addresses of its network", () => {
  const command = /^CMD (.*)$/m.exec(readFileSync(join(root, "packaging/container/Dockerfile"), "utf8"))?.[1] ?? "";
  const unit = readFileSync(join(root, "packaging/debian/zonewright.service"), "utf8");
  const [, ofUnit = ""] = /^ExecStart=\/usr\/bin\/zonewright (.*) \$/m.exec(unit) ?? [];
  const words = JSON.parse(command).join(" ").replace(" --host 0.0.0.0 --dns 0.0.0.0:5353", "");
  expect(words).toBe(ofUnit);
});
