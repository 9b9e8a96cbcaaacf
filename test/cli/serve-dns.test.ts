import { expect, test } from "vitest";
import { dig } from "../transfer/dig.ts";
import { Program } from "./process.ts";
import { Desk, lines } from "./run.ts";

test.each([
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "::1"],
])("serve --dns %s answers what the API was told", async (written, host) => {
  const program = new Program(new Desk().folder, `serve --port 0 --ephemeral --token secret-for-tests --dns ${written}:0`);
  const [, url = ""] = await program.says(/^(http:\/\/\S+)\n/);
  const [, port] = await program.says(/names are answered on \S+:(\d+)\n/);
  const post = (path: string, body: object) =>
    fetch(`${url}/v4/${path}`, { method: "POST", headers: { Authorization: "Bearer secret-for-tests" }, body: JSON.stringify(body) });
  await post("domains", { domain: "example.com", type: "master", soa_email: "hostmaster@example.com", axfr_ips: [host] });
  await post("domains/1/records", { type: "A", name: "www", target: "192.0.2.1" });
  const server = { host, port: Number(port) };
  expect(await dig(server, "www.example.com.", "A")).toEqual(["www.example.com. 86400 IN A 192.0.2.1", ""]);
  expect((await dig(server, "example.com.", "AXFR")).length).toBe(5);
  program.kill("SIGINT");
  expect(await program.end()).toEqual({
    code: 0,
    out: `${url}\n`,
    talk: lines`
      names are answered on ${written}:${port}
      zonewright serves from memory; Ctrl-C stops it
      finishing the requests under way
    `,
  });
}); // biome-ignore format: long lines

test.each(["5300", "localhost:5300", "127.0.0.1:", "127.0.0.1:70000", "::1:5300", "[127.0.0.1]:53", "[::1]"])(
  "--dns %s is no address",
  async (text) => {
    expect(await new Desk().run(`serve --ephemeral --dns ${text}`)).toMatchObject({
      code: 64,
      talk: expect.stringContaining("--dns is an address and a port such as 127.0.0.1:5300 or [::1]:5300, not "),
    });
  },
);

test("a port that is held: a sentence", async () => {
  const holder = new Program(new Desk().folder, "serve --port 0 --ephemeral --token secret-for-tests --dns 127.0.0.1:0");
  const [, port] = await holder.says(/names are answered on \S+:(\d+)\n/);
  expect(await new Desk().run(`serve --port 0 --ephemeral --dns 127.0.0.1:${port}`)).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[listen] cannot answer names on 127.0.0.1 port ${port}
        listen EADDRINUSE: address already in use 127.0.0.1:${port}. Stop what holds it, or choose another port or address.
    `,
  });
}); // biome-ignore format: long lines
