import { readdirSync, readFileSync } from "node:fs";
import { nearest, nearestByWords } from "../../diagnostics/nearest.ts";
import { plain } from "../../diagnostics/plain.ts";
import { ProblemError, problem } from "../../diagnostics/problem.ts";
import { packagedFile } from "../../packaged-file.ts";
import { pageText } from "../../report/text/page-text.ts";
import { defineCommand } from "../command.ts";
import { exitCode } from "../exit-code.ts";
import { printText } from "../terminal.ts";

/**
 * `zonewright help`: the help of a command, as with `--help`, or the documentation page of a topic; both for a word
 * that names both.
 */
export const command = defineCommand({
  example: `  zonewright help                            list commands and topics
  zonewright help plan                       the same as zonewright plan --help
  zonewright help guards                     show a page of the documentation
  zonewright help drift                      both; drift.md shows only the page
`,
  arguments: { "[words...]": "a command, or a topic" },
  async run(terminal, { words }, _, { run, describe }) {
    const [word = ""] = words;
    const commands = (await describe()).map(({ name }) => name.split(" ")[0] ?? "");
    if (word === "") {
      const code = await run(terminal, ["--help"]);
      printText(terminal, `\nTopics:\n${topicsText(commands)}`);
      return code;
    }
    const topic = word.replace(/\.md$/, "");
    const topics = listTopics();
    if (commands.includes(word)) {
      const code = await run(terminal, [...words, "--help"]);
      if (code !== exitCode.done || words.length > 1 || !topics.includes(topic)) return code;
      terminal.print("\n");
    } else if (!topics.includes(topic)) {
      const near = nearTopic(topic, topics, commands);
      const fix = near === undefined ? "" : ` Did you mean "${near}"?`;
      const summary = `"${plain(word)}" is neither a command nor a topic.${fix} Topics:\n${topicsText(commands).trimEnd()}`;
      throw new ProblemError(problem("usage", summary));
    }
    const width = Math.min(terminal.printWidth() ?? 80, 100);
    terminal.print(pageText(readPage(topic), terminal.printStyle, width));
    return exitCode.done;
  },
});

/** The topic or command that was most likely meant; a topic has the words of its title, too. */
function nearTopic(written: string, topics: readonly string[], commands: readonly string[]): string | undefined {
  const names = topics.map((name) => ({ name }));
  const titles = topics.map((name) => ({ name, more: titleOf(name).toLowerCase().split(" ") }));
  const near = nearest(written, [...topics, ...commands]);
  return near ?? nearestByWords(written, names) ?? nearestByWords(written, titles);
}

function titleOf(topic: string): string {
  return /^# (.*)/m.exec(readPage(topic))?.[1] ?? "";
}

function readPage(topic: string): string {
  return readFileSync(pages().get(topic) ?? "", "utf8");
}

/** The files of the documentation, by topic: the pages of the toolkit, then those of the server. */
function pages(): Map<string, string> {
  const files = ["docs", "docs/server"].flatMap((folder) =>
    readdirSync(packagedFile(folder)).map((file) => [file, packagedFile(`${folder}/${file}`)] as const),
  );
  return new Map(files.flatMap(([file, path]) => (file.endsWith(".md") ? [[file.slice(0, -3), path] as const] : [])));
}

/** The pages of the documentation, by the names of their files. */
export function listTopics(): string[] {
  return [...pages().keys()].sort();
}

/** One line per topic; a topic with the name of a command keeps its file ending. */
function topicsText(commands: readonly string[]): string {
  const rows = listTopics().map((topic) => {
    return [commands.includes(topic) ? `${topic}.md` : topic, titleOf(topic)] as const;
  });
  const width = Math.max(...rows.map(([topic]) => topic.length));
  return rows.map(([topic, title]) => `  ${topic.padEnd(width)}  ${title}\n`).join("");
}
