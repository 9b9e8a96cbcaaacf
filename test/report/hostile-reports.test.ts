import { spawnSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { effectAnnotations } from "../../src/action/effect-annotations.ts";
import { type Problem, problem } from "../../src/diagnostics/problem.ts";
import { findingsGithub } from "../../src/report/findings/github.ts";
import { findingsJunit } from "../../src/report/findings/junit.ts";
import { findingsMarkdown } from "../../src/report/findings/markdown.ts";
import { annotationCommand } from "../../src/report/format/workflow-command.ts";
import { planCodeQuality } from "../../src/report/plan/code-quality.ts";
import { planJunit } from "../../src/report/plan/junit.ts";
import { gitlabNote, planMarkdown } from "../../src/report/plan/markdown.ts";
import { planSarif } from "../../src/report/plan/sarif.ts";
import { planText } from "../../src/report/plan/text.ts";
import { isMissing } from "../judges.ts";
import { renderGfm } from "./gfm.ts";
import { goldenPlans } from "./golden-plans.ts";
import { hostileTexts, shownTexts as shown } from "./hostile-texts.ts";

/** A plan whose names, values, files and reasons are hostile, and whose notes are all of the texts. */
const report = {
  ...(goldenPlans.hostile as NonNullable<(typeof goldenPlans)[string]>)(),
  notes: hostileTexts.map(hostileProblem),
};

/** A problem that has a text in each of its parts. */
function hostileProblem(text: string): Problem {
  const place = { file: text, line: 1, column: 1, length: 1 };
  return problem("ttl-rounded", text, { severity: "warning", detail: text, fix: text, place });
}

/** The sentences of such a problem. */
function sentencesOf(text: string): string {
  return `${text}${/[.?!]$/.test(text) ? "" : "."} ${text} ${text}`;
}

test("the terminal gets no control character, and no line that a CI obeys", () => {
  const lines = planText(report, { color: false, unicode: true }).split("\n");
  expect(lines.filter((line) => /\p{Cc}|\p{Cs}|\p{Cf}|^\s*::|##\[/u.test(line))).toEqual([]);
  for (const text of shown) expect(lines.some((line) => line.includes(text))).toBe(true);
});

test("SARIF and Code Quality contain the texts as they are shown", () => {
  const { results } = JSON.parse(planSarif(report, "1.2.3")).runs[0];
  const ofNotes = results.filter(({ ruleId }: { ruleId: string }) => ruleId === "ttl-rounded");
  const sentences = shown.map(sentencesOf);
  expect(ofNotes.map(({ message }: { message: { text: string } }) => message.text)).toEqual(sentences);
  const issues = JSON.parse(planCodeQuality(report)) as { description: string; fingerprint: string }[];
  expect(issues.slice(-shown.length).map(({ description }) => description)).toEqual(sentences);
  expect(new Set(issues.map(({ fingerprint }) => fingerprint)).size).toBe(issues.length);
});

describe.skipIf(isMissing("python3"))("an XML parser reads the texts of JUnit as they are shown", () => {
  const program = `import sys, json, xml.dom.minidom
document = xml.dom.minidom.parseString(sys.stdin.buffer.read())
text = lambda node: "".join(child.data for child in node.childNodes)
print(json.dumps([[case.getAttribute("name"), [text(node) for node in case.getElementsByTagName("system-out")]]
  for case in document.getElementsByTagName("testcase")]))`;

  function read(junit: string): [name: string, outputs: string[]][] {
    const { stdout, stderr } = spawnSync("python3", ["-c", program], { input: junit, encoding: "utf8" });
    expect(stderr).toBe("");
    return JSON.parse(stdout);
  }

  test("of a plan", () => {
    const cases = new Map(read(planJunit(report)));
    expect(cases.get("notes")).toEqual([shown.map((text) => `warning[ttl-rounded] ${text}`).join("\n")]);
    expect(cases.get("G12 (special-purpose address)")?.[0]?.split("\n")[0]).toBe(
      "approved in acks.yaml: see @octocat, <b>#1</b> and `::error::x`\\x0a::error::y",
    );
  });

  test("of zone files", () => {
    const junit = findingsJunit({ problems: report.notes, files: hostileTexts, lineOf: () => undefined });
    expect(read(junit).map(([name]) => name)).toEqual(shown);
  });
});

describe("workflow commands of GitHub", () => {
  /** Reads a command as the runner does: the properties end at the second `::`, commas separate them. */
  function readCommand(line: string) {
    const [, level, properties = "", message = ""] = /^::(\w+) (.*?)::(.*)$/.exec(line) ?? [];
    const decode = (text: string) =>
      text.replaceAll(/%(25|0A|0D|3A|2C)/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)));
    const pairs = properties.split(",").map((pair) => pair.split(/=(.*)/s).slice(0, 2).map(decode));
    return { level, properties: Object.fromEntries(pairs), message: decode(message) };
  }

  test("findings are one command each, with the texts as they are shown", () => {
    const lines = findingsGithub({ problems: report.notes, files: [], zones: 1, records: 1, lineOf: () => undefined });
    expect(lines.split("\n").slice(0, -1).map(readCommand)).toEqual(
      shown.map((text) => ({
        level: "warning",
        properties: { file: text, line: "1", col: "1", endColumn: "2", title: "ttl-rounded" },
        message: sentencesOf(text),
      })),
    );
  });

  test("changes are one command each, with the values that the file has", () => {
    const lines = effectAnnotations(report).map(annotationCommand).join("").split("\n").slice(0, -1);
    const commands = lines.map(readCommand);
    const file = "zones/::error::<b>`|,%0A\\u202e.zone";
    const texts = hostileTexts.filter((text) => !text.includes("\0")); // the API stores no NUL
    expect(commands.map(({ level, properties: { file, line, title } }) => [level, title, file, line])).toEqual([
      ["error", "guard-blocked", undefined, undefined],
      ["error", "guard-blocked", undefined, undefined],
      ["error", "guard-blocked", undefined, undefined],
      ["notice", "deletes 30 records", file, "1"],
      ...texts.map((_, at) => ["notice", "creates 1 record", file, `${at + 2}`]),
      ["notice", "creates 1 record", file, `${texts.length + 2}`],
    ]);
    const messages = commands.map(({ message }) => message);
    expect(messages.filter((text) => /[^\P{Cc}\n]|\p{Cf}/u.test(text))).toEqual([]);
    const deletions = messages[3]?.split("\n") ?? [];
    const owners = ["#1", "$1", "/close", "::error::x", "<img src=x>", "@octocat", "[x](y)", "`a`", "a|b"];
    expect(deletions.slice(0, owners.length).map(textIn)).toEqual(owners);
    expect(deletions.slice(owners.length)).toEqual([
      'delete old0.example.com TXT 300 "**bold** _italic_ ~~struck~~" · caches may keep it for up to 5 minutes',
      "and 20 more changes",
      "Deleted records whose name is no longer in the file are shown at its first line.",
    ]);
    const long = `${"`".repeat(54)}…(202 characters)…${"`".repeat(26)}`;
    const values = texts.map((text) => (text.length === 200 ? long : Buffer.from(text).toString()));
    expect(messages.slice(4, -1).map(textIn)).toEqual(values);
    expect(messages.at(-1)).toBe("create www.example.com A 300 10.0.0.1 · G12 approved");
  });
});

/** The value of a TXT record in a message: `\DDD` is an octet, `\x23` the sign that a CI obeys after another. */
function textIn(message: string): string {
  const [, rdata = ""] = / TXT 300 "((?:[^"\\]|\\.)*)"/.exec(message) ?? [];
  const tokens = rdata.match(/\\(?:\d{3}|x23|.)|[^\\]+/gs) ?? [];
  const octetsOf = (token: string) => {
    if (token === "\\x23") return Buffer.from("#");
    return /^\\\d/.test(token) ? Buffer.of(Number(token.slice(1))) : Buffer.from(token.replace("\\", ""));
  };
  return Buffer.concat(tokens.map(octetsOf)).toString();
}

/** The lines of a report begin as ours do: no value can begin a quick action, a quote or a command. */
const ownLines = /^$|^### |^\+\d+ create · |^(?:\| |\|---|\*\*[A-Z]| {0,2}- |\d+ )/;

test("no line of a note begins with a value", () => {
  const note = planMarkdown(report, gitlabNote);
  expect(note.split("\n").filter((line) => !ownLines.test(line))).toEqual([]);
});

describe.skipIf(isMissing("cmark-gfm"))("a Markdown renderer makes nothing of the values", () => {
  const reportUrl = "https://ci.example/jobs/7?x=<b>&y=`@octocat`)[z](//evil.example)";

  test.each([
    ["a note of a plan", planMarkdown(report, { ...gitlabNote, reportUrl })],
    ["a comment that is cut off", planMarkdown(report, { budget: 9_000, valueWidth: 200, reportUrl })],
    ["findings", findingsMarkdown({ problems: report.notes, zones: 1, records: 1 })],
  ])("%s", (_, markdown) => {
    const ours = renderGfm(markdown)
      .replaceAll(/<code>[^<]*<\/code>/g, "")
      .replaceAll(
        /<a href="https:\/\/ci\.example\/jobs\/7\?x=%3Cb%3E[^"]*">([Tt]he full report|full report)<\/a>/g,
        "",
      );
    expect(ours.replaceAll(/<\/?(?:h3|p|ul|li|strong|table|thead|tbody|tr|th|td)(?: align="\w+")?>/g, "")).toMatch(
      /^[\w\s.,:;()+~⇄−·'…-]*$/,
    );
    // GitHub and GitLab look for references and emoji in the text that is not code.
    expect(ours).not.toMatch(/[@#!%~$&^*]\w|\[\[|:\w+:|\b[0-9a-f]{7,}\b|https?:|www\./);
  });
});
