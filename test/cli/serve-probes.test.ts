import { expect, test } from "vitest";
import * as z from "zod";
import { Desk } from "./run.ts";

const usage = (talk: string) => ({ code: 64, out: "", talk });

test("serve probes services at an address that --probe-to allows", async () => {
  const desk = new Desk({ token: "secret-for-tests" });
  const server = desk.start(`serve --port 0 --no-console --ephemeral --token-file token --probe-to 127.0.0.1`);
  const [, url = ""] = await server.says(/^(http:\/\/\S+)\n/);
  await server.says(/Ctrl-C/);
  const call = async (method: string, path: string, body?: object) => {
    const headers = { Authorization: "Bearer secret-for-tests" };
    const reply = await fetch(`${url}/v4${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return z.object({ status: z.string() }).parse(await reply.json());
  };
  const service = { service_type: "url", label: "own", address: `${url}/healthz`, body: '"ok"', timeout: 5 };
  expect(await call("POST", "/managed/services", service)).toEqual({ status: "pending" });
  await expect.poll(async () => (await call("GET", "/managed/services/1")).status).toBe("ok");
  expect((await server.end()).code).toBe(0);
});

test("serve --probe-to: a network", async () => {
  expect(await new Desk().run("serve --probe-to shop.example.com")).toEqual(
    usage(
      'error: --probe-to must be a network or an address, such as 10.0.0.0/8 or fd00::/8, not "shop.example.com".\n',
    ),
  );
});
