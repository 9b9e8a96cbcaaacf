import { expect, onTestFinished, test } from "vitest";
import type { Key } from "../../src/dns/transfer/tsig.ts";
import { dig } from "../dns/transfer/dig.ts";
import { freePort, startNameServer } from "../dns/transfer/nameservers.ts";
import { isMissing } from "../judges.ts";
import { domainName } from "../names.ts";
import { apiOf, Program } from "./process.ts";
import { Desk, lines } from "./run.ts";

test.skipIf(isMissing("dig")).each([
  ["127.0.0.1", "127.0.0.1"],
  ["[::1]", "::1"],
])("serve --dns %s answers from the API's records", async (written, host) => {
  const program = new Program(new Desk().folder, `serve --port 0 --ephemeral --dns ${written}:0`, {
    ZONEWRIGHT_SERVE_TOKEN: "secret-for-tests",
  });
  const { url, call } = await apiOf(program);
  const [, port] = await program.says(/names are answered on \S+:(\d+);/);
  await call("POST", "/domains", {
    domain: "example.com",
    type: "master",
    soa_email: "hostmaster@example.com",
    axfr_ips: [host],
  });
  await call("POST", "/domains/1/records", { type: "A", name: "www", target: "192.0.2.1" });
  const server = { host, port: Number(port) };
  expect(await dig(server, "www.example.com.", "A")).toEqual(["www.example.com. 86400 IN A 192.0.2.1", ""]);
  expect((await dig(server, "example.com.", "AXFR")).length).toBe(5);
  program.kill("SIGINT");
  expect(await program.end()).toEqual({
    code: 0,
    out: `${url}\n`,
    talk: lines`
      data: in memory only (Ctrl-C stops the server)
      names are answered on ${written}:${port}; check them with ${`\`zonewright verify --nameserver ${written}:${port}\``}
      finishing the requests under way
    `,
  });
});

test.each(["5300", "localhost:5300", "127.0.0.1:", "127.0.0.1:70000", "::1:5300", "[127.0.0.1]:53", "[::1]"])(
  "rejects --dns %s",
  async (text) => {
    expect(await new Desk().run(`serve --ephemeral --dns ${text}`)).toMatchObject({
      code: 64,
      talk: expect.stringContaining("--dns must be an address and a port, such as 127.0.0.1:5300 or [::1]:5300, not "),
    });
  },
);

test("reports a port in use and stops the API", async () => {
  const holder = new Program(
    new Desk().folder,
    "serve --port 0 --ephemeral --token secret-for-tests --dns 127.0.0.1:0",
  );
  const [, port] = await holder.says(/names are answered on \S+:(\d+);/);
  const api = await freePort();
  expect(await new Desk().run(`serve --port ${api} --ephemeral --dns 127.0.0.1:${port}`)).toEqual({
    code: 1,
    out: "",
    talk: lines`
      error[listen] cannot answer names on 127.0.0.1 port ${port}
        Another program already uses this port. Stop the other program, or choose another port or address.
    `,
  });
  await expect(fetch(`http://127.0.0.1:${api}/healthz`)).rejects.toThrow("fetch failed");
});

test.each([
  [
    "--secondary ns1.example.net --dns 127.0.0.1:0",
    'error: --secondary must be an address, such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53, not "ns1.example.net".',
  ],
  [
    "--secondary 192.0.2.1:0 --dns 127.0.0.1:0",
    'error: --secondary must be an address, such as 192.0.2.1, 192.0.2.1:53 or [2001:db8::1]:53, not "192.0.2.1:0".',
  ],
  [
    "--dns-catalog catalog..example --dns 127.0.0.1:0",
    'error: --dns-catalog must be the name of a zone, such as catalog.example, not "catalog..example".',
  ],
  [
    "--dns-catalog catalog.example --dns 127.0.0.1:0",
    "error: --dns-catalog requires --dns, and --secondary or --tsig-key: others may not transfer it.",
  ],
  ["--secondary 192.0.2.1", "error: --secondary and --tsig-key require --dns."],
  ["--tsig-key keys.conf", "error: --secondary and --tsig-key require --dns."],
  ...["--slave-records 1000000", "--dns-zones-in-memory 5", "--dns-memory 5"].map((flag) => [
    flag,
    "error: --dns-rate-limit, --nsid, --slave-records, --dns-zones-in-memory and --dns-memory require --dns.",
  ]),
  ...["--dns-zones-in-memory", "--dns-memory"].map((flag) => [
    `${flag} 0 --dns 127.0.0.1:0`,
    `error: ${flag} needs a whole number of at least 1, not "0".`,
  ]),
  ...["many", "0"].map((number) => [
    `--slave-records ${number} --dns 127.0.0.1:0`,
    `error: --slave-records needs a whole number of at least 1, not "${number}".`,
  ]),
  [
    "--transfer-from 10.0.0.0/33",
    'error: --transfer-from must be a network or an address, such as 10.0.0.0/8 or fd00::/8, not "10.0.0.0/33".',
  ],
  [
    "--transfer-from localhost",
    'error: --transfer-from must be a network or an address, such as 10.0.0.0/8 or fd00::/8, not "localhost".',
  ],
])("refuses serve %s", async (flags, talk) => {
  expect(await new Desk().run(`serve --ephemeral ${flags}`)).toEqual({ code: 64, out: "", talk: `${talk}\n` });
});

test.each([
  ["--key-for 192.0.2.1=a", "error: --key-for requires --tsig-key, the file with the key."],
  ["--tsig-key keys.conf --key-for 192.0.2.1=b", "error: --key-for 192.0.2.1=b: keys.conf does not contain this key."],
  [
    "--tsig-key keys.conf --key-for ns.example.net=a",
    'error: --key-for must be ADDRESS=KEY, such as 192.0.2.1=transfer.example.net, not "ns.example.net=a".',
  ],
  [
    "--tsig-key keys.conf --key-for 192.0.2.1",
    'error: --key-for must be ADDRESS=KEY, such as 192.0.2.1=transfer.example.net, not "192.0.2.1".',
  ],
  [
    "--tsig-key keys.conf --key-for 192.0.2.1:53=a",
    'error: --key-for must be ADDRESS=KEY, such as 192.0.2.1=transfer.example.net, not "192.0.2.1:53=a".',
  ],
  [
    "--tsig-key keys.conf --key-for 2001:db8::1=a --key-for 2001:DB8:0::1=A.",
    "error: --key-for names 2001:DB8:0::1 twice.",
  ],
])("refuses serve %s", async (flags, talk) => {
  const desk = new Desk({ "keys.conf": 'key a { algorithm hmac-sha256; secret "c2VjcmV0"; };' });
  expect(await desk.run(`serve --ephemeral ${flags}`)).toEqual({ code: 64, out: "", talk: `${talk}\n` });
});

test("refuses an invalid key file without printing its secret", async () => {
  const desk = new Desk({ "keys.conf": 'key a { algorithm hmac-sha256;\nsecret "no base64 at all"; };\n' });
  const refused = async (file: string) =>
    (await desk.run(`serve --ephemeral --dns 127.0.0.1:0 --tsig-key ${file}`)).talk;
  expect(await refused("keys.conf")).toBe(`error[tsig-key] keys.conf:2: the secret is not base64
  Write key "name" { algorithm hmac-sha256; secret "…"; }; as \`tsig-keygen\` does, the section key: that \`keymgr -t\` prints, or hmac-sha256:name:secret in one word.
`);
  expect(await refused("none.conf")).toBe(lines`
    error[file-read] none.conf cannot be read: it does not exist
      Name a file with TSIG keys.
  `);
});

test.skipIf(isMissing("named"))(
  "serve imports from networks of --transfer-from with the key of --key-for",
  async () => {
    const zones = {
      "example.com.":
        "@ 300 IN SOA ns.example.net. h 1 3600 600 86400 60\n@ 300 IN NS ns.example.net.\nwww 300 IN A 192.0.2.1\n",
    };
    const key: Key = { name: domainName("shared.key."), algorithm: "hmac-sha256", secret: Buffer.from("secret") };
    const [open, closed] = [
      await startNameServer("bind", { zones }),
      await startNameServer("bind", { zones, keys: [key] }),
    ];
    onTestFinished(() => Promise.all([open.stop(), closed.stop()]).then(() => {}));
    const files = { "keys.conf": 'key "shared.key" { algorithm hmac-sha256; secret "c2VjcmV0"; };' };
    const statuses: number[] = [];
    for (const [{ host, port }, flags] of [
      [open, ""],
      [open, "--transfer-from 127.0.0.0/8"],
      [closed, "--transfer-from 127.0.0.0/8"],
      [closed, "--transfer-from 127.0.0.0/8 --tsig-key keys.conf --key-for 127.0.0.1=shared.key"],
    ] as const) {
      const program = new Program(
        new Desk(files).folder,
        `serve --port 0 --ephemeral --token secret-for-tests ${flags}`,
      );
      const { url } = await apiOf(program);
      const body = JSON.stringify({ domain: "example.com", remote_nameserver: `${host}:${port}` });
      const headers = { Authorization: "Bearer secret-for-tests" };
      statuses.push((await fetch(`${url}/v4/domains/import`, { method: "POST", headers, body })).status);
    }
    expect(statuses).toEqual([400, 200, 400, 200]);
  },
);
