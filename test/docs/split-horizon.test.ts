// @suite long
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { Desk } from "../cli/run.ts";
import { isMissing } from "../judges.ts";
import { startFileServer } from "../targets/files/file-servers.ts";
import { readPage, root, Screen, shellWords } from "./page.ts";

const path = "docs/split-horizon.md";

test.skipIf(isMissing("named", "dig"))(`${path}: two views of a zone`, async () => {
  const desk = new Desk();
  desk.sleep = (ms) => wait(ms);
  desk.width = 100;
  desk.env.PATH = process.env.PATH;
  const page = readPage(path);
  const blockOf = (file: string) => new RegExp(`^\`\`\`\\w+\\n# ${file}\\n(.*?)^\`\`\`$`, "ms").exec(page)?.[1] ?? "";
  for (const view of ["inside", "outside"]) mkdirSync(join(desk.folder, "srv", view), { recursive: true });
  const srv = join(desk.folder, "srv");
  // Clients of the page are addresses of this machine.
  const views = blockOf("named.conf").replaceAll("/srv", srv).replace("10.0.0.0/8; localhost;", "127.0.0.1;");
  const server = await startFileServer("bind", {}, views);
  onTestFinished(() => server.stop());
  const config = blockOf("zonewright.yaml")
    .replaceAll("/srv", srv)
    .replaceAll('rndc, reload, "{zone}"', JSON.stringify(server.reload).slice(1, -1))
    .replace("192.0.2.53", `"127.0.0.1:${server.port}"`);
  desk.write("zonewright.yaml", config);
  for (const file of ["templates/common.yaml", "inside/example.com.yaml", "outside/example.com.yaml"])
    desk.write(file, blockOf(file));
  const run = async (command: string): Promise<string> => {
    const [, words] = /^zonewright (.*)$/.exec(command) ?? [];
    const screen = new Screen();
    if (words === undefined) {
      const shell = command
        .replace("10.0.0.1", "127.0.0.1")
        .replace("198.51.100.1", "127.0.0.2")
        .replace("@192.0.2.53", `@127.0.0.1 -p ${server.port}`);
      screen.addOut(execFileSync("sh", ["-ec", shell], { cwd: desk.folder, encoding: "utf8" }));
    } else await desk.run(shellWords(words), { output: screen });
    return screen.text.replaceAll(srv, "/srv").replaceAll(`127.0.0.1:${server.port}`, "192.0.2.53:53");
  };
  let shown = "";
  let at = 0;
  for (const { 0: all, index, 1: body = "" } of page.matchAll(/^```console\n(.*?)^```$/gms)) {
    shown += `${page.slice(at, index)}\`\`\`console\n`;
    at = index + all.length;
    for (const [, command = ""] of body.matchAll(/^\$ (.+)$/gm)) shown += `$ ${command}\n${await run(command)}`;
    shown += "```";
  }
  await expect(shown + page.slice(at)).toMatchFileSnapshot(join(root, path));
});
