import type { Page } from "./page.ts";

export interface Section {
  readonly text: string;
  /** What each page answers, by its path, in order. */
  readonly pages: Readonly<Record<string, string>>;
}

/** The guides by task. Each page of `docs` but those of decisions is in one section, which a test checks. */
export const guideSections: readonly Section[] = [
  {
    text: "Start",
    pages: {
      "getting-started": "install, import your zones, make a change, undo it",
      compare: "reasons, figures beside octoDNS, DNSControl and Terraform, and when to choose them",
      commands: "what each command does, with all options",
      troubleshooting: "the most common messages, and what to do",
    },
  },
  {
    text: "Write zones",
    pages: {
      "zone-files": "YAML and BIND formats, TTLs, templates, and what `validate` finds",
      configuration: "settings, API tokens and their scopes",
      export: "BIND files, octoDNS and other forms from your zones",
    },
  },
  {
    text: "Review",
    pages: {
      guards: "risky changes that are blocked, and how to approve them",
      ci: "plans as comments in pull requests, on GitHub and elsewhere",
      action: "inputs and outputs of the GitHub action",
    },
  },
  {
    text: "Apply",
    pages: {
      "plan-and-apply": "the order of changes, what resolvers see meanwhile, interruptions and undo",
      drift: "changes that someone made outside git",
      "exit-codes": "how a command ended, for scripts and CI",
      performance: "time and memory of large projects",
    },
  },
  {
    text: "Targets",
    pages: {
      targets: "the services that zonewright writes to: the API, PowerDNS, name servers, zone files",
      "name-servers": "BIND, Knot, NSD and PowerDNS by dynamic updates (RFC 2136)",
      "dynamic-updates": "how each server treats an update, also of a signed zone (DNSSEC)",
      publish: "zone files for a name server that loads them, and catalog zones",
      "second-provider": "one zone at two services",
      "split-horizon": "different answers inside and outside",
    },
  },
  {
    text: "Move",
    pages: {
      "coming-from": "which page is for your tool",
      import: "many zones by transfer (AXFR), with a ledger of what arrived",
      "cut-over": "compare old and new name servers, then change the delegation",
      "migrate-from-bind": "from zone files of BIND",
      "migrate-from-dnscontrol": "from dnsconfig.js",
      "migrate-from-octodns": "from octoDNS files",
      "migrate-from-powerdns": "from a running PowerDNS",
      "migrate-from-terraform": "from a state file",
    },
  },
  {
    text: "Run the server",
    pages: {
      "server/index": "the API on your laptop or your own machine",
      "server/run": "systemd, containers, probes, metrics",
      "server/operate": "users, backups, upgrades, the name server, limits",
      "server/serve-at-scale": "a hidden primary and its secondaries",
      "server/open-records": "TLSA, SSHFP, ALIAS and every other type",
      "server/transfers": "domains and nodes for another account",
      "server/clients": "other programs that use the API, and what works",
      "server/oauth": "applications that act for your users",
      "server/nodes": "nodes whose addresses records follow",
      "server/managed": "checks of services, and their credentials",
      "server/catalogue": "the list of plans and regions",
      "server/billing": "usage, invoices and credits",
    },
  },
  {
    text: "Program with it",
    pages: { api: "any operation from the command line", library: "zone files, plans and the server in TypeScript" },
  },
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
  const sections = guideSections.map(({ text, pages }) => ({ text, items: Object.keys(pages).map(item) }));
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
