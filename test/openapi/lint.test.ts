import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { folder } from "../clients/run.ts";
import { documents, writeDocument } from "./documents.ts";
import { needs, runJudge } from "./installed.ts";

const rules = (name: string) => fileURLToPath(new URL(name, import.meta.url));

describe.each(documents)("the document of profile %s in OpenAPI %s", (...document) => {
  test("redocly finds neither errors nor warnings", (context) => {
    needs(context, "redocly");
    const cwd = folder();
    const file = writeDocument(cwd, document);
    const { code, text } = runJudge(
      ["redocly", "lint", "--config", rules("redocly.yaml"), "--format", "json", file],
      cwd,
    );
    const { totals, problems } = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
    expect({ code, totals, problems }).toEqual({
      code: 0,
      totals: { errors: 0, warnings: 0, ignored: 0 },
      problems: [],
    });
  });

  test("spectral finds neither errors nor warnings", (context) => {
    needs(context, "spectral");
    const cwd = folder();
    const file = writeDocument(cwd, document);
    const words = ["--ruleset", rules("spectral.yaml"), "--fail-severity", "hint", "--quiet", "--format", "json"];
    const { code, text } = runJudge(["spectral", "lint", ...words, file], cwd);
    expect({ code, found: JSON.parse(text.slice(text.indexOf("["))) }).toEqual({ code: 0, found: [] });
  });
});
