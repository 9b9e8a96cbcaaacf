/** What stands at the head of the help. */
export const example = `Example:
  zonewright serve                 a DNS API on this machine; prints its URL and a token
  export ZONEWRIGHT_TOKEN=...
  zonewright plan                  what would change, and in which order
  zonewright apply                 ask, write, read back
`;

/** What stands at the head of the help of each command. */
export const examples = {
  validate: `Example:
  zonewright validate                        every zone file of the project
  zonewright validate zones/example.com.yaml --report json
`,
  explain: `Example:
  zonewright explain                         every rule, guard and exit code
  zonewright explain private-address
`,
  plan: `Example:
  zonewright plan                            every zone of the project
  zonewright plan example.com --detailed-exitcode
  zonewright plan --out plan.json            for review; then: zonewright apply plan.json
  zonewright plan --against live.json --since main
`,
  apply: `Example:
  zonewright apply                           shows the plan and asks
  zonewright apply example.com --yes         where nobody can answer
  zonewright apply plan.json --allow G05     a reviewed plan, and no other
  zonewright apply --resume                  the zones of the last run, if it was cut off
`,
  verify: `Example:
  zonewright verify                          every zone of the project, at every address of its name servers
  zonewright verify example.com --nameserver 127.0.0.1:5300
`,
  snapshot: `Example:
  zonewright snapshot --out live.json        then, without a token: zonewright plan --against live.json
`,
  runs: `Example:
  zonewright runs                            what was applied from here
  zonewright runs 20260304T120000.000Z-1a2b3c    what happened in one run
`,
  undo: `Example:
  zonewright undo 20260304T120000.000Z-1a2b3c    shows the inverse of the run as a plan, and asks
`,
  export: `Example:
  zonewright export example.com --to bind    a master file on standard output
  zonewright export --live --to yaml --out exported
  zonewright export db.example.com --origin example.com --to records
`,
  fmt: `Example:
  zonewright fmt                             every zone file of the project
  zonewright fmt --sort                      records in canonical order
  zonewright fmt --check                     for CI: a diff, and exit 3 where one is needed
  zonewright fmt zones/example.com.zone --to yaml
`,
  import: `Example:
  zonewright import api                      the zones of the account as zones/*.yaml
`,
  "import api": `Example:
  zonewright import api                      the zones of the account as zones/*.yaml
  zonewright import api example.com --to bind
`,
  serve: `Example:
  zonewright serve                           on http://127.0.0.1:4119, data in .zonewright/data
  zonewright serve --ephemeral --port 0 --token secret-for-tests
`,
};
