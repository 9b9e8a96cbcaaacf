import { isNode, parseDocument } from "yaml";
import { type Diagnostic, Refusal } from "../diagnostics/diagnostic.ts";
import { nearest } from "../diagnostics/nearest.ts";
import { SourceText } from "../diagnostics/source-text.ts";
import { type Config, configSchema } from "./config.ts";

/** The name of the file, at the root of a repository of zones. */
export const configFile = "zonewright.yaml";

/**
 * Reads the text of a config file; an empty one gives the defaults.
 * @throws {Refusal} that names every wrong key and value with its place.
 */
export function readConfig(file: string, text: string): Config {
  const source = new SourceText(file, text);
  const document = parseDocument(text, { uniqueKeys: true, logLevel: "silent" });
  const syntax = document.errors.map(
    ({ message, pos }): Diagnostic => ({
      severity: "error",
      rule: "config-syntax",
      summary: `not YAML: ${message.split(/ at line \d+|\n/)[0]}`,
      at: source.place(Math.min(pos[0], Math.max(0, text.length - 1)), pos[1]),
    }),
  );
  if (syntax.length > 0) throw new Refusal(syntax);
  const parsed = configSchema.safeParse(document.toJS() ?? {});
  if (parsed.success) return parsed.data;
  const place = (path: readonly PropertyKey[]) => {
    const node = document.getIn(path, true);
    const range = isNode(node) ? node.range : undefined;
    return range ? source.place(range[0], range[1]) : source.place(0);
  };
  throw new Refusal(
    parsed.error.issues.flatMap((issue): Diagnostic[] => {
      const name = issue.path.join(".");
      if (issue.code !== "unrecognized_keys") {
        return [
          {
            severity: "error",
            rule: "config-value",
            summary: `${name || "the file"}: ${issue.message}`,
            at: place(issue.path),
          },
        ];
      }
      return issue.keys.map((key) => {
        const known = nearest(key, knownKeys(name));
        return {
          severity: "error",
          rule: "unknown-key",
          summary: `${[...issue.path, key].join(".")} is no setting`,
          at: place([...issue.path, key]),
          fix: known ? `Did you mean ${known}?` : `Known keys: ${knownKeys(name).join(", ")}.`,
        };
      });
    }),
  );
}

function knownKeys(path: string): string[] {
  const { defaults, policy } = configSchema.shape;
  if (path === "defaults") return Object.keys(defaults.unwrap().shape);
  if (path === "policy") return Object.keys(policy.unwrap().shape);
  return Object.keys(configSchema.shape);
}
