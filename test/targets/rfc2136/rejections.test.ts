import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { isMissing, judgesFolder } from "../../judges.ts";
import { key, zoneText } from "../../updates/servers.ts";
import { errorDesk, sectionOf, zone } from "./error-desk.ts";

/** IANA, DNS RCODEs: those of TSIG records. */
const errors = { BADSIG: 16, BADKEY: 17, BADTIME: 18, BADTRUNC: 22 };

/** The address of a primary that rejects the signature of updates, and accepts that of transfers. */
async function startRejecting(error: number): Promise<string> {
  const script = join(import.meta.dirname, "rejecting.py");
  const child = spawn(join(judgesFolder, "venv/bin/python"), [script], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  child.stdin.write(`${JSON.stringify({ zone, text: zoneText(zone), key: key.name, secret: key.secret, error })}\n`);
  const [port] = await once(createInterface({ input: child.stdout }), "line");
  return `127.0.0.1:${port}`;
}

test.skipIf(isMissing("venv"))("a server that accepts the key for transfers, and rejects an update", async () => {
  const sections: string[] = [];
  for (const [name, error] of Object.entries(errors)) {
    const desk = errorDesk(await startRejecting(error));
    const section = await sectionOf(name, desk, ["plan", "apply --yes", "doctor"]);
    const { out } = await desk.run(`explain update/${name.toLowerCase()}`);
    sections.push(`${section}$ explain\n${out}`);
  }
  await expect(sections.join("\n")).toMatchFileSnapshot("../../cases/update-errors/rejections.txt");
});
