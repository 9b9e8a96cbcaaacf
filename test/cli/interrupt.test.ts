// @suite long

import { expect, test } from "vitest";
import type { Server } from "../../src/server/http/router.ts";
import { Program } from "./process.ts";
import { apiDesk } from "./run.ts";

const zone = `soa_email: hostmaster@example.com\nrecords:\n${["a", "b", "c", "d"].map((name) => `  ${name}:\n    A: 192.0.2.1\n`).join("")}`;

/** Something that happens once, and can be waited for. */
function moment(): { happened: Promise<void>; happen: () => void } {
  let happen = () => {};
  const happened = new Promise<void>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

/** A server that stops before it answers the request that `isMeant`, until it is told to go on. */
function slow(isMeant: (request: Request) => boolean) {
  const arrived = moment();
  const released = moment();
  const between =
    (server: Server): Server =>
    async (request, connection) => {
      if (isMeant(request)) {
        arrived.happen();
        await released.happened;
      }
      return server(request, connection);
    };
  return { between, arrived: arrived.happened, release: released.happen };
}

/** A test for the write with that number. */
function writeNumber(number: number): (request: Request) => boolean {
  let seen = 0;
  return ({ method }) => method !== "GET" && ++seen === number;
}

test.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)(
  "%s during apply: finishes the current writes and starts no other",
  async (signal) => {
    const { between, arrived, release } = slow(writeNumber(3));
    const desk = await apiDesk({ "zones/example.com.yaml": zone }, between);
    const program = new Program(desk.folder, "apply --yes --verbose", desk.env);
    await arrived;
    program.kill(signal);
    await program.says(/Ctrl-C again/);
    release();
    const { code, talk } = await program.end();
    const steps = talk.split("\n").filter((line) => line.startsWith("  "));
    // Steps that need nothing of each other run side by side: which of them come before the signal is up to the
    // runtime.
    expect({ code, steps: steps.sort(), others: talk.split("\n").filter((line) => !line.startsWith("  ")) }).toEqual({
      code: 130,
      steps: [
        "  example.com: created a A 192.0.2.1",
        "  example.com: created as domain 1",
        ...["b", "c", "d"].map((name) => `  example.com: created ${name} A 192.0.2.1`),
      ],
      others: [
        "example.com: 6 writes",
        "finishing the writes under way; Ctrl-C again stops at once",
        "example.com: interrupted after 5 of 6 writes",
        "interrupted: 0 of 1 zone done. For the rest, run `zonewright apply --resume`.",
        "",
      ],
    });
    expect(desk.writes).toEqual(["POST /v4/domains", ...new Array(4).fill("POST /v4/domains/1/records")]);

    expect((await desk.run("apply --yes")).code).toBe(0);
    expect((await desk.run("plan --detailed-exitcode")).code).toBe(0);
    const { status } = await desk.call("GET", "/domains/1");
    expect(status).toBe("active");
  },
);

test("a second Ctrl-C ends at once", async () => {
  const { between, arrived, release } = slow(writeNumber(2));
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, between);
  const program = new Program(desk.folder, "apply --yes", desk.env);
  await arrived;
  program.kill("SIGINT");
  await program.says(/Ctrl-C again/);
  program.kill("SIGINT");
  expect((await program.end()).code).toBe("SIGINT");
  release();
});

test.each([
  ["plan", "nothing was changed"],
  ["apply --yes", "no further writes are sent"],
  ["export --live --to records", "no further writes are sent"],
  ["import api", "no further writes are sent"],
])("Ctrl-C while %s reads: %s", async (command, end) => {
  const { between, arrived, release } = slow(({ url }) => url.includes("/records"));
  const desk = await apiDesk({ "zones/example.com.yaml": zone }, between);
  await desk.call("POST", "/domains", { domain: "example.com", type: "master", soa_email: "a@b.example" });
  const program = new Program(desk.folder, command, desk.env);
  await arrived;
  program.kill("SIGINT");
  expect(await program.end()).toEqual({ code: 130, out: "", talk: `interrupted: ${end}\n` });
  release();
  expect(desk.writes).toEqual([]);
  expect(Object.keys(desk.files())).toEqual(["zones/example.com.yaml"]);
});
