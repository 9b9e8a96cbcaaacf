import { spawnSync } from "node:child_process";
import { describeJudge, findMissing, findMissingPackages } from "./judges.ts";
import { install } from "./openapi/installed.ts";

/** `npm run judges`: installs the judges that are missing with apt-get, npm and pip. */
const packages = findMissingPackages();
if (packages.length > 0) {
  runAsRoot("apt-get", "update", "-q");
  runAsRoot(
    "env",
    "DEBIAN_FRONTEND=noninteractive",
    "apt-get",
    "install",
    "-qy",
    "--no-install-recommends",
    ...packages,
  );
}
install();
const missing = findMissing().map(describeJudge);
if (missing.length > 0) {
  console.error(
    `Still missing: ${missing.join(", ")}. apt-get, npm and pip did not provide them; install them another way.`,
  );
  process.exitCode = 1;
} else console.log("All judges are installed.");

function runAsRoot(...command: string[]): void {
  const [program = "", ...words] = process.getuid?.() === 0 ? command : ["sudo", ...command];
  spawnSync(program, words, { stdio: "inherit" });
}
