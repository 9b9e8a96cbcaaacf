import { type Case, nameCase, readCases } from "./cases.ts";
import { dnscontrol } from "./dnscontrol.ts";
import { mailPrograms } from "./mail.ts";
import { nameServers } from "./name-servers.ts";
import { octodns } from "./octodns.ts";
import type { Program, Verdict } from "./program.ts";
import { validate } from "./zonewright.ts";

// `npm run judge:findings` prints the table of docs/compare.md: `-- --classes` that of each class of cases, and
// `-- --cases` what each program says about each case.
const programs = [...(await nameServers()), ...(await octodns()), ...(await dnscontrol()), ...(await mailPrograms())];

interface Result {
  readonly cases: readonly Case[];
  /** Each program's name, and its verdicts on the cases. */
  readonly verdicts: readonly { name: string; verdicts: readonly Verdict[] }[];
}

const faulty = await ask(readCases("faulty.txt"), programs);
const odd = await ask(readCases("odd.txt"), programs);
if (process.argv.includes("--cases")) for (const result of [faulty, odd]) printCases(result);
else if (process.argv.includes("--classes")) printClasses();
else printPrograms();

async function ask(cases: readonly Case[], programs: readonly Program[]): Promise<Result> {
  const own: Verdict[] = [];
  for (const each of cases) {
    const findings = await validate(each);
    // A finding at another name than the faulty one does not count. An odd case has no faulty name.
    const hasFault = each.records.some(({ isFaulty }) => isFaulty);
    const counted = findings.filter(({ isExpected }) => isExpected || !hasFault);
    own.push(counted.map(({ severity, rule, summary }) => `${severity}[${rule}] ${summary}`));
  }
  const verdicts: { name: string; verdicts: readonly Verdict[] }[] = [{ name: "zonewright", verdicts: own }];
  // One after the other: this machine has other work.
  for (const program of programs) verdicts.push({ name: program.name, verdicts: await program.ask(cases) });
  return { cases, verdicts };
}

function printPrograms(): void {
  const of = (counts: string | undefined) => counts?.replace("/", " of ") ?? "";
  const [reported, wrongly] = [faulty, odd].map((result) => count(result, () => true));
  const versions = ["this version", ...programs.map(({ version }) => version)];
  row(["program", "version", "faulty cases reported", "correct cases reported"]);
  row(["---", "---", "--:", "--:"]);
  for (const [index, { name }] of faulty.verdicts.entries())
    row([name, versions[index] ?? "", of(reported?.[index]), of(wrongly?.[index])]);
}

function printClasses(): void {
  const classes = [...new Set(faulty.cases.map((each) => each.class))];
  const names = faulty.verdicts.map(({ name }) => name);
  const rows = (result: Result, label: string) => {
    row([`**${label}**`, ...names.map(() => "")]);
    for (const name of classes) row([name, ...count(result, (each) => each.class === name)]);
    row(["all", ...count(result, () => true)]);
  };
  row(["", ...names]);
  row(["---", ...names.map(() => "--:")]);
  rows(faulty, "faulty, reported");
  rows(odd, "correct, reported");
  console.log("\nOf the cases that a program is asked about; – stands for none.");
}

function row(cells: readonly string[]): void {
  console.log(`| ${cells.join(" | ")} |`);
}

/** For each program, the number of cases with a report and of those that it is asked about. */
function count({ cases, verdicts }: Result, isCounted: (each: Case) => boolean): string[] {
  return verdicts.map(({ verdicts }) => {
    const asked = verdicts.filter((verdict, index) => verdict && isCounted(cases[index] as Case));
    const reported = asked.filter((verdict) => verdict && verdict.length > 0);
    return asked.length === 0 ? "–" : `${reported.length}/${asked.length}`;
  });
}

function printCases({ cases, verdicts }: Result): void {
  for (const [index, each] of cases.entries()) {
    console.log(`\n${nameCase(each)}`);
    for (const { name, verdicts: given } of verdicts) {
      const verdict = given[index];
      const text = verdict === undefined ? "–" : verdict.length === 0 ? "nothing" : verdict.join("; ");
      console.log(`  ${name}: ${text.replaceAll(/\s+/g, " ").slice(0, 400)}`);
    }
  }
}
