import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

let yaml: typeof import("yaml") | undefined;

/** The YAML library, loaded at the first use: most commands read only plain files, without it. */
export function yamlLibrary(): typeof import("yaml") {
  yaml ??= require("yaml") as typeof import("yaml");
  return yaml;
}

let tldts: typeof import("tldts") | undefined;

/** The list of public suffixes, loaded at the first use. */
export function suffixList(): typeof import("tldts") {
  tldts ??= require("tldts") as typeof import("tldts");
  return tldts;
}
