import { escapeControl } from "../../diagnostics/escape.ts";
import { nearest, nearestByWords } from "../../diagnostics/nearest.ts";
import { ProblemError, usageError } from "../../diagnostics/problem.ts";
import { listPackagedFiles, readPackagedFile } from "../../packaged-file.ts";
import { pageText } from "../../report/text/page-text.ts";
import { explain } from "../../workflow/start/explain.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printText } from "../terminal.ts";

/**
 * `zonewright help`: the help of a command, as with `--help`, or the documentation page of a topic; both for a word
 * that names both.
 */
export const helpCommand = defineCommand({
  example: `  zonewright help                            list commands and topics
  zonewright help plan                       the same as zonewright plan --help
  zonewright help guards                     show a page of the documentation
  zonewright help drift                      both; drift.md shows only the page
`,
  arguments: { "[words...]": "a command, a topic, or a rule or guard" },
  async run(terminal, { words }, _, { run, describe }) {
    const names = (await describe()).map(({ name }) => name);
    const commands = [...new Set(names.map((name) => name.split(" ")[0] ?? ""))];
    if (words.length === 0) {
      const code = await run(terminal, ["--help"]);
      printText(terminal, `\nTopics:\n${topicsText(commands)}`);
      return code;
    }
    const topics = listTopics();
    const topic = words
      .join("-")
      .replace(/^(?:.*\/)?docs\//, "")
      .replace(/\.md$/, "");
    const isTopic = topics.includes(topic);
    if (names.some((name) => `${name} `.startsWith(`${words.join(" ")} `))) {
      const code = await run(terminal, [...words, "--help"]);
      if (code !== exitCode.done || !isTopic) return code;
      terminal.print("\n");
    } else if (!isTopic) {
      const [word = ""] = words;
      if (words.length === 1 && isExplained(word)) return run(terminal, ["explain", word]);
      throw unknownWords(words, names, commands);
    }
    const width = Math.min(terminal.printWidth() ?? 80, 100);
    terminal.print(pageText(readPage(topic), terminal.printStyle, width));
    return exitCode.done;
  },
});

/** The error of words that are neither a command nor a topic. */
function unknownWords(words: readonly string[], names: readonly string[], commands: readonly string[]): ProblemError {
  const text = words.join(" ");
  const [word = "", second = ""] = words;
  const subcommands = names.flatMap((name) => (name.startsWith(`${word} `) ? [name.split(" ")[1] ?? ""] : []));
  if (words.length > 1 && (subcommands.length > 0 || commands.includes(word))) {
    const near = nearest(second, subcommands);
    const whole = near === undefined ? second : `${word} ${near}`;
    const isKnown = near !== undefined || commands.includes(second) || listTopics().includes(second);
    const fix = isKnown ? `Did you mean "${whole}"?` : listedCommands(word, subcommands);
    return usageError(`"${escapeControl(text)}" is neither a command nor a topic. ${escapeControl(fix)}`);
  }
  const moved = `server ${text}`;
  if (names.some((name) => `${name} `.startsWith(`${moved} `)))
    return usageError(`"${escapeControl(text)}" is not a command. Did you mean "${escapeControl(moved)}"?`);
  const near = nearTopic(text.replace(/\.md$/, ""), listTopics(), commands) ?? nearTopic(word, listTopics(), commands);
  const fix = near === undefined ? "" : ` Did you mean "${near}"?`;
  const summary = `"${escapeControl(text)}" is neither a command nor a topic.${fix} Topics:\n${topicsText(commands).trimEnd()}`;
  return usageError(summary);
}

function listedCommands(word: string, subcommands: readonly string[]): string {
  const listed = [...new Set(subcommands)];
  if (listed.length === 0) return `\`zonewright help ${word}\` shows the help of ${word}.`;
  const shown = listed.slice(0, 12).join(", ");
  return `${word} has the commands ${shown}${listed.length > 12 ? " and others" : ""}.`;
}

/** Whether `zonewright explain` describes a word. */
function isExplained(word: string): boolean {
  if (word === "exit-codes") return true;
  try {
    explain(word);
    return true;
  } catch (error) {
    if (error instanceof ProblemError) return false;
    throw error;
  }
}

/** The topic or command that was most likely meant; a topic has the words of its title, too. */
function nearTopic(written: string, topics: readonly string[], commands: readonly string[]): string | undefined {
  const names = topics.map((name) => ({ name }));
  const titles = topics.map((name) => ({ name, more: titleOf(name).toLowerCase().split(" ") }));
  const near = nearest(written, [...topics, ...commands]);
  return near ?? nearestByWords(written, names) ?? nearestByWords(written, titles);
}

/** The title of a page of the documentation. */
export function titleOf(topic: string): string {
  return /^# (.*)/m.exec(readPage(topic))?.[1] ?? "";
}

function readPage(topic: string): string {
  return readPackagedFile(pages().get(topic) ?? "");
}

/** The files of the pages, by topic: those of the toolkit, then those of the server, whose index is `server`. */
function pages(): Map<string, string> {
  const files = listPackagedFiles("docs");
  const inFolder = (start: string) =>
    files.flatMap((file) => {
      const [, name] = file.startsWith(start) ? (/^([^/]+)\.md$/.exec(file.slice(start.length)) ?? []) : [];
      return name === undefined ? [] : [[name.replace("README", "server"), `docs/${file}`] as const];
    });
  return new Map([...inFolder(""), ...inFolder("server/")]);
}

/** The pages of the documentation, by the names of their files, those of the toolkit first. */
export function listTopics(): string[] {
  return [...pages().keys()];
}

/** One line per topic; a topic with the name of a command keeps its file ending. */
function topicsText(commands: readonly string[]): string {
  const rows = listTopics().map((topic) => {
    return [commands.includes(topic) ? `${topic}.md` : topic, titleOf(topic)] as const;
  });
  const width = Math.max(...rows.map(([topic]) => topic.length));
  return rows.map(([topic, title]) => `  ${topic.padEnd(width)}  ${title}\n`).join("");
}
