import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import pMap from "p-map";
import { withServer } from "./server.ts";
import {
  clientsFolder,
  findMissingFiles,
  type Outcome,
  readVersion,
  runProgram,
  type Suite,
  versionOf,
} from "./suite.ts";

const playbook = join(clientsFolder, "venv/bin/ansible-playbook");
const collection = "ansible/ansible_collections/linode/cloud";
const targets = join(collection, "tests/integration/targets");

/** Targets of what the server has. */
const areas =
  /^(?:account_(?:info|settings)|api|domain|event|firewall|image_(?:basic|list)|instance|ip|profile|region|token|type|user|volume)_/;

/** The integration targets of the collection linode.cloud, each with a server of its own. */
export const ansible: Suite = {
  client: "Ansible, collection linode.cloud",
  tests:
    "its integration targets of the account, domains, events, firewalls, images, nodes, addresses, profile, regions, tokens, types, users and volumes",
  missing: () => findMissingFiles("venv/bin/ansible-playbook", targets),
  version: async () => `${await versionOf([playbook, "--version"], clientsFolder)}, ${readVersion("ansible")}`,
  reasons: [
    { found: /Failed to resolve 'api\.linode\.com'/, reason: "the target asks the hosted service itself" },
    { found: /interfaces\[0\]\.purpose is required/, reason: "nodes have interfaces in configuration profiles only" },
    { found: /not ip_rdns_removed_again\.changed/, reason: "the test expects names in domains of the hosted service" },
    { found: /record_create\.record\.weight == 55/, reason: "only SRV records have a weight" },
    { found: /"assertion": "profile\.profile\.email/, reason: "the user has no e-mail address" },
  ],
  run: () =>
    pMap(
      readdirSync(join(clientsFolder, targets)).filter((name) => areas.test(name)),
      runTarget,
      { concurrency: 4 },
    ),
};

/** Targets that expect a job to take longer than no time at all. */
const slow: ReadonlySet<string> = new Set(["instance_timeout"]);

async function runTarget(test: string): Promise<Outcome> {
  const { value, requests } = await withServer(
    async ({ url, token, folder }) => {
      const firewall = await createFirewall(url, token);
      const vars = {
        api_token: token,
        api_url: `${url}/`,
        api_version: "v4beta",
        ca_file: "",
        ua_prefix: "E2E",
        firewall_id: firewall,
      };
      const play = { hosts: "localhost", gather_facts: false, vars, roles: [test] };
      writeFileSync(join(folder, "play.yml"), JSON.stringify([play]));
      const env = {
        ANSIBLE_COLLECTIONS_PATH: join(clientsFolder, "ansible"),
        ANSIBLE_ROLES_PATH: join(clientsFolder, targets),
        ANSIBLE_PYTHON_INTERPRETER: join(clientsFolder, "venv/bin/python"),
        ANSIBLE_NOCOLOR: "1",
        ANSIBLE_LOCALHOST_WARNING: "False",
      };
      return runProgram([playbook, "play.yml"], { cwd: folder, env, seconds: 300 });
    },
    slow.has(test) ? ["--job-time", "0.3"] : [],
  );
  return { test, result: value.code === 0 ? "passed" : "failed", output: fromFirstError(value.text), requests };
}

/** The firewall of all nodes of a target, which the collection's own runner creates first. */
async function createFirewall(url: string, token: string): Promise<number> {
  const rules = { inbound: [], inbound_policy: "DROP", outbound: [], outbound_policy: "ACCEPT" };
  const reply = await fetch(`${url}/v4/networking/firewalls`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ label: "ansible-tests", rules }),
  });
  const { id } = (await reply.json()) as { id: number };
  return id;
}

/** The output of a play from its first error on: later errors follow from it, for example when it cleans up. */
function fromFirstError(text: string): string {
  const start = text.search(/^\[ERROR\]|^fatal: /m);
  return start < 0 ? text : text.slice(start, start + 3000);
}
