import { expect, test } from "vitest";
import { lines } from "../../cli/run.ts";
import { isMissing } from "../../judges.ts";
import { twoServers, zoneText } from "./two-servers.ts";

test.skipIf(isMissing("named", "dig"))("verify asks the servers that each target declares", async () => {
  const { desk, run } = await twoServers();
  desk.write("zones/z01.example.zone", zoneText("ns1 ns2"));
  expect((await run("apply --yes --allow G04")).code).toBe(0);
  const verified = await run("verify");
  expect([verified.code, verified.out.replaceAll(/serial \d+/g, "serial N")]).toEqual([
    0,
    lines`
      on office
      pass          z01.example  name server: 4 records as in the file
      pass          z01.example  zone file: serial N, 2 RRsets as stored
      pass          z01.example  127.0.0.1:OFFICE: serial N, 2 RRsets answered
      on fleet
      pass          z01.example  folder: 4 records as in the file
      pass          z01.example  zone file: serial N, 2 RRsets as stored
      pass          z01.example  127.0.0.1:FLEET: serial N, 2 RRsets answered
    `,
  ]);
  const config = desk.read("zonewright.yaml");
  desk.write("zonewright.yaml", config.replace(/ +nameservers: \{ ns1.*\n/, ""));
  const undeclared = await run("verify");
  expect([undeclared.code, undeclared.talk]).toEqual([
    5,
    lines`
      on office:
      Name a server to ask in ${"`nameservers`"} of office, or with ${"`--target office --nameserver HOST:PORT`"}.
      on fleet:
    `,
  ]);
});
