// @suite long

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folder } from "../clients/run.ts";
import { isMissing } from "../judges.ts";
import { isNightly } from "../properties.ts";
import { documents, writeDocument } from "./documents.ts";
import { runJudge } from "./installed.ts";

const rules = (name: string) => fileURLToPath(new URL(name, import.meta.url));

test.skipIf(isMissing("redocly")).each(documents)(
  "redocly reports neither errors nor warnings for profile %s in OpenAPI %s",
  (...document) => {
    const cwd = folder();
    const words = ["--config", rules("redocly.yaml"), "--format", "json"];
    const { code, text } = runJudge(["redocly", "lint", ...words, writeDocument(cwd, document)], cwd);
    const { totals, problems } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
    expect({ code, totals, problems }).toEqual({
      code: 0,
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  },
);

/** Spectral takes long for each document, and they differ little: one of them, or all in the nightly run. */
const linted = isNightly ? documents : documents.slice(-1);

test.skipIf(isMissing("spectral"))("spectral reports neither errors nor warnings", () => {
  const cwd = folder();
  const files = linted.map((document) => {
    const place = join(cwd, document.join("-"));
    mkdirSync(place);
    return writeDocument(place, document);
  });
  const words = ["--ruleset", rules("spectral.yaml"), "--fail-severity", "hint", "--quiet", "--format", "json"];
  const { code, text } = runJudge(["spectral", "lint", ...words, ...files], cwd);
  expect({ code, found: JSON.parse(text.slice(text.indexOf("["))) }).toEqual({ code: 0, found: [] });
});
