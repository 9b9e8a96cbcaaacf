import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { askSoa } from "../../src/dns-client/ask.ts";
import { Desk } from "../cli/run.ts";
import { findProgram, isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { startFileServer } from "../targets/files/file-servers.ts";
import { readPage, root, Screen, shellWords } from "./page.ts";

const path = "docs/migrate-from-bind.md";
const title = "## BIND goes on serving the zones\n";

const served = `$TTL 1h
@       IN SOA ns1.example.net. hostmaster 2026030401 4h 1h 2w 1h
        IN NS  ns1.example.net.
        IN MX  10 mail
mail    IN A   192.0.2.25
`;

test.skipIf(isMissing("named", "dig"))(
  `${path}: a BIND with zones gets its files from zonewright, and answers all the time`,
  async () => {
    const desk = new Desk();
    desk.width = 100;
    desk.write("etc/db.example.com", served);
    const server = await startFileServer("bind", { "example.com": join(desk.folder, "etc/db.example.com") });
    onTestFinished(() => server.stop());
    const rndc = [findProgram("rndc"), ...server.reload.slice(1, -2)].join(" ");
    const bind = dirname(server.reload[server.reload.indexOf("-k") + 1] ?? "");
    const config = readFileSync(join(bind, "config"), "utf8").replace(/^zone .*$/m, "");
    writeFileSync(join(bind, "config"), `${config}include "${join(desk.folder, "etc/named.conf.local")}";\n`);
    desk.write("bin/rndc", `#!/bin/sh\nexec ${rndc} "$@"\n`);
    execFileSync("chmod", ["+x", join(desk.folder, "bin/rndc")]);
    const PATH = `${join(desk.folder, "bin")}:${process.env.PATH}`;
    desk.env.PATH = PATH;
    desk.sleep = async (ms) => {
      desk.waited -= ms;
      await wait(ms);
    };
    const local = (text: string) =>
      text
        .replaceAll("/srv/zones", join(desk.folder, "srv"))
        .replaceAll("/etc/bind", join(desk.folder, "etc"))
        .replace("verify_at: 127.0.0.1", `verify_at: 127.0.0.1:${server.port}`)
        .replace("dig +short", `dig +short -p ${server.port}`);
    desk.shown.push([join(desk.folder, "srv"), "/srv/zones"]);

    // Every answer in the meantime, by its serial.
    const serials = new Map<number | string, number>();
    let isOver = false;
    onTestFinished(() => {
      isOver = true;
    });
    const asked = (async () => {
      while (!isOver) {
        const found = askSoa({ host: "127.0.0.1", port: server.port }, domainName("example.com."));
        const serial = await found.then(
          ({ data }) => data.serial,
          ({ message }) => String(message),
        );
        await wait(1);
        serials.set(serial, (serials.get(serial) ?? 0) + 1);
      }
    })();

    const page = readPage(path);
    const start = page.indexOf(title) + title.length;
    let shown = page.slice(0, start);
    let at = start;
    const end = page.indexOf("\n## ", start);
    const part = /^```(?<kind>console|yaml)\n(?<body>.*?)^```$/gms;
    for (const { 0: all, index, groups: { kind, body = "" } = {} } of page.slice(start, end).matchAll(part)) {
      shown += page.slice(at, start + index);
      at = start + index + all.length;
      if (kind === "yaml") desk.write("zonewright.yaml", local(body));
      shown += kind === "yaml" ? all : `\`\`\`console\n${await transcript(body)}\`\`\``;
    }
    isOver = true;
    await asked;
    expect([...serials.keys()]).toEqual([2026030401, 2026030402]);
    await expect(shown + page.slice(at)).toMatchFileSnapshot(join(root, path));

    async function transcript(body: string): Promise<string> {
      let text = "";
      for (const [, command = ""] of body.matchAll(/^\$ (.+)$/gm)) text += `$ ${command}\n${await run(local(command))}`;
      return text;
    }

    async function run(command: string): Promise<string> {
      const [, words, file] = /^zonewright (.*?)(?: > (\S+))?$/.exec(command) ?? [];
      if (words === undefined)
        return execFileSync("sh", ["-ec", command], {
          cwd: desk.folder,
          env: { ...process.env, PATH },
          encoding: "utf8",
        });
      const screen = new Screen();
      await desk.run(shellWords(words), { output: screen });
      if (file !== undefined) writeFileSync(file, screen.out);
      const text = file === undefined ? screen.text : "";
      return desk.shown.reduce((text, [varying, word]) => text.replaceAll(varying, word), text);
    }
  },
  60_000,
);
