/**
 * Wraps text at 80 columns; lines after the first are indented by `indent` columns. A longer word gets a separate line.
 */
export function wrap(text: string, indent: number): string {
  const [, head = "", rest = ""] = /^(\s*)(.*)$/s.exec(text) ?? [];
  const lines = [head];
  for (const word of rest.split(/(?<=\S) (?=\S)/)) {
    const line = lines.at(-1) ?? "";
    const isStart = line.trim() === "";
    if (isStart || line.length + 1 + word.length <= 80)
      lines[lines.length - 1] = isStart ? line + word : `${line} ${word}`;
    else lines.push(" ".repeat(indent) + word);
  }
  return lines.join("\n");
}
