// @suite nightly

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folder } from "../clients/run.ts";
import { isMissing } from "../judges.ts";
import { documents, writeDocument } from "./documents.ts";
import { runJudge } from "./installed.ts";

const rules = fileURLToPath(new URL("spectral.yaml", import.meta.url));
/** Milliseconds for all documents, each of which takes up to two minutes on a slow machine. */
const timeout = 600_000;

test.skipIf(isMissing("spectral"))("spectral reports neither errors nor warnings", { timeout }, () => {
  const cwd = folder();
  const files = documents.map((document) => {
    const place = join(cwd, document.join("-"));
    mkdirSync(place);
    return writeDocument(place, document);
  });
  const words = ["--ruleset", rules, "--fail-severity", "hint", "--quiet", "--format", "json"];
  const { code, text } = runJudge(["spectral", "lint", ...words, ...files], cwd);
  expect({ code, found: JSON.parse(text.slice(text.indexOf("["))) }).toEqual({ code: 0, found: [] });
});
