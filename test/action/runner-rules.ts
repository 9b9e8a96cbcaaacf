/** A workflow command that a runner obeyed. */
export interface ObeyedCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

/** The commands that runners know; they ignore others. */
const known = [
  ...["add-mask", "add-matcher", "add-path", "debug", "echo", "endgroup", "error", "group", "internal-set-repo-path"],
  ...["notice", "remove-matcher", "save-state", "set-env", "set-output", "stop-commands", "warning"],
];

/**
 * What a runner makes of the standard output of a step, by the rules of actions/runner (ActionCommand,
 * ActionCommandManager): the commands that it obeys, and the lines that it shows. Lines end at LF, CR or both. A line
 * is a command if it begins with `::name` after spaces, or has `##[name]` anywhere. After `stop-commands`, only the
 * command with the given token is obeyed.
 */
export function obey(output: string): { readonly commands: ObeyedCommand[]; readonly shown: string[] } {
  const commands: ObeyedCommand[] = [];
  const shown: string[] = [];
  let token: string | undefined;
  for (const line of output.split(/\r\n|\r|\n/)) {
    const command = parse(line, token === undefined ? known : [...known, token]);
    if (command === undefined) shown.push(line);
    else if (token === undefined) {
      commands.push(command);
      if (command.name === "stop-commands") token = command.data.toLowerCase();
    } else if (command.name === token) token = undefined;
    else shown.push(line);
  }
  if (token !== undefined) throw new Error("the commands stay stopped at the end");
  return { commands, shown };
}

function parse(line: string, names: readonly string[]): ObeyedCommand | undefined {
  const modern = /^\s*::((?:(?!::).)*)::(.*)$/s.exec(line);
  const old = /##\[([^\]]*)\](.*)$/s.exec(line);
  for (const [found, separator] of [[modern, ","] as const, [old, ";"] as const]) {
    const [, info = "", data = ""] = found ?? [];
    const [, name = "", list = ""] = /^([^ ]*)(?: (.*))?$/s.exec(info) ?? [];
    if (!found || !names.includes(name.toLowerCase())) continue;
    const pairs = list.split(separator).filter((pair) => /^[^=]+=./s.test(pair));
    const properties = pairs.map((pair) => [
      pair.slice(0, pair.indexOf("=")).trim(),
      unescaped(pair.replace(/^[^=]*=/s, "")),
    ]);
    return { name: name.toLowerCase(), properties: Object.fromEntries(properties), data: unescaped(data) };
  }
  return undefined;
}

function unescaped(text: string): string {
  const characters: Readonly<Record<string, string>> = {
    "%0D": "\r",
    "%0A": "\n",
    "%3A": ":",
    "%2C": ",",
    "%3B": ";",
    "%5D": "]",
    "%25": "%",
  };
  return text.replace(/%(?:0D|0A|3A|2C|3B|5D|25)/g, (code) => characters[code] ?? code);
}

/** The values in a file of outputs, by the rules of actions/runner (SetOutputFileCommand). */
export function readOutputs(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    if (line === "") continue;
    const heredoc = line.indexOf("<<");
    const equals = line.indexOf("=");
    if (equals >= 0 && (heredoc < 0 || equals < heredoc)) outputs[line.slice(0, equals)] = line.slice(equals + 1);
    else if (heredoc > 0) {
      const delimiter = line.slice(heredoc + 2);
      const end = lines.indexOf(delimiter, at + 1);
      if (delimiter === "" || end < 0) throw new Error(`no end of the value at ${line}`);
      outputs[line.slice(0, heredoc)] = lines.slice(at + 1, end).join("\n");
      at = end;
    } else throw new Error(`invalid line: ${line}`);
  }
  return outputs;
}
