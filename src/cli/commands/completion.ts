import { escapeControl } from "../../diagnostics/escape.ts";
import { usageError } from "../../diagnostics/problem.ts";
import { problemIds } from "../../diagnostics/registry.ts";
import { flagName } from "../../diagnostics/shell-word.ts";
import { guardMeanings, terms } from "../../workflow/start/explain.ts";
import { type DescribedCommand, defineCommand, type Flag, listFlags } from "../command.ts";
import { exitCode, exitMeanings } from "../exit-code.ts";
import { listTopics, titleOf } from "./help.ts";

const shells = { bash: bashScript, zsh: zshScript, fish: fishScript };

/**
 * `zonewright completion bash|zsh|fish`: a script with all commands, flags and their values. The script calls the
 * program only for the zones and runs, with the words before the cursor.
 */
export const completionCommand = defineCommand({
  example: `  source <(zonewright completion bash)       in ~/.bashrc
  source <(zonewright completion zsh)        in ~/.zshrc, after compinit
  zonewright completion fish | source        in ~/.config/fish/config.fish
`,
  arguments: { "<shell>": "bash, zsh or fish" },
  async run({ print }, { shell }, _, { describe }) {
    if (!isShell(shell)) throw usageError(`completion supports bash, zsh and fish, not "${escapeControl(shell)}".`);
    const described = await describe();
    print(shells[shell](described.map(completionOf)));
    return exitCode.done;
  },
});

const guardIds = [...guardMeanings.keys()];

/** The completion of a value: a list of values, or `none` for free text. */
type Values = "file" | "folder" | "zone" | "target" | "service" | "run" | "guards" | "none" | readonly string[];

interface Completion {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly { readonly name: string; readonly summary: string; readonly values?: Values }[];
  readonly argument: Values;
}

function completionOf({ name, summary, command }: DescribedCommand): Completion {
  const flags = listFlags(command).map(([key, flag]) => ({
    name: flagName(key),
    summary: flag.summary,
    ...(flag.value !== undefined && { values: valuesOf(flag) }),
  }));
  const color = { name: "--color", summary: "when to use colours", values: ["always", "never", "auto"] };
  const help = { name: "--help", summary: "display help for command" };
  const [argument = ""] = Object.keys(command.arguments ?? {});
  return {
    name,
    summary,
    flags: [...flags, color, help],
    // A plan file or zones; other files have to be typed.
    argument: name === "apply" ? "target" : argumentValues(argument.replaceAll(/[^a-z]/g, "")),
  };
}

function valuesOf({ value, choices, suggestions }: Flag<unknown>): Values {
  const words = choices ?? suggestions;
  if (words) return words;
  if (value === "<guards>") return "guards";
  if (value === "<target>") return "service";
  if (value === "<zone>") return "zone";
  return value === "<file>" ? "file" : value === "<folder>" ? "folder" : "none";
}

/** The values of an argument, by its name in the help. */
function argumentValues(name: string): Values {
  if (name === "word") {
    const codes = exitMeanings.map(([code]) => String(code));
    return [...problemIds, ...guardIds, ...terms, ...codes, "exit-codes"];
  }
  if (name === "shell") return Object.keys(shells);
  if (name === "zones") return "zone";
  if (name === "run") return "run";
  return name === "file" || name === "paths" ? "file" : "none";
}

function isShell(word: string): word is keyof typeof shells {
  return Object.hasOwn(shells, word);
}

/** A word that may follow others. */
type Word = readonly [word: string, summary: string];

/**
 * The words that may follow the program, after "", and each group. The summary of a group that is no command is the
 * words that may follow it.
 */
function groupsOf(commands: readonly Completion[]): Map<string, Word[]> {
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]));
  // After "help": each command, with those of its group, and each topic.
  const names = commands.map(({ name }) => name);
  const asked = names.filter((name) => !name.startsWith("api "));
  for (const name of asked) summaries.set(`help ${name}`, summaries.get(name) ?? "");
  const topics = listTopics().map(
    (topic) => [`help ${names.some((name) => name.split(" ")[0] === topic) ? `${topic}.md` : topic}`, topic] as const,
  );
  for (const [name, topic] of topics) summaries.set(name, titleOf(topic));
  const groups = new Map<string, Map<string, string[]>>();
  for (const name of [...names, ...asked.map((name) => `help ${name}`), ...topics.map(([name]) => name)]) {
    const path = name.split(" ");
    for (const [depth, word] of path.entries()) {
      const group = path.slice(0, depth).join(" ");
      const words = groups.get(group) ?? new Map<string, string[]>();
      const texts = words.get(word) ?? [];
      const text = summaries.get(path.slice(0, depth + 1).join(" ")) ?? path[depth + 1] ?? "";
      groups.set(group, words.set(word, texts.includes(text) ? texts : [...texts, text]));
    }
  }
  return new Map(
    [...groups].map(([group, words]) => [group, [...words].map(([word, texts]): Word => [word, texts.join(", ")])]),
  );
}

/** Quotes a word for shells, including fish, where `\'` means the same. */
function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** `case` branches that set `kind` and `values` for the value of a flag; the same in bash and zsh. */
function valueCases(commands: readonly Completion[]): string {
  return commands
    .flatMap(({ name, flags }) =>
      flags.flatMap((flag) =>
        flag.values === undefined ? [] : [`    ${quote(`${name} ${flag.name}`)}) ${assign(flag.values)} ;;`],
      ),
    )
    .join("\n");
}

function assign(values: Values): string {
  return typeof values === "string" ? `kind=${values}` : `kind=words values=(${values.map(quote).join(" ")})`;
}

function commandCases(commands: readonly Completion[], flagsText: (command: Completion) => string): string {
  return commands
    .map((command) => `      ${quote(command.name)}) flags=(${flagsText(command)}); ${assign(command.argument)} ;;`)
    .join("\n");
}

/** `case` branches that set `values` to the words that may follow a group. */
function groupCases(commands: readonly Completion[], text: (word: Word) => string): string {
  return [...groupsOf(commands)]
    .filter(([group]) => group !== "")
    .map(([group, words]) => `      ${quote(group)}) values=(${words.map(text).join(" ")}) ;;`)
    .join("\n");
}

function bashScript(commands: readonly Completion[]): string {
  const names =
    groupsOf(commands)
      .get("")
      ?.map(([name]) => name) ?? [];
  return `# Completion of zonewright for bash: source <(zonewright completion bash)
# Not compgen -W, which expands its words: a name such as $(id) would be run
__zonewright_offer() {
  local value
  for value in "\${values[@]}"; do
    if [[ $value == "$cur"* ]]; then COMPREPLY+=("$1$value"); fi
  done
}
__zonewright_lines() {
  local line
  while IFS= read -r line; do
    if [[ $1 == values ]]; then values+=("$line"); else COMPREPLY+=("$line"); fi
  done
}
_zonewright() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} kind= before= depth=1
  local -a flags=() values=() words=("\${COMP_WORDS[@]:1:COMP_CWORD-1}")
  COMPREPLY=()
  # bash makes the = of --flag=value a word of its own
  if [[ $cur == = ]]; then cur=; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}; fi
  if ((COMP_CWORD == 1)); then
    values=(${["--help", "--version", ...names].join(" ")})
    __zonewright_offer ''
    return
  fi
  while :; do
    values=()
    case $command in
${groupCases(commands, ([word]) => quote(word))}
    esac
    if ((\${#values[@]} == 0)); then break; fi
    if ((COMP_CWORD == ++depth)); then __zonewright_offer ''; return; fi
    command="$command \${COMP_WORDS[depth]}"
  done
  case "$command $prev" in
${valueCases(commands)}
  esac
  if [[ -z $kind ]]; then
    case $command in
${commandCases(commands, ({ flags }) => flags.map(({ name }) => name).join(" "))}
    esac
    if [[ $cur == -* ]]; then kind=words values=("\${flags[@]}"); fi
  fi
  case $kind in
    zone | target | service | run) __zonewright_lines values < <("\${COMP_WORDS[0]}" __complete \${kind}s -- "\${words[@]}" 2>/dev/null) ;;
    guards)
      values=(${guardIds.join(" ")})
      if [[ $cur == *,* ]]; then before=\${cur%,*},; cur=\${cur##*,}; fi ;;
  esac
  __zonewright_offer "$before"
  case $kind in
    file | zone) __zonewright_lines COMPREPLY < <(compgen -f -- "$cur") ;;
    folder) __zonewright_lines COMPREPLY < <(compgen -d -- "$cur") ;;
  esac
  case $kind in file | folder | zone) compopt -o filenames 2>/dev/null ;; esac
}
complete -F _zonewright zonewright
`;
}

function zshScript(commands: readonly Completion[]): string {
  const describeWord = ([word, summary]: Word) => quote(`${word}:${summary}`);
  const names = groupsOf(commands).get("")?.map(describeWord) ?? [];
  return `#compdef zonewright
# Completion of zonewright for zsh: source <(zonewright completion zsh)
_zonewright() {
  local command=$words[2] prev=$words[CURRENT-1] kind= depth=2
  local -a flags values
  if [[ $words[CURRENT] == --*=* ]]; then
    prev=\${words[CURRENT]%%=*}
    compset -P 1 '*='
  fi
  if ((CURRENT == 2)); then
    values=('--help:display help' '--version:output the version number' ${names.join(" ")})
    _describe command values
    return
  fi
  while true; do
    values=()
    case $command in
${groupCases(commands, describeWord)}
    esac
    if (($#values == 0)); then break; fi
    if ((CURRENT == ++depth)); then _describe command values; return; fi
    command="$command $words[depth]"
  done
  case "$command $prev" in
${valueCases(commands)}
  esac
  if [[ -z $kind ]]; then
    case $command in
${commandCases(commands, ({ flags }) => flags.map(({ name, summary }) => describeWord([name, summary])).join(" "))}
    esac
    if [[ $words[CURRENT] == -* ]]; then _describe option flags; return; fi
  fi
  case $kind in
    words) compadd -a values ;;
    zone) compadd -- \${(f)"$($words[1] __complete zones -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)"}; _files ;;
    target) compadd -- \${(f)"$($words[1] __complete targets -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)"} ;;
    service) compadd -- \${(f)"$($words[1] __complete services -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)"} ;;
    run) compadd -V runs -- \${(f)"$($words[1] __complete runs -- "\${(@Q)words[2,CURRENT-1]}" 2>/dev/null)"} ;;
    guards) compset -P '*,'; compadd -- ${guardIds.join(" ")} ;;
    file) _files ;;
    folder) _files -/ ;;
  esac
}
if [[ $funcstack[1] == _zonewright ]]; then _zonewright "$@"; else compdef _zonewright zonewright; fi
`;
}

function fishScript(commands: readonly Completion[]): string {
  const line = (condition: string, rest: string) => `complete -c zonewright -n ${quote(condition)} ${rest}`;
  const valuesText = (values: Values) => {
    if (typeof values !== "string") {
      const words = values.filter((value) => !guardMeanings.has(value));
      return `-x -a ${quote(words.length < values.length ? `${words.join(" ")} (__zonewright_guards)` : words.join(" "))}`;
    }
    return { ...dynamic, file: "-r -F", folder: "-x -a '(__fish_complete_directories)'", none: "-x" }[values];
  };
  const lines = commands.flatMap(({ name, flags, argument }) => [
    ...flags.map(({ name: flag, summary, values }) =>
      line(
        `__zonewright_is ${name}`,
        `-l ${flag.slice(2)} ${values ? `${valuesText(values)} ` : ""}-d ${quote(summary)}`,
      ),
    ),
    ...(argument === "none" ? [] : [line(`__zonewright_is ${name}`, valuesText(argument).replace(/^-[xr] /, ""))]),
  ]);
  const words = [...groupsOf(commands)].flatMap(([group, words]) => {
    const depth = group === "" ? 1 : group.split(" ").length + 1;
    const condition = `${group === "" ? "" : `__zonewright_is ${group}; and `}__zonewright_has ${depth}`;
    return words.map(([word, summary]) => line(condition, `-a ${word} -d ${quote(summary)}`));
  });
  return `# Completion of zonewright for fish: zonewright completion fish | source
function __zonewright_has
    test (count (commandline -opc)) -eq $argv[1]
end
function __zonewright_is
    set -l words (commandline -opc)
    set -l last (math (count $argv) + 1)
    test "$words[2..$last]" = "$argv"
end
function __zonewright_list
    set -l words (commandline -opc)
    $words[1] __complete $argv[1] -- $words[2..-1] 2>/dev/null
end
function __zonewright_guards
    printf '%s\\t%s\\n' ${[...guardMeanings].map(([guard, about]) => `${guard} ${quote(about)}`).join(" ")}
end
complete -c zonewright -f
complete -c zonewright -n '__zonewright_has 1' -l help -d 'display help'
complete -c zonewright -n '__zonewright_has 1' -l version -d 'output the version number'
${[...words, ...lines].join("\n")}
`;
}

const dynamic = {
  zone: "-r -F -a '(__zonewright_list zones)'",
  target: "-x -a '(__zonewright_list targets)'",
  service: "-x -a '(__zonewright_list services)'",
  run: "-x -k -a '(__zonewright_list runs)'",
  guards: "-x -a '(__fish_complete_list , __zonewright_guards)'",
};
