import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { API } from "typescript/unstable/sync";

/**
 * The surface of one entry point: each exported name with its declaration, and types that are shown but not exported.
 */
export interface Surface {
  readonly text: string;
  readonly names: readonly string[];
  readonly hidden: readonly { readonly type: string; readonly shownBy: string }[];
}

interface Declaration {
  readonly name: string;
  readonly file: string;
  /** Without comments. */
  readonly text: string;
}

const declared =
  /^(?:export )?(?:declare )?(?:abstract )?(?:function|class|const|interface|type|enum)\*? (?<name>[\w$]+)/;
/** Options for printing a type: in full, on one line, with aliases expanded. */
const asWhole = 1 | 8388608; // NodeBuilderFlags.NoTruncation, InTypeAlias
const optional = 16777216; // SymbolFlags.Optional

/** Reads the surfaces of entry points, by their names, from the declarations of a project that has `zonewright`. */
export function readSurfaces(config: string, entries: Readonly<Record<string, string>>): Record<string, Surface> {
  const api = new API({ cwd: dirname(config) });
  try {
    const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
    if (project === undefined) throw new Error(`no project: ${config}`);
    const { checker, program } = project;
    const typesIn = (entry: string) => {
      const file = program.getSourceFile(entry);
      const module = file && checker.getSymbolAtLocation(file);
      if (module === undefined) throw new Error(`the project does not import ${entry}`);
      const print = (type: Parameters<typeof checker.typeToString>[0]) =>
        checker.typeToString(type, undefined, asWhole);
      return new Map(
        checker.getExportsOfModule(module).map((symbol) => {
          const type = checker.getDeclaredTypeOfSymbol(checker.getAliasedSymbol(symbol));
          return [symbol.name, { whole: () => print(type), members: () => membersOf(type) }];
        }),
      );
      function membersOf(type: Parameters<typeof checker.getPropertiesOfType>[0]): string[] {
        return checker.getPropertiesOfType(type).map((member) => {
          const own = checker.getTypeOfSymbol(member);
          const isOptional = (member.flags & optional) !== 0;
          return `  ${member.name}${isOptional ? "?" : ""}: ${own && print(own)};`;
        });
      }
    };
    return Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, readSurface(entry, typesIn(entry))]),
    );
  } finally {
    api.close();
  }
}

interface Resolved {
  whole(): string;
  members(): string[];
}

function readSurface(entry: string, types: ReadonlyMap<string, Resolved>): Surface {
  const exported = exportsOf(entry);
  const names = new Set(exported.map(({ name }) => name));
  const hidden: { type: string; shownBy: string }[] = [];
  const texts = exported.map((declaration) => {
    const text = shownAs(declaration, types.get(declaration.name));
    const used = isComputed(declaration.text)
      ? typeWords(text).filter((word) => !(word in globalTypes))
      : typesIn(declaration);
    for (const type of used) if (!names.has(type)) hidden.push({ type, shownBy: declaration.name });
    return text;
  });
  // Types that the contract's schemas give stand whole once, and by their names elsewhere.
  const named = exported
    .filter(({ text }) => isComputed(text))
    .flatMap(({ name }) => {
      const whole = types.get(name)?.whole() ?? "";
      return whole.startsWith("{") ? [[whole, name] as const] : [];
    })
    .sort(([one], [other]) => other.length - one.length);
  const text = texts
    .map((text) => {
      const [head = "", ...lines] = text.split("\n");
      const shorten = (line: string) => named.reduce((line, [whole, name]) => line.replaceAll(whole, name), line);
      return [head, ...lines.map(shorten)].join("\n");
    })
    .join("\n\n");
  return { text: `${text}\n`, names: [...names], hidden };
}

/** A type that is computed from values says nothing by its text: it is shown as what the compiler makes of it. */
function isComputed(text: string): boolean {
  return /^export type \w+ = (?:z\.|\{\s*(?:readonly )?\[\w+ in )/.test(text);
}

function shownAs({ name, text }: Declaration, resolved: Resolved | undefined): string {
  if (!isComputed(text) || resolved === undefined) return text.replaceAll(/import\("[^"]+"\)\./g, "");
  const members = resolved.members();
  return members.length === 0
    ? `export type ${name} = ${resolved.whole()};`
    : [`export type ${name} = {`, ...members, "};"].join("\n");
}

/** The exported declarations of a file and of those that it exports from, by name. */
function exportsOf(entry: string): Declaration[] {
  const found: Declaration[] = [];
  for (const [, list = "", from = ""] of readFileSync(entry, "utf8").matchAll(
    /export (?:type )?\{([^}]*)\} from "([^"]+)"/g,
  )) {
    const file = join(dirname(entry), from.replace(/(?<!\.d)\.ts$/, ".d.ts"));
    const statements = statementsOf(file);
    const deeper = [...exportsOf(file), ...importsOf(file)];
    for (const name of list.split(",").map((each) => each.replace(/^\s*(?:type )?/, "").trim())) {
      if (name === "") continue;
      const own = statements.filter((statement) => statement.name === name);
      const all = own.length > 0 ? own : deeper.filter((declaration) => declaration.name === name);
      if (all.length === 0) throw new Error(`${file} does not declare ${name}`);
      found.push({ name, file: all[0]?.file ?? file, text: all.map(({ text }) => text).join("\n") });
    }
  }
  return found.sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Declarations that a file imports: it may export them under their names. */
function importsOf(file: string): Declaration[] {
  const imports = readFileSync(file, "utf8").matchAll(/^import [^"]*from "(\.[^"]+)"/gm);
  return [...imports].flatMap(([, from = ""]) =>
    statementsOf(join(dirname(file), from.replace(/(?<!\.d)\.ts$/, ".d.ts"))),
  );
}

/** The declarations of a file: each begins at the start of a line. */
function statementsOf(file: string): Declaration[] {
  const text = readFileSync(file, "utf8").replaceAll(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, "");
  return text.split(/\n(?=[a-z])/).flatMap((statement) => {
    const name = declared.exec(statement)?.groups?.name;
    return name === undefined ? [] : [{ name, file, text: statement.trimEnd() }];
  });
}

/**
 * Types of the package that a declaration names: those that its file declares or imports, and those imported in place.
 * An alias that its file does not export is expanded to the types that it names.
 */
function typesIn({ name, file, text }: Declaration): string[] {
  const source = readFileSync(file, "utf8");
  const own = statementsOf(file).filter(({ text }) => !/^(?:export )?declare (?:function|const)/.test(text));
  const imported = [...source.matchAll(/^import (?:type )?\{([^}]*)\} from "\./gm)].flatMap(([, list = ""]) =>
    list.split(",").map((each) => each.replace(/^\s*(?:type )?/, "").trim()),
  );
  const inPlace = [...text.matchAll(/import\("\.[^"]*"\)\.(\w+)/g)].map(([, used = ""]) => used);
  const words = new Set(typeWords(text));
  const known = [...own.map(({ name }) => name), ...imported];
  const used = new Set([...known.filter((type) => words.has(type) && type !== name), ...inPlace]);
  return [...used].flatMap((type) => {
    const alias = own.find((statement) => statement.name === type && statement.text.startsWith("type "));
    return alias ? typesIn(alias) : [type];
  });
}

function typeWords(text: string): string[] {
  return text.replaceAll(/"[^"]*"/g, "").match(/(?<![\w.$])[A-Z]\w*(?![\w?-]*:)/g) ?? [];
}

/** Types of the language, by what has their names at run time. */
const globalTypes = {
  ...Object.fromEntries(Object.getOwnPropertyNames(globalThis).map((name) => [name, true])),
  Record: true,
};
