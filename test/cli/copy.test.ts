import { expect, test } from "vitest";
import { Desk, lines } from "./run.ts";

const unreachable = "postgres://user:very-secret@localhost/zones?host=/nowhere";

const cases: { what: string; command: string; env?: Record<string, string>; code?: number; talk: string }[] = [
  {
    what: "no target",
    command: "server copy",
    code: 64,
    talk: lines`
      error: DATABASE_URL must be a PostgreSQL URL, such as postgres://user:password@host:port/database.
    `,
  },
  {
    what: "a target that is a file",
    command: "server copy --to zones.db",
    code: 64,
    talk: lines`
      error: --to must be a PostgreSQL URL, such as postgres://user:password@host:port/database.
    `,
  },
  {
    what: "no source",
    command: "server copy --data elsewhere",
    env: { DATABASE_URL: unreachable },
    talk: lines`
      error[store-missing] no database found in elsewhere
        Run the command in the folder where ${"`zonewright serve`"} was started, or name its data folder with --data.
    `,
  },
  {
    what: "a target that does not answer",
    command: "server copy",
    env: { DATABASE_URL: unreachable },
    talk: lines`
      error[store-open] cannot open the database postgres://user@localhost/zones
        no server is listening there. Start PostgreSQL, and check the user, password and database in the URL.
    `,
  },
];

test.each(cases)("$what", async ({ command, env = {}, code = 1, talk }) => {
  const desk = new Desk();
  desk.secrets.push("very-secret");
  expect((await desk.run("server token create")).code).toBe(0);
  expect(await desk.run(command, { env })).toEqual({ code, out: "", talk });
});
