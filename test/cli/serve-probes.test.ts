import { expect, test } from "vitest";
import { apiOf } from "./process.ts";
import { Desk } from "./run.ts";

const usage = (talk: string) => ({ code: 64, out: "", talk });

test("serve probes services at an address that --probe-to allows", async () => {
  const desk = new Desk({ token: "secret-for-tests" });
  const server = desk.start(`serve --port 0 --no-console --ephemeral --token-file token --probe-to 127.0.0.1`);
  const { url, call } = await apiOf(server);
  await server.says(/Ctrl-C/);
  const service = { service_type: "url", label: "own", address: `${url}/healthz`, body: '"ok"', timeout: 5 };
  expect((await call("POST", "/managed/services", service)).body.status).toBe("pending");
  await expect.poll(async () => (await call("GET", "/managed/services/1")).body.status).toBe("ok");
  expect((await server.end()).code).toBe(0);
});

test("serve --probe-to: a network", async () => {
  expect(await new Desk().run("serve --probe-to shop.example.com")).toEqual(
    usage(
      'error: --probe-to must be a network or an address, such as 10.0.0.0/8 or fd00::/8, not "shop.example.com".\n',
    ),
  );
});
