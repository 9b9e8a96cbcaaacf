import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { connect, connectToRead } from "../../src/workflow/connect/connect.ts";
import { openProject } from "../../src/workflow/project/project.ts";
import { createRunContext } from "../../src/workflow/project/run-context.ts";

test("a connection sends with the function that it is given, and opens no other", async () => {
  const urls: string[] = [];
  const send = async (request: Request) => {
    urls.push(`${request.method} ${request.url} ${request.headers.get("Authorization")}`);
    return Response.json({ data: [], page: 1, pages: 1, results: 0 });
  };
  const { pid, kill } = process;
  const context = createRunContext({ cwd: tmpdir, env: { ZONEWRIGHT_TOKEN: "secret" }, pid, kill });
  const project = openProject(context, { config: "zonewright.yaml" });
  const options = { apiUrl: "http://api.invalid", send };
  const listed = [
    await connect(context, project, options, ({ target }) => target.read.listZones()),
    await connectToRead(context, project, options, ({ target }) => target.read.listZones()),
  ];
  expect(listed).toEqual([[], []]);
  expect(new Set(urls)).toEqual(
    new Set([expect.stringMatching(/^GET http:\/\/api\.invalid\/v4\/domains\S* Bearer secret$/)]),
  );
});
