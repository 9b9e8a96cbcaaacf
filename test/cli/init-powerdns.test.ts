import { describe, expect, onTestFinished, test } from "vitest";
import { isMissing } from "../judges.ts";
import { apiKey, rrset, startPowerDns } from "../targets/powerdns/servers.ts";
import { Desk, lines } from "./run.ts";

describe("init --from powerdns", () => {
  test.each([
    [
      "init --from powerdns --yes",
      "--from powerdns needs the URL: `zonewright init --from powerdns http://127.0.0.1:8081 --api-key FILE`.",
    ],
    [
      "init --from powerdns 127.0.0.1:8081 --yes",
      "the URL of PowerDNS must begin with http:// or https://, such as http://127.0.0.1:8081.",
    ],
    ["init --from empty --api-key keys/pdns --yes", "--api-key belongs to PowerDNS: add --from powerdns URL."],
  ])("%s is a usage error", async (command, summary) => {
    const desk = new Desk();
    expect(await desk.run(command)).toEqual({ code: 64, out: "", talk: `error: ${summary}\n` });
    expect(desk.files()).toEqual({});
  });

  test.skipIf(isMissing("pdns_server")).each(["yaml", "bind"])(
    "imports the zones as %s files, which are in sync, and skips secondary ones",
    async (format) => {
      const server = await startPowerDns();
      onTestFinished(server.stop);
      const create = (name: string, kind: string, more: object) =>
        server.call("POST", "/zones", { name, kind, nameservers: [], ...more });
      await create("example.com.", "Master", {
        soa_edit_api: "INCREASE",
        rrsets: [
          rrset("example.com.", "SOA", "primary.example.com. dns.example.net. 7 10800 3600 604800 300"),
          rrset("example.com.", "NS", "ns1.example.net.", "ns2.example.net."),
          rrset("www.example.com.", "A", "192.0.2.1"),
        ],
      });
      await create("example.org.", "Slave", { masters: ["192.0.2.53"] });
      const desk = new Desk({ "keys/pdns": apiKey });
      desk.secrets.push(apiKey);
      const { code, talk } = await desk.run(
        `init --from powerdns ${server.url} --api-key keys/pdns --format ${format} --yes`,
      );
      expect(code).toBe(0);
      expect(talk).toBe(lines`
        note  example.org is a secondary zone of the service and gets no file: its records come from 192.0.2.53
      `);
      const files = Object.keys(desk.files()).filter((file) => file.startsWith("zones/"));
      expect(files).toEqual([`zones/example.com.${format === "yaml" ? "yaml" : "zone"}`]);
      expect(desk.read(".gitignore")).toContain("/keys/pdns\n");
      const text = desk.read(files[0] ?? "");
      for (const stated of ["kind: Primary", "soa_edit_api: INCREASE", "dns.example.net.", "10800"])
        expect(text).toContain(stated);
      expect(await desk.run("plan")).toEqual({
        code: 0,
        out: lines`
          1 zone of the account not in git, left alone: example.org
          in sync: 1 zone, nothing to do
        `,
        talk: "",
      });
    },
  );
});
