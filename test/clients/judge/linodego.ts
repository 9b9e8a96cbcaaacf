import { runGoTests } from "./go-tests.ts";
import { findMissingFiles, readVersion, recordsOptions, recordsSettings, type Suite, testsOf } from "./suite.ts";

const program = "linodego/integration.test";

/** Its integration tests, as one program, in each setting of records. */
export const linodego: readonly Suite[] = recordsSettings.map((records) => ({
  client: "linodego",
  tests: testsOf(records, "its integration tests"),
  missing: () => findMissingFiles(program),
  reasons: [
    {
      found: /account_settings_test\.go:36/,
      reason: "the test answers requests to the hosted service's address itself",
    },
    {
      found: /volumes_test\.go:251: .*deadline exceeded/,
      reason: "the test waits twice until one moment, which has come after the first",
    },
    {
      found: /index out of range \[0\] with length 0/,
      reason:
        "the test takes the first of an empty list, such as of regions with a capability that the catalogue lacks",
    },
  ],
  version: async () => readVersion("linodego"),
  run: () =>
    runGoTests(
      [program],
      ({ url, token }) => ({ LINODE_URL: url, LINODE_API_VERSION: "v4beta", LINODE_TOKEN: token }),
      { only: records === "open" ? /Domain/ : /^/, options: recordsOptions(records) },
    ),
}));
