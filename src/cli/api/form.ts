import { basename } from "node:path";
import type { JsonSchema } from "../../contract/json-schema.ts";
import { readFileOctets } from "../../workflow/project/files.ts";
import { isFile, listFields } from "./field.ts";

/**
 * The form that sends a file, in the first of its fields for one; the name of the file is sent too.
 * @throws {ProblemError} `file-read`
 */
export function readForm(cwd: string, schema: JsonSchema, path: string): Readonly<Record<string, File>> {
  const field = listFields(schema).find((one) => isFile(one.schema));
  if (field === undefined) throw new Error("the form has no field for a file");
  return { [field.path]: new File([readFileOctets(cwd, path)], basename(path)) };
}
