// @suite long

import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { folder } from "../clients/run.ts";
import { isMissing } from "../judges.ts";
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
