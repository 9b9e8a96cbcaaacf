// @suite long
import { once } from "node:events";
import { cpSync, readdirSync, readFileSync, watch } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { readPage, Screen } from "../docs/page.ts";
import { sampled } from "../properties.ts";
import { Program } from "./process.ts";
import { type ApiDesk, apiDesk, Desk, lines } from "./run.ts";

const good = lines`
  soa_email: hostmaster@example.com
  ttl_sec: 1h
  records:
    www: { A: 192.0.2.10 }
    shop: { CNAME: www }
`;
/** Two writes away, one after the other: `promo` is created, then `shop` points to it. */
const bad = good.replace("CNAME: www", "CNAME: promo").concat("  promo: { A: 192.0.2.66 }\n");
const states = {
  good: ["shop CNAME www.example.com", "www A 192.0.2.10"],
  between: ["promo A 192.0.2.66", "shop CNAME www.example.com", "www A 192.0.2.10"],
  bad: ["promo A 192.0.2.66", "shop CNAME promo.example.com", "www A 192.0.2.10"],
};

type Reply = () => Promise<Response>;

/** A desk whose server can lose requests and replies. */
interface Stage extends ApiDesk {
  answer: (request: Request, reply: Reply) => Promise<Response>;
}

/** A project with a good run, and a bad one: the first is `RUN`, the second `A`. */
async function openStage(): Promise<Stage> {
  const whole = (_: Request, reply: Reply) => reply();
  const stage: { answer: Stage["answer"] } = { answer: whole };
  const between =
    (server: Server): Server =>
    (request, connection) =>
      stage.answer(request, async () => server(request, connection));
  const desk = Object.assign(await apiDesk({ "zones/example.com.yaml": good }, between), stage);
  Object.defineProperty(stage, "answer", { get: () => desk.answer });
  // Killed programs run at the time of day, and ids of runs sort by time.
  desk.now = new Date(Date.now() - 3_600_000);
  expect((await desk.run("apply --yes")).code).toBe(0);
  desk.waited += 1_000;
  desk.write("zones/example.com.yaml", bad);
  return desk;
}

const runsOf = ({ folder }: Desk) => readdirSync(join(folder, ".zonewright/runs")).sort();

async function stateOf(stage: Stage): Promise<string> {
  const { data } = await stage.call("GET", "/domains/1/records");
  const records = data.map(({ name, type, target }: Record<string, string>) => `${name} ${type} ${target}`).sort();
  const known = Object.entries(states).find(([, state]) => JSON.stringify(state) === JSON.stringify(records));
  return known?.[0] ?? records.join(", ");
}

/** Holds the first request that `isMeant`, and answers it when it is released. */
function hold(stage: Stage, isMeant: (request: Request) => boolean, answer: (reply: Reply) => Promise<Reply>) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const arrived = new Promise<void>((resolve) => {
    stage.answer = async (request, reply) => {
      if (!isMeant(request)) return reply();
      const then = await answer(reply);
      resolve();
      await released;
      return then();
    };
  });
  return { arrived, release };
}

const lost: Reply = async () => new Response(null, { status: 500 });

function isWrite(number: number): (request: Request) => boolean {
  let count = 0;
  return ({ method }) => method !== "GET" && ++count === number;
}

/** Waits until the journal of the last run contains a text a number of times. */
async function journaled(stage: Stage, text: string, times: number): Promise<void> {
  const file = join(stage.folder, ".zonewright/runs", runsOf(stage).at(-1) ?? "", "journal.jsonl");
  const isThere = () => readFileSync(file, "utf8").split(text).length > times;
  const watcher = watch(file);
  try {
    while (!isThere()) await once(watcher, "change");
  } finally {
    watcher.close();
  }
}

/**
 * Kills a command at a request, after what comes `first`. `takesEffect`: the request is carried out, and its reply is
 * lost.
 */
async function kill(
  stage: Stage,
  command: string,
  isMeant: (request: Request) => boolean,
  { first, takesEffect = false }: { first?: () => Promise<void>; takesEffect?: boolean } = {},
): Promise<Desk> {
  const { arrived, release } = hold(stage, isMeant, async (reply) => {
    await first?.();
    if (takesEffect) await reply();
    return lost;
  });
  const program = new Program(stage.folder, command, stage.env);
  await arrived;
  program.kill("SIGKILL");
  expect((await program.end()).code).toBe("SIGKILL");
  release();
  return stage;
}

/** Interrupts a command that sends two writes; the next command runs at the desk that is returned. */
const interruptions: Readonly<Record<string, (stage: Stage, command: string) => Promise<Desk>>> = {
  "Ctrl-C": async (stage, command) => {
    const { arrived, release } = hold(stage, isWrite(1), async (reply) => reply);
    const program = new Program(stage.folder, command, stage.env);
    await arrived;
    program.kill("SIGINT");
    await program.says(/Ctrl-C again/);
    release();
    expect((await program.end()).code).toBe(130);
    return stage;
  },
  "kill -9 before the first write": (stage, command) => {
    const before = runsOf(stage).length;
    return kill(stage, command, () => runsOf(stage).length > before);
  },
  "kill -9 between the writes": (stage, command) => kill(stage, command, isWrite(2)),
  "kill -9 before the reply to the last write": (stage, command) =>
    kill(stage, command, isWrite(2), { takesEffect: true }),
  "kill -9 after the last write": (stage, command) => {
    let writes = 0;
    const isAfter = ({ method }: Request) => (method === "GET" ? writes === 2 : ++writes > 2);
    return kill(stage, command, isAfter, { first: () => journaled(stage, '"kind":"acked"', 2) });
  },
  "a service that fails after the last write": async (stage, command) => {
    let writes = 0;
    stage.answer = async ({ method }, reply) => {
      if (method !== "GET" && ++writes === 2) await reply();
      return writes < 2 ? reply() : lost();
    };
    stage.now = new Date();
    expect((await stage.run(command)).code).toBe(5);
    return stage;
  },
  "kill -9, and .zonewright copied to another machine": async (stage, command) => {
    await kill(stage, command, isWrite(2));
    return moveTo(stage, new Desk({ "zones/example.com.yaml": bad }), "runs");
  },
};

/** Another folder for the same account, with a part of `.zonewright`. */
function moveTo(stage: Stage, desk: Desk, part?: string): Desk {
  if (part !== undefined)
    cpSync(join(stage.folder, ".zonewright", part), join(desk.folder, ".zonewright", part), { recursive: true });
  return Object.assign(desk, { env: stage.env, secrets: stage.secrets, shown: [...stage.shown, ...desk.shown] });
}

const complete = {
  nothing: async (stage: Stage, command: string) => {
    stage.now = new Date();
    expect((await stage.run(command)).code).toBe(0);
    return stage;
  },
};

const elsewhere = {
  "kill -9, on another machine": async (stage: Stage, command: string) => {
    await kill(stage, command, isWrite(2));
    return moveTo(stage, new Desk({ "zones/example.com.yaml": bad }));
  },
};

interface Last {
  /** The commands that lead to it; the last one is interrupted. */
  readonly commands: readonly string[];
  readonly by: Readonly<Record<string, (stage: Stage, command: string) => Promise<Desk>>>;
}

const lasts = {
  "`apply` A, interrupted": { commands: ["apply --yes"], by: interruptions },
  "`undo` U of A, interrupted": { commands: ["apply --yes", "undo last --yes"], by: interruptions },
  "`undo` U of A, complete": { commands: ["apply --yes", "undo last --yes"], by: complete },
  "none: `.zonewright` is on another machine": { commands: ["apply --yes", "undo last --yes"], by: elsewhere },
} satisfies Record<string, Last>;

type End = readonly [code: number, state: keyof typeof states | undefined];

/** The rows of the table in docs/plan-and-apply.md, each with its exit code and the live zone; undefined: as it was. */
const rows: readonly [last: keyof typeof lasts, next: string, text: string, end: End][] = [
  ["`apply` A, interrupted", "apply --resume", "A is continued", [0, "bad"]],
  ["`apply` A, interrupted", "undo last", "the writes of A that took effect are reverted", [0, "good"]],
  ["`apply` A, interrupted", "undo A", "the writes of A that took effect are reverted", [0, "good"]],
  ["`apply` A, interrupted", "apply", "a new plan is applied: the zones are as in the files", [0, "bad"]],
  ["`undo` U of A, interrupted", "undo last", "U is continued", [0, "good"]],
  ["`undo` U of A, interrupted", "undo A", "U is continued", [0, "good"]],
  [
    "`undo` U of A, interrupted",
    "undo U",
    "the writes of U that took effect are reverted; the first line of the plan says so",
    [0, "bad"],
  ],
  ["`undo` U of A, interrupted", "apply --resume", "refused: names `undo A`", [3, undefined]],
  ["`undo` U of A, interrupted", "apply", "a new plan is applied: the zones are as in the files", [0, "bad"]],
  ["`undo` U of A, complete", "undo last", "refused: names `undo U`, and `undo` of an earlier run", [3, undefined]],
  ["`undo` U of A, complete", "undo A", "nothing is left to undo", [0, "good"]],
  ["`undo` U of A, complete", "undo U", "A is made again; the first line of the plan says so", [0, "bad"]],
  ["`undo` U of A, complete", "apply --resume", "refused: U is done", [3, undefined]],
  ["`undo` U of A, complete", "apply", "a new plan is applied: the zones are as in the files", [0, "bad"]],
  ["none: `.zonewright` is on another machine", "undo last", "refused: no run is known", [3, undefined]],
  ["none: `.zonewright` is on another machine", "undo A", "refused: no run is known", [3, undefined]],
  ["none: `.zonewright` is on another machine", "apply --resume", "refused: no run is known", [3, undefined]],
  [
    "none: `.zonewright` is on another machine",
    "apply",
    "a new plan is applied: the zones are as in the files",
    [0, "bad"],
  ],
];

test("docs/plan-and-apply.md: the table has the ends of all interruptions", () => {
  const table = rows.map(([last, next, text]) => `| ${last} | \`${next}\` | ${text} |`);
  expect(readPage("docs/plan-and-apply.md")).toContain(
    ["| last run | next command | end |", "|---|---|---|", ...table].join("\n"),
  );
});

const fileOf = (last: string, next: string) =>
  `${last} ${next}`
    .toLowerCase()
    .match(/[a-z]+/g)
    ?.join("-");

test.each(sampled(rows, 6))("%s; then %s: %s", async (last, next, _, [code, state]) => {
  const { commands, by }: Last = lasts[last];
  const shown = [`# ${last}; then \`${next}\`\n`];
  const ends: Record<string, unknown> = {};
  for (const [name, interrupt] of Object.entries(by)) {
    const stage = await openStage();
    for (const command of commands.slice(0, -1)) await stage.run(command);
    stage.waited += 1_000;
    const desk = await interrupt(stage, commands.at(-1) ?? "");
    const [good = "", a = "A", u = "U"] = runsOf(stage);
    const before = await stateOf(stage);
    stage.answer = (_, reply) => reply();
    desk.now = new Date();
    desk.shown.push([good, "RUN"], [a, "A"], [u, "U"]);
    const words = next.replace(/ A$/, ` ${a}`).replace(/ U$/, ` ${u}`);
    const output = new Screen();
    const { code } = await desk.run(`${words} --yes`, { output });
    output.text += `exit code ${code}\n$ zonewright runs\n`;
    await desk.run("runs", { output });
    const after = await stateOf(stage);
    ends[name] = [code, after === before && code !== 0 ? undefined : after];
    const text = [...desk.shown, [/\d{8}T\d{6}\.\d{3}Z-\w{6}/g, "NEW"] as const].reduce(
      (text, [varying, constant]) => text.replaceAll(varying, constant),
      output.text,
    );
    shown.push(
      `## ${name}\n`,
      `Before: ${before}. After: ${after}.\n`,
      `\`\`\`console\n$ zonewright ${next} --yes\n${text.replace(/up to \d+ s/, "up to … s")}\`\`\`\n`,
    );
  }
  await expect(shown.join("\n")).toMatchFileSnapshot(`../cases/interruptions/${fileOf(last, next)}.md`);
  expect(ends).toEqual(Object.fromEntries(Object.keys(by).map((name) => [name, [code, state]])));
});

/** A stage whose last run is an unfinished undo, after one of two writes. */
async function unfinishedUndo(): Promise<Stage> {
  const stage = await openStage();
  await stage.run("apply --yes");
  await interruptions["kill -9 between the writes"]?.(stage, "undo last --yes");
  stage.answer = (_, reply) => reply();
  stage.now = new Date();
  return stage;
}

const nameRuns = (desk: Desk, names: readonly string[]) =>
  desk.shown.push(...runsOf(desk).map((id, index): [string, string] => [id, names[index] ?? "NEW"]));

test.each([
  "plan",
  "plan --against live.json",
  "drift",
  "runs",
  "runs last",
  "verify --nameserver 127.0.0.1:9 --wait 1s",
  "snapshot --out other.json",
  "apply",
])("%s names an unfinished undo before all else", async (command) => {
  const stage = await unfinishedUndo();
  stage.write("live.json", (await stage.run("snapshot")).out);
  nameRuns(stage, ["RUN", "A", "U"]);
  expect((await stage.run(command, { answer: "n" })).talk).toMatch(
    /^run U, an undo of run A, is not finished \(1 of 2 writes, 1 without a reply\): continue it with `zonewright undo A`; plain `zonewright apply` applies the zone files instead\n/,
  );
});

test("doctor names the command that continues an unfinished undo", async () => {
  const stage = await unfinishedUndo();
  nameRuns(stage, ["RUN", "A", "U"]);
  expect((await stage.run("doctor")).out).toMatch(/warn +runs +run U was interrupted\n +Run `zonewright undo A`\.\n/);
});

test("the undo of an undo that was killed is continued by undo last, and undoing that reverts the run again", async () => {
  const stage = await openStage();
  await stage.run("apply --yes");
  stage.waited += 1_000;
  await stage.run("undo last --yes");
  const [, , u = ""] = runsOf(stage);
  stage.waited += 1_000;
  await interruptions["kill -9 between the writes"]?.(stage, `undo ${u} --yes`);
  stage.answer = (_, reply) => reply();
  stage.now = new Date();
  nameRuns(stage, ["RUN", "A", "U", "R"]);
  const { out } = await stage.run("undo last --yes");
  expect(out.split("\n")[0]).toBe(
    "continues run R, an undo of run U: 1 of 2 writes, 1 without a reply; reverts an undo: run U reverted run A; this plan makes the changes of run A again",
  );
  expect(await stateOf(stage)).toBe("bad");
  nameRuns(stage, ["RUN", "A", "U", "R", "R2"]);
  expect(await stage.run("undo last --yes")).toEqual({
    code: 3,
    out: "",
    talk: lines`
      error[undo-last] the last run, R2, is the undo of run U, and is done
        ${"`"}zonewright undo R2${"`"} reverts the changes of run A again. ${"`"}zonewright undo RUN${"`"} reverts an earlier run: 4 of 4 writes.
    `,
  });
});

test("an undo of a run that continued another names the changes that stay, and the command that reverts them", async () => {
  const stage = await openStage();
  await interruptions["kill -9 between the writes"]?.(stage, "apply --yes");
  stage.answer = (_, reply) => reply();
  stage.now = new Date();
  await stage.run("apply --resume --yes");
  expect(await stateOf(stage)).toBe("bad");
  nameRuns(stage, ["RUN", "A", "R"]);
  const undone = await stage.run("undo last --yes");
  expect([undone.code, undone.out.match(/^note .*/gm)]).toEqual([
    0,
    [
      "note  run R continued run A, whose changes stay (1 of 2 writes, 1 without a reply): `zonewright undo A` reverts them",
    ],
  ]);
  expect(await stateOf(stage)).not.toBe("good");
  const [, a = ""] = runsOf(stage);
  expect((await stage.run(`undo ${a} --yes`)).code).toBe(0);
  expect(await stateOf(stage)).toBe("good");
});

test("an apply that finds nothing to do ends a run whose writes all took effect, and so does its undo", async () => {
  for (const [command, state] of [
    ["apply --yes", "bad"],
    ["undo last --yes", "good"],
  ] as const) {
    const stage = await openStage();
    await interruptions[state === "bad" ? "kill -9 after the last write" : "kill -9 before the first write"]?.(
      stage,
      "apply --yes",
    );
    stage.answer = (_, reply) => reply();
    stage.now = new Date();
    expect((await stage.run(command)).code).toBe(0);
    expect([await stateOf(stage), (await stage.run("runs")).talk]).toEqual([state, ""]);
  }
});

test("the lock of another machine is kept until someone deletes it", async () => {
  const stage = await unfinishedUndo();
  stage.write(".zonewright/lock", JSON.stringify({ pid: 1, host: "elsewhere.example" }));
  nameRuns(stage, ["RUN", "A", "U"]);
  expect(await stage.run("undo last --yes")).toEqual({
    code: 8,
    out: "",
    talk: lines`
      error[run-locked] process 1 on elsewhere.example is changing this project
        Wait until it ends. If you are certain that it no longer runs, delete /desk/.zonewright/lock.
    `,
  });
});
