import { readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import pMap from "p-map";
import { withServer } from "./server.ts";
import {
  clientsFolder,
  findMissingFiles,
  type Outcome,
  recordsOptions,
  recordsSettings,
  runProgram,
  type Suite,
  testsOf,
  versionOf,
} from "./suite.ts";

const python = join(clientsFolder, "venv/bin/python");
const tests = "linode_api4/test/integration";

/** The integration tests of linode_api4: each file of them in a process, with a server of its own. */
export const linodeApi4: readonly Suite[] = recordsSettings.map((records) => ({
  client: "linode_api4",
  tests: testsOf(records, "its integration tests"),
  missing: () => findMissingFiles("venv/bin/pytest", tests),
  version: async () => {
    const program = "import importlib.metadata as m; print(m.version('linode_api4'))";
    return versionOf([python, "-c", program], clientsFolder);
  },
  reasons: [
    {
      found: /nodebalancer\/test_nodebalancer\.py:\d+: AttributeError/,
      reason: "the test needs a firewall for the public address of the machine, which was switched off",
    },
    {
      found: /test_networking\.py:472: KeyError/,
      reason: "zonewright does not serve `/networking/reserved/ips/types`",
    },
    {
      found: /POST \/v4beta\/volumes: \[400\] Linode busy/,
      reason: "the test attaches a volume to a node that is still being created, which the API refuses as busy",
    },
    {
      found: /\/(?:boot|shutdown): \[400\] Linode busy/,
      reason: "the test boots or shuts down a node with an unfinished job, which the API refuses as busy",
    },
    {
      found: /^\S+::test_linode_resize_with_migration_type$/m,
      reason: "the event of a resize exists when its request is answered, and the test waits for one that comes later",
    },
    {
      found: /def test_linode_initate_migration/,
      reason: "a node that moves to another region is `migrating`, and the test expects `offline`",
    },
    {
      found: /\/disks: \[400\] size: Not enough unallocated space/,
      reason: "the size of the first disk cannot be chosen",
    },
    {
      found: /IndexError: Cannot choose from an empty sequence/,
      reason: "the catalogue has no region with the capabilities that the test asks for",
    },
  ],
  run: async () => {
    const files = readdirSync(join(clientsFolder, tests), { recursive: true, encoding: "utf8" });
    const modules = files.filter((file) => (records === "open" ? /test_domain\.py$/ : /test_\w+\.py$/).test(file));
    const parts = modules.flatMap((file) => (slow.has(file) ? listTests(file) : [file]));
    const outcomes = await pMap(parts, (file) => runTests(file, recordsOptions(records)), { concurrency: 8 });
    return outcomes.flat();
  },
}));

/**
 * Files whose tests wait for a minute or more each, so that they run side by side. Some look every ten seconds for a
 * status that a job has meanwhile, so jobs are slower there.
 */
const slow: ReadonlySet<string> = new Set(["models/linode/test_linode.py"]);

/** The tests of a file and of its classes: `FILE::NAME`, `FILE::CLASS::NAME`. */
function listTests(file: string): string[] {
  const source = readFileSync(join(clientsFolder, tests, file), "utf8");
  let group = "";
  return [...source.matchAll(/^class (\w+)|^( *)def (test_\w+)/gm)].flatMap(([, name, indent, test]) => {
    group = name ?? (indent === "" ? "" : group);
    if (test === undefined) return [];
    return [[file, ...(group === "" ? [] : [group]), test].join("::")];
  });
}

/** Runs a file, or one test of it. */
async function runTests(file: string, options: readonly string[]): Promise<Outcome[]> {
  const isSlow = slow.has(file.replace(/::.*/, ""));
  const { value } = await withServer(
    async ({ url, token, folder }) => {
      symlinkSync(join(clientsFolder, "linode_api4/test"), join(folder, "test"));
      const words = ["-m", "pytest", "-q", "--timeout", "240", "-p", "no:cacheprovider", "--junitxml", "results.xml"];
      const env = { LINODE_TOKEN: token, LINODE_API_URL: `${url}/v4beta`, SKIP_E2E_FIREWALL: "1", PYTHONPATH: folder };
      const { text } = await runProgram([python, ...words, join("test/integration", file)], {
        cwd: folder,
        env,
        seconds: 900,
      });
      try {
        return readJUnit(readFileSync(join(folder, "results.xml"), "utf8"));
      } catch {
        return [{ test: file, result: "failed" as const, output: `${file}\n${text}` }];
      }
    },
    [...options, ...(isSlow ? ["--job-time", "0.3"] : [])],
  );
  return value;
}

/** Reads the results that pytest writes. */
function readJUnit(text: string): Outcome[] {
  return [...text.matchAll(/<testcase ([^>]*?)(?:\/>|>([\s\S]*?)<\/testcase>)/g)].map(([, head = "", body = ""]) => {
    const [, test = ""] = /\bname="([^"]*)"/.exec(head) ?? [];
    const result = /<(?:failure|error)\b/.test(body) ? "failed" : /<skipped\b/.test(body) ? "skipped" : "passed";
    return { test, result, output: body };
  });
}
