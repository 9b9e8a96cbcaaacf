import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { expect, test } from "vitest";
import { problemIds, registry } from "../src/diagnostics/registry.ts";
import { filesOf } from "./house/files.ts";
import { drawings, type Floor, floorOf, insides, nameOf, rooms } from "./house/floors.ts";
import { advisedFlags, namesWithSeveralMeanings } from "./house/words.ts";

const src = resolve(import.meta.dirname, "../src");
const room = (file: string) => relative(src, file).split(sep)[0] ?? "";

const imports = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts"))
  .flatMap((file) => {
    const text = readFileSync(join(src, file), "utf8");
    return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)].map(([, target]) => ({
      from: join(src, file),
      to: resolve(src, dirname(file), target ?? ""),
    }));
  });

test("every folder and file of src has a floor, and every floor is there", () => {
  const homeless = (floors: readonly Floor[], folder: string) => [
    ...readdirSync(folder)
      .filter((name) => !floors.some(({ names }) => names.some((one) => one.startsWith(`${name}/`))))
      .filter((name) => Number.isNaN(floorOf(floors, name))),
    ...floors.flatMap(({ names }) => names).filter((name) => name !== "*" && !existsSync(join(folder, name))),
  ];
  expect(homeless(rooms, src)).toEqual([]);
  for (const [name, floors] of Object.entries(insides)) expect(homeless(floors, join(src, name)), name).toEqual([]);
});

test("a room with more than 20 files has floors inside", () => {
  const roomy = readdirSync(src, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .filter(({ name }) => readdirSync(join(src, name), { recursive: true }).length > 20);
  expect(roomy.map(({ name }) => name).filter((name) => !(name in insides))).toEqual([]);
});

test.each([["src", rooms] as const, ...Object.entries(insides)])(
  "imports in %s only point to a lower floor or into the same folder",
  (name, floors) => {
    const folder = name === "src" ? src : join(src, name);
    const isIn = (file: string) => file.startsWith(folder + sep);
    const wrong = imports
      .filter(({ from, to }) => isIn(from) && isIn(to))
      .filter(({ from, to }) => {
        const [own, other] = [from, to].map((file) => relative(folder, file).split(sep).join("/"));
        if (own === undefined || other === undefined || nameOf(floors, own) === nameOf(floors, other)) return false;
        const areFiles = ![own, other].some((path) => path.includes("/"));
        const [floor, target] = [floorOf(floors, own), floorOf(floors, other)];
        return !(target < floor || (areFiles && target === floor));
      });
    expect(wrong.map(({ from, to }) => `${relative(src, from)} -> ${relative(src, to)}`)).toEqual([]);
  },
);

test("CONTRIBUTING shows the floors as `npm run house -- --draw` prints them", () => {
  const page = readFileSync(resolve(src, "../CONTRIBUTING.md"), "utf8");
  for (const drawing of drawings()) expect(page).toContain(`\`\`\`\n${drawing}\n\`\`\``);
});

test("planner and executor know neither the API's contract nor a client of it", () => {
  const api = ["client", "contract", join("targets", "api")].map((folder) => join(src, folder));
  const wrong = imports
    .filter(({ from }) => ["planner", "executor"].includes(room(from)))
    .filter(({ to }) => api.some((folder) => to.startsWith(folder + sep)))
    .map(({ from, to }) => `${relative(src, from)} -> ${relative(src, to)}`);
  expect(wrong).toEqual([]);
});

test("of the DNS, only the list of rules imports a rule, so that rules can use everything else", () => {
  const rules = join(src, "dns", "rules") + sep;
  const wrong = imports
    .filter(({ from, to }) => room(from) === "dns" && to.startsWith(rules) && !from.startsWith(rules))
    .map(({ from }) => relative(src, from));
  expect([...new Set(wrong)]).toEqual([join("dns", "check.ts")]);
});

test("formats know neither the API's contract nor a target", () => {
  const wrong = imports
    .filter(({ from, to }) => room(from) === "formats" && ["contract", "targets"].includes(room(to)))
    .map(({ from, to }) => `${relative(src, from)} -> ${relative(src, to)}`);
  expect(wrong).toEqual([]);
});

test("four workflow files know the API's target, and no higher floor does", () => {
  const knowing = imports
    .filter(({ from }) => ["workflow", "report", "cli", "action"].includes(room(from)))
    .filter(({ to }) => to.startsWith(join(src, "targets", "api") + sep))
    .map(({ from }) => relative(src, from));
  expect([...new Set(knowing)].sort()).toEqual([
    join("workflow", "connect", "connect-api.ts"),
    join("workflow", "connect", "connection.ts"),
    join("workflow", "project", "snapshot-target.ts"),
    join("workflow", "project", "target-kind.ts"),
  ]);
});

test("no file imports itself indirectly, types included", () => {
  const targets = new Map<string, string[]>();
  for (const { from, to } of imports) targets.set(from, [...(targets.get(from) ?? []), to]);
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file))
      circles.push([...path.slice(path.indexOf(file)), file].map((at) => relative(src, at)).join(" -> "));
    else if (!done.has(file)) {
      for (const to of targets.get(file) ?? []) visit(to, [...path, file]);
      done.add(file);
    }
  };
  for (const file of targets.keys()) visit(file, []);
  expect(circles).toEqual([]);
});

test("server and client meet only through contract, and the planner reads no file", () => {
  const crossing = [
    ["server", /"(?:\.\.\/)+client\//],
    ["client", /"(?:\.\.\/)+server\//],
    ["planner", /"node:(?:fs|net|http)/],
  ] as const;
  for (const [room, pattern] of crossing)
    expect(filesOf(`src/${room}`).filter(({ text }) => pattern.test(text))).toEqual([]);
});

test("dns opens no socket and reads no file", () => {
  const wrong = readdirSync(join(src, "dns"), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => /"node:(?:net|tls|dgram|dns|fs|http)/.test(readFileSync(join(src, "dns", file), "utf8")));
  expect(wrong).toEqual([]);
});

test("commands call workflows, not the rooms below them", () => {
  const wrong = imports
    .filter(({ from }) => ["cli", "action"].some((folder) => relative(src, from).startsWith(join(folder, "commands"))))
    .filter(({ to }) => ["planner", "executor", "formats", "targets", "client"].includes(room(to)))
    .map(({ from, to }) => `${relative(src, from)} -> ${relative(src, to)}`);
  expect(wrong).toEqual([]);
});

test("only cli, and the entry of the action, touch process", () => {
  const wrong = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.startsWith("cli/") && file !== "action/main.ts")
    .filter((file) => /\bprocess\.|= process\b|from "node:process"/.test(readFileSync(join(src, file), "utf8")));
  expect(wrong).toEqual([]);
});

test("no folder is made with mkdir's recursive option, which hangs below /proc in Node 20", () => {
  const wrong = readdirSync(src, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts"))
    .filter((file) => /\bmkdir(?:Sync)?\([^;]*recursive/.test(readFileSync(join(src, file), "utf8")));
  expect(wrong).toEqual([]);
});

const texts = readdirSync(src, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !file.startsWith(join("diagnostics", "ids")))
  .map((file) => [file, readFileSync(join(src, file), "utf8")] as const);

test("problem ids are neither parsed nor built from strings", () => {
  const guesses =
    /(?<!\brun\.)\b(?:id|rule)\)?\.(?:startsWith|endsWith|includes|match|split|replace)\(|\.(?:test|exec)\((?:\w+\.)*(?:id|rule)\)|\bas ProblemId\b/;
  expect(texts.filter(([, text]) => guesses.test(text)).map(([file]) => file)).toEqual([]);
});

test("every registered problem is reported somewhere and has a reason", () => {
  const isReported = (id: string) => texts.some(([, text]) => text.includes(`"${id}"`));
  // `api/${kind}` and `transport/${kind}` are made of their kinds.
  const kindOf = (id: string) => /^(?:api|transport)\/(.+)$/.exec(id)?.[1];
  expect(problemIds.filter((id) => !isReported(kindOf(id) ?? id))).toEqual([]);
  expect(problemIds.filter((id) => !/^[^ ].*\.$/.test(`${registry[id].why}`))).toEqual([]);
});

test("only the command line and the action name flags and commands of zonewright", () => {
  const files = filesOf("src").filter(({ path }) => !/^src\/(?:cli|action)\//.test(path));
  const commands = filesOf("src/cli/commands").flatMap(({ path }) => /\/([a-z]+)\.ts$/.exec(path)?.[1] ?? []);
  expect(commands).toContain("plan");
  expect(advisedFlags(files, commands)).toEqual([]);
  const rows: [text: string, lines: number[]][] = [
    ['fix: "with --out"\nfix: "run `zonewright plan`"', [1, 2]],
    ['readServer(text, "--nameserver")', [1]],
    ["fix: 'name it with --origin'", [1]],
    ["text: `run \\`zonewright ${command}\\`, of zonewright ${version}`", [1]],
    ['fix: "run `dnscontrol x` without --raw"', [1]],
    ['a = /["`]/;\nfix: `${isOne ? "with --out" : "x"} y`', [2]],
    ['// with --out\nrunGit(cwd, ["ls-files", "--others"]);\ncss = `--fore: #000; color: var(--fore)`', []],
  ];
  expect(
    rows.map(([text]) => advisedFlags([{ path: "a.ts", text, lines: 1 }], commands).map(({ line }) => line)),
  ).toEqual(rows.map(([, lines]) => lines));
});

test("each target has a test that calls the conformance suite", () => {
  const tests = resolve(import.meta.dirname, "targets");
  const isTested = (folder: string) =>
    readdirSync(tests, { recursive: true, encoding: "utf8" }).some(
      (file) => file.startsWith(folder + sep) && /^ *testTarget\(/m.test(readFileSync(join(tests, file), "utf8")),
    );
  const folders = readdirSync(join(src, "targets"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(folders.map(({ name }) => name).filter((name) => !isTested(name))).toEqual([]);
});

test("an exported name has one meaning", () => {
  // Two doors of the library publish each of these.
  expect([...namesWithSeveralMeanings(filesOf("src")).keys()].sort()).toEqual(["Connection", "Node", "Scope"]);
});

test("no file opts out of the formatter", () => {
  const ignored = [src, import.meta.dirname].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => join(folder, file))
      .filter((file) => /\/\/ (?:biome|prettier)-ignore format/.test(readFileSync(file, "utf8"))),
  );
  expect(ignored).toEqual([]);
});

test("each file that a comment names is there", () => {
  const all = filesOf("src");
  const named = all.flatMap(({ path, text }) =>
    [...text.matchAll(/^\s*(?:\/\/|\*|\/\*\*).*$/gm)].flatMap(([line]) =>
      [...line.matchAll(/(?<![\w./-])([a-z][\w./-]*\.ts)\b/g)].map(([, name = ""]) => ({ path, name })),
    ),
  );
  expect(named.length).toBeGreaterThan(5);
  const known = [...all, ...filesOf("test")].map(({ path }) => `/${path}`);
  const missing = named.filter(({ name }) => !known.some((path) => path.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});

test("comments fit the line width, which the formatter does not enforce; only table rows are wider", () => {
  const wide = [src, import.meta.dirname].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) => {
        const lines = readFileSync(join(folder, file), "utf8").split("\n");
        return lines
          .filter((line) => line.length > 120 && /^\s*(?:\/\*\*|\*|\/\/) (?!\||biome-ignore)/.test(line))
          .map((line) => `${file}: ${line}`);
      }),
  );
  expect(wide).toEqual([]);
});
