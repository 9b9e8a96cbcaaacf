import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiOf } from "./process.ts";
import { Desk } from "./run.ts";

const usage = (talk: string) => ({ code: 64, out: "", talk });

test("serve writes the mail of the operator's commands, which run beside it", async () => {
  const desk = new Desk({ token: "secret-for-tests" });
  const server = desk.start("serve --port 0 --no-console --token-file token --mail spool --mail-from dns@example.com");
  const { call } = await apiOf(server);
  await server.says(/Ctrl-C/);
  await call("PUT", "/account", { email: "ada@example.com" });
  await call("POST", "/node/instances", { region: "us-east", type: "g6-nanode-1", label: "web-1" });
  const ended = new Date(Math.floor(desk.now.getTime() / 7_200_000) * 7_200_000 - 300_000).toISOString().slice(0, 16);
  desk.write("measured.csv", `time,io\n${ended},20000\n`);
  expect((await desk.run("server operator node sample 1 measured.csv")).code).toBe(0);
  const folder = join(desk.folder, "spool", "new");
  await expect.poll(() => readdirSync(folder).length).toBe(1);
  const message = readFileSync(join(folder, readdirSync(folder)[0] ?? ""), "utf8");
  expect(message).toMatch(/^From: zonewright\r\n <dns@example\.com>\r\nTo: <ada@example\.com>\r\n/m);
  expect(message).toContain("\r\nSubject: web-1: io alert\r\n");
  expect((await server.end()).code).toBe(0);
});

test("serve --mail-from: an address, and never without --mail", async () => {
  const desk = new Desk();
  expect(await desk.run("serve --mail spool --mail-from Ada")).toEqual(
    usage('error: --mail-from must be an e-mail address, such as dns@example.com, not "Ada".\n'),
  );
  expect(await desk.run("serve --mail-from ada@example.com")).toEqual(usage("error: --mail-from requires --mail.\n"));
});

test("serve --mail: a folder that cannot be written is refused before a database is created", async () => {
  const desk = new Desk();
  desk.write("spool", "");
  expect(await desk.run("serve --port 0 --mail spool")).toEqual({
    code: 1,
    out: "",
    talk:
      "error[mail-folder] cannot write mail to /desk/spool: a file is in the place of a folder\n" +
      "  Name a folder for --mail in which the server may create files.\n",
  });
  expect(readdirSync(desk.folder)).toEqual(["spool"]);
});
