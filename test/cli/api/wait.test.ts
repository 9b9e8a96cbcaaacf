import { expect, test } from "vitest";
import { type ApiDesk, apiDesk, lines } from "../run.ts";

const place = { region: "us-east", type: "g6-nanode-1", label: "web-1" };
const deployed = { ...place, image: "node/debian12", root_pass: "correct Horse 7" };

/** A desk with a file for the body of a node from an image. */
async function openDesk(): Promise<ApiDesk> {
  const desk = await apiDesk({ "node.json": JSON.stringify(deployed) });
  desk.secrets.push(deployed.root_pass);
  return desk;
}

test("waits until a node from an image runs, and prints the reply as the service sent it", async () => {
  const desk = await openDesk();
  const { code, out, talk } = await desk.run("api create-node --body @node.json --json --wait");
  expect([code, JSON.parse(out).status, talk]).toEqual([
    0,
    "provisioning",
    lines`
      node_create of web-1: done (event 1)
      node_boot of web-1: done (event 2)
    `,
  ]);
  expect(await desk.call("GET", "/node/instances/1")).toMatchObject({ status: "running" });
  expect(await desk.run("api shut-down-node 1 --wait")).toEqual({
    code: 0,
    out: "",
    talk: lines`
      node 1 shuts down
      node_shutdown of web-1: done (event 3)
    `,
  });
  expect(await desk.run("api delete-node 1 --yes --wait")).toEqual({
    code: 0,
    out: "",
    talk: lines`
      deletion of node 1 begun
      node_delete of web-1: done (event 4)
    `,
  });
  expect((await desk.run("api get-node 1")).talk).toContain("404 Not found");
});

test("a job that fails is an error with its reason", async () => {
  const desk = await openDesk();
  await desk.run("api create-node --body @node.json --wait");
  await desk.run("api shut-down-node 1 --wait");
  const { data } = await desk.call("GET", "/node/instances/1/disks");
  expect(await desk.run(`api resize-disk 1 ${data[0].id} --set size=10 --wait`)).toEqual({
    code: 1,
    out: "",
    talk: lines`
      resize of disk 1 of node 1 begun
      error[job-failed] disk_resize of web-1 failed: The content of the disk needs 1600 MB.
        Event 4 has the details.
    `,
  });
});

test("a node with a job refuses another one, and the advice leads to its end", async () => {
  const desk = await openDesk();
  await desk.run("api create-node --body @node.json");
  expect(await desk.run("api shut-down-node 1")).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[api/invalid] POST /v4/node/instances/1/shutdown: 400 Node busy
        A node has one job at a time: ${"`"}zonewright api list-events --filter entity.type=node${"`"} shows it. Send the request again when it has ended.
    `,
  });
});

test("Ctrl-C ends the wait, not the job", async () => {
  const interruption = new AbortController();
  let looks = 0;
  const desk = await apiDesk({}, (server) => async (request, connection) => {
    if (new URL(request.url).pathname === "/v4/account/events" && ++looks === 3) interruption.abort();
    return server(request, connection);
  });
  desk.write("node.json", JSON.stringify(deployed));
  expect(await desk.run("api create-node --body @node.json --json --wait", { interruption })).toEqual({
    code: 130,
    out: expect.stringContaining('"label": "web-1"'),
    talk: "interrupted: the job goes on, and `zonewright api list-events` shows it\n",
  });
});

test("a token that may not see events is refused before anything is sent", async () => {
  const desk = await openDesk();
  const blind = await desk.mint({ scopes: "nodes:read_write" });
  const wanted = "api create-node --body @node.json --wait";
  expect(await desk.run(wanted, { env: { ZONEWRIGHT_TOKEN: blind } })).toMatchObject({
    code: 1,
    talk: expect.stringContaining("It needs the scope events:read_only; it has nodes:read_write."),
  });
  expect(desk.writes).toEqual([]);
});
