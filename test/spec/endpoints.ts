import { existsSync, readFileSync } from "node:fs";

/** An endpoint of the two documents. */
export interface DocumentedEndpoint {
  /** The document and its section. */
  readonly section: string;
  /** Method and path, such as `GET /domains/{domainId}`. */
  readonly endpoint: string;
  /** Whether it must be covered. */
  readonly isRequired: boolean;
}

const list = new URL("endpoints.txt", import.meta.url);
const documents: readonly [title: string, file: URL][] = [
  ["First document", new URL("../../../shared/spec/account-interface.md", import.meta.url)],
  ["Second document", new URL("../../../shared/spec/nodes-domains-interface.md", import.meta.url)],
];

/** The endpoints as the list beside this file has them. */
export const documentedEndpoints: readonly DocumentedEndpoint[] = readList(readFileSync(list, "utf8"));

function readList(text: string): DocumentedEndpoint[] {
  const found: DocumentedEndpoint[] = [];
  let section = "";
  for (const line of text.split("\n")) {
    section = /^## (.*)/.exec(line)?.[1] ?? section;
    const [, word, method, path] = /^(required|later) +([A-Z]+) +(\S+)$/.exec(line) ?? [];
    if (word) found.push({ section, endpoint: `${method} ${path}`, isRequired: word === "required" });
  }
  return found;
}

/**
 * The lines by which the list and the documents differ, with `-` for those of the documents alone and `+` for those of
 * the list alone. Undefined where the documents are not at hand.
 */
export function differencesFromDocuments(): string[] | undefined {
  if (!documents.every(([, file]) => existsSync(file))) return undefined;
  const documented = documents.flatMap(([title, file]) => readDocument(title, readFileSync(file, "utf8")));
  const listed = documentedEndpoints.map(({ section, endpoint }) => `${section}: ${endpoint}`);
  return [
    ...documented.filter((line) => !listed.includes(line)).map((line) => `- ${line}`),
    ...listed.filter((line) => !documented.includes(line)).map((line) => `+ ${line}`),
  ];
}

/** The rows of the tables of endpoints, each with its section. */
function readDocument(title: string, text: string): string[] {
  const found: string[] = [];
  let section = "";
  for (const line of text.split("\n")) {
    section = /^### (.*)/.exec(line)?.[1] ?? section;
    const [, method, path] = /^\| (GET|POST|PUT|DELETE) \| (?:\{base_url\}\/v4beta)?(\/\S+)/.exec(line) ?? [];
    if (method) found.push(`${title}, ${section}: ${method} ${path}`);
  }
  return found;
}

/** The endpoint among these that a request is for; one without parameters comes before one with. */
export function findEndpoint(endpoints: Iterable<string>, method: string, path: string): string | undefined {
  const [bare = ""] = path.split("?");
  const found = [...endpoints].filter((endpoint) => patternOf(endpoint).test(`${method} ${bare}`));
  return found.sort((a, b) => a.split("{").length - b.split("{").length)[0];
}

function patternOf(endpoint: string): RegExp {
  return new RegExp(`^${endpoint.replace(/\{\w+\}/g, "[^/]+")}$`);
}
