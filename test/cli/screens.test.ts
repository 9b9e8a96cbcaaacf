import { expect, test } from "vitest";
import { columns } from "../../src/report/text/columns.ts";
import { apiDesk, Desk } from "./run.ts";

/** A project whose every command has something to say. */
const files = {
  "zonewright.yaml": "rules: { apex-ns: off }\n",
  "acks.yaml": "[]\n",
  "zones/example.com.yaml": `soa_email: hostmaster@example.com
ttl_sec: 1h
records:
  "@":
    A: [192.0.2.10, 10.0.0.1]
    MX: 10 mail.a-provider-with-a-rather-long-name.example.org.
    TXT: "v=spf1 include:_spf.example.org -all"
  www: { CNAME: "@" }
  shop: { CNAME: shops.example.net. }
  mail: { A: { ttl_sec: 100, values: 192.0.2.25 } }
  a-name-that-is-longer-than-most-others.servers: { TXT: "a text that is too long for a line of a terminal, and therefore shortened in the middle" }
`,
  "zones/example.net.zone":
    "$TTL 3600\n@ IN SOA ns1.example.net. hostmaster.example.net. 1 14400 3600 1209600 300\n@ A 198.51.100.1\n",
  "dir/db.example.org":
    "$ORIGIN example.org.\n$TTL 301\n@ IN SOA ns1 hostmaster 1 14400 3600 1209600 300\n@ NS ns1\nns1 A 192.0.2.53\n@ HINFO pc unix\nwww 77 A 192.0.2.1\n",
  "broken/zones/example.com.yaml": "records:\n  www: { A: 192.0.2.256 }\n  ftp: { CNAME: server.example.net }\n",
  "body.txt": "The zone is served again.",
  "key.pub": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl alice\n",
  "samples.jsonl": "",
};

/** Each command, in an order that gives the later ones something to show. */
const commands = [
  "validate",
  "validate --zones broken/zones",
  "validate nothing.example",
  "explain private-address",
  "explain G05",
  "explain 5",
  "plan",
  "plan --summary",
  "plan --out plan.json",
  "plan --zones broken/zones",
  "apply example.com --yes",
  "apply example.com --yes --allow G12",
  "apply --yes",
  "apply --yes --verbose",
  "apply nothing.json --yes",
  "runs",
  "runs last",
  "runs 1999",
  "runs --report json",
  "runs last --report json",
  "snapshot --out live.json",
  "HAND EDIT",
  "drift",
  "drift --snapshot live.json --full",
  "drift --snapshot live.json --full --write",
  "plan",
  "compare live zones",
  "compare live zones --ttl",
  "undo last",
  "expand example.com",
  "export example.com --to bind",
  "export --to octodns --out exported",
  "export --to dnsmasq",
  "fmt --check",
  "fmt",
  "set www A 192.0.2.99 --zone example.com --check",
  "unset nothing A --zone example.com",
  "verify",
  "verify example.com --nameserver 127.0.0.1:1 --wait 1s",
  "doctor",
  "doctor --nameserver 127.0.0.1:1",
  "doctor --ci",
  "import api",
  "import file dir/db.example.org --zones imported",
  "import file dir/db.example.org --zones imported --max-loss 0",
  "import axfr example.org --from 127.0.0.1:1 --zones imported",
  "import remote example.org --from 192.0.2.1 --zones imported",
  "import status --zones imported",
  "init",
  "init --from empty --yes --zone example.org",
  "api",
  "api list-domains",
  "api get-domain 1",
  "api update-domain 1 --set descriptio=x",
  "api list-domain-records 1",
  "api delete-domain 99",
  "serve --port 99999",
  "completion tcsh",
  "help zones",
  "help coming-from",
  "man",
  "demo --full --pull-request",
  "pln",
  "plan --unknown",
];

/** The commands for the server's own database. */
const serverCommands = [
  "server token list --data nowhere",
  "server token create --user alice",
  "server user add alice",
  "server token create --user alice",
  "server token list",
  "server token revoke 99",
  "server user add bob --restricted",
  "server user add carol --account alice",
  "server user list",
  "server user key add alice key.pub",
  "server user key list",
  "server user key remove 99",
  "server user password alice",
  "server user grant bob example.com read_write",
  "server user access bob read_only",
  "server backup saved.db",
  "server copy",
  "server operator client list",
  "server operator client disable x",
  "server operator client suspend x",
  "server operator client enable x",
  "server operator account list",
  "server operator account statement alice",
  "server operator account pay alice 10",
  "server operator account reopen alice",
  "server operator maintenance add 1 reboot --at 2026-03-05T12:00:00Z",
  "server operator maintenance list",
  "server operator maintenance start 1",
  "server operator maintenance end 1",
  "server operator credential list",
  "server operator credential show 1",
  "server operator managed on alice",
  "server operator managed off alice",
  "server operator node list",
  "server operator node crash 1",
  "server operator node sample 1 samples.jsonl",
  "server operator notice add planned-work A-message",
  "server operator notice list",
  "server operator notice remove 99",
  "server operator sshkey show alice",
  "server operator sshkey renew alice",
  "server operator ticket list",
  "server operator ticket show 1",
  "server operator ticket reply 1 --file body.txt",
  "server operator ticket open alice Summary --file body.txt",
  "server operator ticket list",
  "server operator ticket show 1",
  "server operator ticket close 1",
  "server operator ticket files 1",
];

/** Runs all commands at a width of the terminal; undefined for a pipe. */
type Screens = readonly { readonly command: string; readonly text: string }[];

const shown = new Map<number | undefined, Promise<Screens>>();

function screens(width: number | undefined): Promise<Screens> {
  const known = shown.get(width) ?? show(width);
  shown.set(width, known);
  return known;
}

async function show(width: number | undefined): Promise<Screens> {
  const desk = await apiDesk(files);
  desk.width = width;
  const pages: { command: string; text: string }[] = [];
  const run = async (at: Desk, command: string) => {
    at.now = new Date(at.now.getTime() + 60_000); // runs are listed by their times
    // The manual page is of another program, which may be missing.
    const { code, out, talk } = await at.run(command, command === "man" ? { env: { PATH: "" } } : {});
    const messages = talk === "" ? "" : `--- messages\n${talk}`;
    pages.push({ command, text: steady(`$ zonewright ${command}\n${out}${messages}--- exit code ${code}\n`) });
  };
  for (const command of commands) {
    if (command !== "HAND EDIT") await run(desk, command);
    else await desk.call("POST", "/domains/1/records", { type: "A", name: "vpn", target: "192.0.2.99" });
  }
  const server = new Desk({ "key.pub": files["key.pub"], "body.txt": files["body.txt"], "samples.jsonl": "" });
  server.width = width;
  server.input = "a password of several words\nand a second line\n";
  for (const command of serverCommands) await run(server, command);
  return pages;
}

/** Without what differs from run to run or between machines. */
function steady(text: string): string {
  return text
    .replaceAll(/^[0-9a-f]{64}$/gm, "TOKEN")
    .replaceAll(/\b[0-9a-f]{8}(?= {2})/g, "TOKENBEG")
    .replaceAll(/(?<=\.000Z-)[0-9a-f]{6}/g, "ENDING")
    .replaceAll(/Node v[\d.]+/g, "Node VERSION")
    .replaceAll(/(?<=^ok {4}runs)\s.*?(?=can be written)/gms, " FOLDER ")
    .replaceAll(/\d+(?= seconds (?:behind|ahead))/g, "NNNNNNNN")
    .replaceAll(/\d+ KiB/g, "NNN KiB")
    .replaceAll(/(?<=PRIVATE KEY-----\n).*?(?=-----END)/gs, "KEY\n")
    .replaceAll(/(?<=^ssh-ed25519 )\S+/gm, "KEY");
}

/** Commands that print data, which stays as it is. */
const data = /^(?:runs .*json|expand|export|fmt --check|completion|server operator sshkey)/;

/** Lines of files, and words that are longer than a line, stay as long as they are. */
function isExact(line: string): boolean {
  return /^ *\d* \| /.test(line) || !line.trim().includes(" ");
}

const pageOf = (screens: readonly { text: string }[]) => screens.map(({ text }) => text).join("\n");

test.each([80, 100])("every command on a terminal of %i columns", async (width) => {
  const all = await screens(width);
  await expect(pageOf(all)).toMatchFileSnapshot(`../cases/screens/${width}.txt`);
  const texts = all.filter(({ command }) => !data.test(command)).flatMap(({ text }) => text.split("\n"));
  expect(texts.filter((line) => columns(line) > width && !isExact(line))).toEqual([]);
});

/** Commands whose lines are shortened on a terminal, or have another layout there. */
const tables =
  /^(?:plan|apply|drift|undo|api|help|server token list|compare|server user (?:list|key list)|server operator \S+ (?:list|show|statement))/;

test("in a pipe, lines stay whole, with the words of the terminal", async () => {
  const [piped, narrow] = [await screens(undefined), await screens(80)];
  await expect(pageOf(piped)).toMatchFileSnapshot("../cases/screens/pipe.txt");
  const words = (text: string) => text.split(/\s+/).filter((word) => word !== "\\");
  for (const [index, { command, text }] of piped.entries())
    if (!tables.test(command)) expect([command, words(narrow[index]?.text ?? "")]).toEqual([command, words(text)]);
  const { text = "" } = piped.find(({ command }) => command === "explain private-address") ?? {};
  expect(text).toContain("are unreachable from the internet, and private ones reveal internal hosts");
});

test("every command has a screen", async () => {
  const { out } = await new Desk().run("man --source");
  const names = [...out.matchAll(/^\.SS zonewright ([a-z -]+[a-z])/gm)].map(([, name = ""]) => name);
  const all = [...commands, ...serverCommands];
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !all.some((command) => `${command} `.startsWith(`${name} `)))).toEqual([]);
});

test.each([80, 100])("the help of every command fits %i columns", async (width) => {
  const desk = new Desk();
  desk.width = width;
  for (const command of ["", ...commands, ...serverCommands]) {
    const words = command
      .split(" ")
      .filter((word) => /^[a-z]+$/.test(word))
      .slice(0, 2);
    const { out } = await desk.run([...words, "--help"]);
    expect(out.split("\n").filter((line) => columns(line) > width && !isExact(line))).toEqual([]);
  }
});
