/** What stands at the head of the help. */
export const example = `Example:
  zonewright serve                 run a DNS API locally; prints its URL and a token
  export ZONEWRIGHT_TOKEN=...
  zonewright plan                  show what would change, and in which order
  zonewright apply                 ask, write and verify
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
  zonewright plan --out plan.json            to review; then: zonewright apply plan.json
  zonewright plan --against live.json --since main
`,
  apply: `Example:
  zonewright apply                           shows the plan and asks
  zonewright apply example.com --yes         in CI, where nobody can answer
  zonewright apply plan.json --allow G05     exactly the reviewed plan
  zonewright apply --resume                  continue the last interrupted run
`,
  verify: `Example:
  zonewright verify                          every zone, at every address of its name servers
  zonewright verify example.com --nameserver 127.0.0.1:5300
`,
  snapshot: `Example:
  zonewright snapshot --out live.json        then, without a token: zonewright plan --against live.json
`,
  runs: `Example:
  zonewright runs                            list past runs
  zonewright runs 20260304T120000.000Z-1a2b3c    show what happened in one
`,
  undo: `Example:
  zonewright undo 20260304T120000.000Z-1a2b3c    shows the inverse of the run as a plan and asks
`,
  export: `Example:
  zonewright export example.com --to bind    a BIND zone file on standard output
  zonewright export --live --to yaml --out exported
  zonewright export db.example.com --origin example.com --to records
`,
  fmt: `Example:
  zonewright fmt                             every zone file of the project
  zonewright fmt --sort                      records in canonical order
  zonewright fmt --check                     for CI: show a diff, and exit with 3 if there is one
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
