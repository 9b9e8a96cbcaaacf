/** The floor of each room below `src`: a file imports from a lower one, or from its own room. */
export const floors: Record<string, number> = {
  "clock.ts": 1,
  "lazy-packages.ts": 0,
  "make-folder.ts": 1,
  "packaged-file.ts": 1,
  "read-file.ts": 1,
  contract: 1,
  diagnostics: 1,
  client: 2,
  dns: 2,
  config: 2,
  "dns-client": 3,
  planner: 3,
  targets: 3,
  formats: 3,
  github: 3,
  executor: 4,
  server: 4,
  workflow: 5,
  report: 6,
  action: 7,
  cli: 7,
  library: 7,
};

/** The floors inside rooms that have some: of the folders, then of the files beside them. */
export const innerFloors: Record<string, { readonly folders: Record<string, number>; readonly files: number }> = {
  server: {
    folders: {
      store: 1,
      catalog: 1,
      kit: 2,
      web: 2,
      billing: 3,
      rules: 3,
      mail: 4,
      managed: 4,
      nodes: 4,
      transfers: 5,
      actions: 6,
      oauth: 6,
      resources: 6,
      console: 7,
      nameserver: 7,
      operator: 7,
      http: 8,
    },
    files: 9,
  },
  // octoDNS writes its zones in YAML, so it reads the tree of that format; JSON is read as YAML.
  formats: {
    folders: { kit: 1, bind: 2, yaml: 2, "dns-zonefile": 2, "server-config": 2, octodns: 3, foreign: 3 },
    files: 4,
  },
};
