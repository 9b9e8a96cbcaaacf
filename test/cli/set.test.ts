import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { shellWords } from "../docs/page.ts";
import { Desk, lines } from "./run.ts";

/** An edit, with a file before and after it. Of a character, a file has the octet in Latin-1. */
interface Row {
  readonly what: string;
  readonly file: string;
  readonly before: string;
  readonly command: string;
  readonly after: string;
}

const yaml = "zones/example.com.yaml";
const bind = "zones/example.com.zone";

const rows: Row[] = [
  {
    what: "replaces a value and keeps its comment",
    file: yaml,
    before: "records:\n  www: { A: 192.0.2.1 } # the shop\n",
    command: "set www A 192.0.2.2",
    after: "records:\n  www: { A: 192.0.2.2 } # the shop\n",
  },
  {
    what: "replaces all values, and keeps the comment of the first",
    file: bind,
    before: "$TTL 1h\nwww A 192.0.2.1 ; old\n    A 192.0.2.2\nmail A 192.0.2.3\n",
    command: "set www A 192.0.2.9",
    after: "$TTL 1h\nwww A 192.0.2.9 ; old\nmail A 192.0.2.3\n",
  },
  {
    what: "keeps the TTL of the records there",
    file: bind,
    before: "$TTL 1h\nwww 5m A 192.0.2.1\n",
    command: "set www A 192.0.2.2 192.0.2.3",
    after: "$TTL 1h\nwww 5m A 192.0.2.2\nwww 5m A 192.0.2.3\n",
  },
  {
    what: "--ttl sets another",
    file: bind,
    before: "$TTL 1h\nwww 5m A 192.0.2.1\n",
    command: "set www A 192.0.2.1 --ttl 10m",
    after: "$TTL 1h\nwww 10m A 192.0.2.1\n",
  },
  {
    what: "a new record takes the default of the file",
    file: yaml,
    before: "ttl_sec: 1h\nrecords:\n  www: { A: 192.0.2.1 }\n",
    command: "set shop A 192.0.2.2",
    after: "ttl_sec: 1h\nrecords:\n  www: { A: 192.0.2.1 }\n  shop:\n    A: 192.0.2.2\n",
  },
  {
    what: "a new record takes the most frequent TTL of a file without a default",
    file: bind,
    before: "@ 2h IN SOA ns1 a 1 2 3 4 5\nwww 5m IN A 192.0.2.1\nftp 5m IN A 192.0.2.1\n",
    command: "set shop A 192.0.2.2",
    after: "@ 2h IN SOA ns1 a 1 2 3 4 5\nwww 5m IN A 192.0.2.1\nftp 5m IN A 192.0.2.1\nshop 5m IN A 192.0.2.2\n",
  },
  {
    what: "names in values are relative to the zone",
    file: bind,
    before: "$TTL 1h\nmail A 192.0.2.25\n",
    command: "set @ MX '10 mail' '20 mx.example.net.'",
    after: "$TTL 1h\nmail A 192.0.2.25\n@ MX 10 mail\n@ MX 20 mx.example.net.\n",
  },
  {
    what: "the name may end in that of the zone, with or without a dot, in any case",
    file: yaml,
    before: "records:\n  www: { A: 192.0.2.1 }\n",
    command: "set WWW.Example.COM. aaaa 2001:DB8::1",
    after: "records:\n  www: { A: 192.0.2.1, AAAA: 2001:db8::1 }\n",
  },
  {
    what: "a text is taken as it is",
    file: bind,
    before: "$TTL 1h\nmail A 192.0.2.25\n",
    command: `set @ TXT 'see a:b -all; "x" \\'`,
    after: '$TTL 1h\nmail A 192.0.2.25\n@ TXT "see a:b -all; \\"x\\" \\\\"\n',
  },
  {
    what: "a text in quotes is read as in a zone file",
    file: bind,
    before: "$TTL 1h\nmail A 192.0.2.25\n",
    command: `set @ TXT '"one" "t\\119o"'`,
    after: '$TTL 1h\nmail A 192.0.2.25\n@ TXT "one" "two"\n',
  },
  {
    what: "a value that starts with a hyphen follows --",
    file: yaml,
    before: "records:\n  www: { A: 192.0.2.1 }\n",
    command: "set www TXT -- -all",
    after: "records:\n  www: { A: 192.0.2.1, TXT: -all }\n",
  },
  {
    what: "a wildcard",
    file: yaml,
    before: "records:\n  www: { A: 192.0.2.1 }\n",
    command: "set '*.dev' A 192.0.2.7",
    after: 'records:\n  www: { A: 192.0.2.1 }\n  "*.dev":\n    A: 192.0.2.7\n',
  },
  {
    what: "a reverse zone",
    file: "zones/2.0.192.in-addr.arpa.zone",
    before: "$TTL 1h\n1 PTR www.example.net.\n",
    command: "set 2 PTR mail.example.net.",
    after: "$TTL 1h\n1 PTR www.example.net.\n2 PTR mail.example.net.\n",
  },
  {
    what: "a file with Windows line ends and no line end at its end",
    file: bind,
    before: "$TTL 1h\r\nwww A 192.0.2.1\r\nzzz A 192.0.2.3",
    command: "set www AAAA 2001:db8::1",
    after: "$TTL 1h\r\nwww A 192.0.2.1\r\nwww AAAA 2001:db8::1\r\nzzz A 192.0.2.3",
  },
  {
    what: "below another $ORIGIN",
    file: bind,
    before: "$TTL 1h\nwww A 192.0.2.1\n$ORIGIN eu.example.com.\nwww A 192.0.2.2 ; Europe\n",
    command: "set www.eu A 192.0.2.3",
    after: "$TTL 1h\nwww A 192.0.2.1\n$ORIGIN eu.example.com.\nwww A 192.0.2.3 ; Europe\n",
  },
  {
    what: "a record in parentheses over several lines",
    file: bind,
    before: "$TTL 1h\nsip SRV ( 0 ; priority\n  5 ; weight\n  5060 ; port\n  www )\nwww A 192.0.2.1\n",
    command: "set sip SRV '0 5 5061 www'",
    after: "$TTL 1h\nsip SRV ( 0 ; priority\n  5 ; weight\n  5061 ; port\n  www )\nwww A 192.0.2.1\n",
  },
  {
    what: "one user of a YAML anchor",
    file: yaml,
    before: "records:\n  a: &web { A: 192.0.2.1 }\n  b: *web\n  c: *web\n",
    command: "set b A 192.0.2.2",
    after: "records:\n  a: &web { A: 192.0.2.1 }\n  b: {A: 192.0.2.2}\n  c: *web\n",
  },
  {
    what: "octets that are not UTF-8 stay",
    file: bind,
    before: Buffer.from("$TTL 1h\n; caf\u00e9\nwww A 192.0.2.1\n", "latin1").toString("latin1"),
    command: "set www A 192.0.2.2",
    after: "$TTL 1h\n; caf\u00e9\nwww A 192.0.2.2\n",
  },
  {
    what: "unset removes an RRset, with the name that has nothing else",
    file: yaml,
    before: "records:\n  www: { A: 192.0.2.1 }\n  shop: { A: 192.0.2.2 }\n",
    command: "unset shop A",
    after: "records:\n  www: { A: 192.0.2.1 }\n",
  },
  {
    what: "unset removes values, whatever their spelling",
    file: bind,
    before: "$TTL 1h\nwww AAAA 2001:db8::1 ; one\n    AAAA 2001:db8::2 ; two\n    AAAA 2001:db8::3 ; three\n",
    command: "unset www AAAA 2001:DB8:0::2 2001:db8::3",
    after: "$TTL 1h\nwww AAAA 2001:db8::1 ; one\n",
  },
  {
    what: "unset finds a text whatever its strings",
    file: bind,
    before: '$TTL 1h\nwww TXT "v=spf1 " "-all"\nwww TXT "b"\n',
    command: "unset www TXT 'v=spf1 -all'",
    after: '$TTL 1h\nwww TXT "b"\n',
  },
  {
    what: "unset of an RRset that overrides one of a template leaves the override",
    file: yaml,
    before: "templates: [mail]\nrecords:\n  www: { TXT: { override: true, values: b } }\n",
    command: "unset www TXT",
    after: "templates: [mail]\nrecords:\n  www: { TXT: { override: true, values: [] } }\n",
  },
];

const config = "defaults: { soa_email: a@example.com }\n";
const template = "records:\n  www: { TXT: a }\n";

test.each(rows)("$what", async ({ file, before, command, after }) => {
  const desk = new Desk({ "zonewright.yaml": config });
  if (before.includes("templates:")) desk.write("templates/mail.yaml", template);
  desk.write(file, Buffer.from(before, "latin1"));
  const read = () => readFileSync(join(desk.folder, file), "latin1");
  const zone = /([^/]+)\.\w+$/.exec(file)?.[1];
  const [word = "", ...words] = shellWords(command);
  const checked = await desk.run([word, "--check", ...words]);
  expect([checked.code, read()]).toEqual([3, before]);
  const { code, out, talk } = await desk.run([word, ...words]);
  expect(out).toBe(checked.out);
  expect([read(), code]).toEqual([after, 0]);
  expect(talk).toMatch(new RegExp(`wrote ${file}\nnext: \`zonewright plan ${zone}\`\n$`));
  if (command.startsWith("unset")) return;
  const again = await desk.run(shellWords(command));
  expect([read(), again.code, again.out]).toEqual([after, 0, ""]);
  expect(again.talk).toMatch(/^\S+ is unchanged: .* is as wanted already\n$/);
});

const zone = "soa_email: a@example.com\nrecords:\n  www: { A: 192.0.2.1 } # the shop\n";

test("shows the change, and names the next command with the options of the project", async () => {
  const desk = new Desk({ "zw/other.yaml": "zones: sites\n", "zw/sites/example.com.yaml": zone });
  const command = "set www.example.com A 192.0.2.2 --config zw/other.yaml";
  const out = lines`
    --- zw/sites/example.com.yaml
    +++ zw/sites/example.com.yaml
    @@ -1,3 +1,3 @@
     soa_email: a@example.com
     records:
    -  www: { A: 192.0.2.1 } # the shop
    +  www: { A: 192.0.2.2 } # the shop
  `;
  const talk = "zw/sites/example.com.yaml would change\n";
  expect(await desk.run(`${command} --check`)).toEqual({ code: 3, out, talk });
  expect(await desk.run(command)).toEqual({
    code: 0,
    out,
    talk: "wrote zw/sites/example.com.yaml\nnext: `zonewright plan example.com --config zw/other.yaml`\n",
  });
  expect((await desk.run("unset www A --config zw/other.yaml --quiet")).talk).toBe("");
});

test("colours the change at a terminal", async () => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  desk.obeys = true;
  const { out } = await desk.run("set www A 192.0.2.2 --check --color always");
  expect(out.replaceAll("\u001b", "^")).toBe(lines`
    ^[1m--- zones/example.com.yaml^[22m
    ^[1m+++ zones/example.com.yaml^[22m
    ^[36m@@ -1,3 +1,3 @@^[39m
     soa_email: a@example.com
     records:
    ^[31m-  www: { A: 192.0.2.1 } # the shop^[39m
    ^[34m+  www: { A: 192.0.2.2 } # the shop^[39m
  `);
});

/** Names and the files that they edit, in a project of zones below each other. */
const names: [command: string, file: string][] = [
  ["set www.example.com A 192.0.2.2", "zones/example.com.yaml"],
  ["set www.eu.example.com A 192.0.2.2", "zones/eu.example.com.yaml"],
  ["set www.eu A 192.0.2.2 --zone example.com", "zones/example.com.yaml"],
  ["set eu.example.com A 192.0.2.2", "zones/eu.example.com.yaml"],
  ["set eu.example.com DS '1 13 2 ${digest}'", "zones/example.com.yaml"],
  ["set www A 192.0.2.2 --zone eu.example.com.", "zones/eu.example.com.yaml"],
  ["set @ A 192.0.2.2 --zone zones/eu.example.com.yaml", "zones/eu.example.com.yaml"],
];

test.each(names)("%s edits %s", async (command, file) => {
  const ns = "  eu: { NS: [ns1.example.net., ns2.example.net.] }\n";
  const desk = new Desk({
    "zonewright.yaml": "api_records: open\n",
    "zones/example.com.yaml": zone + ns,
    "zones/eu.example.com.yaml": zone,
  });
  const digest = "0".repeat(64);
  const { talk } = await desk.run(shellWords(command.replace("${digest}", digest)));
  expect(talk).toContain(`wrote ${file}\n`);
});

test("notes names in other scripts, and writes what they become", async () => {
  const desk = new Desk({ "zones/example.com.yaml": zone });
  const { out, talk } = await desk.run("set bücher CNAME müller.example.net.");
  expect(out).toContain("+  xn--bcher-kva:\n+    CNAME: xn--mller-kva.example.net.\n");
  expect(talk).toBe(lines`
    note[idn-converted] bücher is stored as xn--bcher-kva

    note[idn-converted] müller.example.net. is stored as xn--mller-kva.example.net.
    wrote zones/example.com.yaml
    next: ${"`zonewright plan example.com`"}
  `);
});

test("the advice for a name with a CNAME record leads to the address", async () => {
  const zone = 'soa_email: a@example.com\nrecords:\n  www: { CNAME: "@" }\n  "@": { A: 192.0.2.1 }\n';
  const desk = new Desk({ [yaml]: zone });
  const { code, talk } = await desk.run("set www A 192.0.2.9");
  const [, advice = ""] = /^first: `zonewright (.*)`$/m.exec(talk) ?? [];
  expect({ code, advice }).toEqual({ code: 3, advice: "unset www.example.com. CNAME" });
  expect((await desk.run(advice)).code).toBe(0);
  expect((await desk.run("set www A 192.0.2.9")).code).toBe(0);
  expect(readFileSync(join(desk.folder, yaml), "utf8")).toContain("192.0.2.9");
});
