import type { Page } from "./page.ts";

export interface Section {
  readonly text: string;
  /** Paths of pages, in order. */
  readonly pages: readonly string[];
}

/** The guides by task. Each page of `docs` but those of decisions is in one section, which a test checks. */
export const guideSections: readonly Section[] = [
  { text: "Start", pages: ["getting-started", "compare", "commands", "troubleshooting"] },
  { text: "Write zones", pages: ["zone-files", "configuration", "export"] },
  { text: "Review", pages: ["guards", "ci", "action"] },
  { text: "Apply", pages: ["plan-and-apply", "drift", "exit-codes", "performance"] },
  {
    text: "Targets",
    pages: ["targets", "name-servers", "dynamic-updates", "publish", "second-provider", "split-horizon"],
  },
  {
    text: "Move",
    pages: [
      "coming-from",
      "import",
      "cut-over",
      "migrate-from-bind",
      "migrate-from-dnscontrol",
      "migrate-from-octodns",
      "migrate-from-powerdns",
      "migrate-from-terraform",
    ],
  },
  {
    text: "Run the server",
    pages: [
      "server/index",
      "server/run",
      "server/operate",
      "server/serve-at-scale",
      "server/open-records",
      "server/transfers",
      "server/clients",
      "server/oauth",
      "server/nodes",
      "server/managed",
      "server/catalogue",
      "server/billing",
    ],
  },
  { text: "Program with it", pages: ["api", "library"] },
];

/** The kinds of pages that are printed from the program, by their folders in `reference`. */
export const referenceSections: Readonly<Record<string, string>> = {
  commands: "Commands",
  "record-types": "Record types",
  settings: "Settings",
  targets: "Kinds of targets",
  guards: "Guards",
  rules: "Rules",
  errors: "Errors",
  "exit-codes": "Exit codes",
};

interface Item {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Item[];
}

/** The side bars, by the beginning of the path of a page. */
export function sidebarsOf(pages: readonly Page[]): Readonly<Record<string, readonly Item[]>> {
  const titles = new Map(pages.map(({ path, title }) => [path, title]));
  const item = (path: string): Item => ({
    text: titles.get(path) ?? path,
    link: `/${path.replace(/(^|\/)index$/, "$1")}`,
  });
  const sections = guideSections.map(({ text, pages }) => ({ text, items: pages.map(item) }));
  const isOfServer = ({ items }: Item) => items?.[0]?.link?.startsWith("/server/") ?? false;
  const kinds = Object.entries(referenceSections).map(([folder, text]) => ({ text, link: `/reference/${folder}/` }));
  const decisions = [...titles.keys()].filter((path) => path.startsWith("decisions/"));
  return {
    "/reference/": [{ text: "Reference", items: kinds }],
    "/server/": sections.filter(isOfServer),
    "/decisions/": [{ text: "Decisions", items: decisions.map(item) }],
    "/": [
      ...sections.filter((section) => !isOfServer(section)),
      { text: "Run the server", items: [{ text: "All pages", link: "/server/" }] },
      { text: "Reference", items: kinds },
    ],
  };
}
