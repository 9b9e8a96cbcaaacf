import { expect, test } from "vitest";
import { Desk } from "./run.ts";

const files = {
  "keys/known": "",
  "zones/example.com.yaml": "soa_email: ops@example.net\nrecords: { www: { A: 192.0.2.1 } }\n",
};

/** The path in the message about a file that is not there: one that may be the secret itself is not shown. */
test.each([
  ["keys/office", "keys/office"],
  ["keys/not-there-but-long", "keys/not-there-but-long"],
  ["/etc/dns/office.key", "/etc/dns/office.key"],
  ["../secrets/of/the/office.key", "../secrets/of/the/office.key"],
  ["office", "office"],
  ["c2VjcmV0c2VjcmV0c2VjcmV0", "of this name"],
  ["c2VjcmV0/2VjcmV+c2VjcmV0==", "of this name"],
  ["/c2VjcmV0c2VjcmV+c2VjcmV0/A==", "of this name"],
  ["/c2VjcmV0c2VjcmVBc2VjcmV0A=", "of this name"],
  ["hmac-sha256:office:c2VjcmV0c2VjcmV0", "of this name"],
])("%s", async (path, shown) => {
  const desk = new Desk(files);
  const token = await desk.run(["plan", "--token-file", path]);
  const key = await desk.run(["import", "axfr", "--from", "192.0.2.53", "example.com", "--tsig-key", path]);
  expect([token.talk.split("\n")[0], key.talk.split("\n")[0]]).toEqual([
    `error[token-missing] the token file ${shown} (--token-file) cannot be read: it does not exist`,
    `error[token-missing] the TSIG key file ${shown} (--tsig-key) cannot be read: it does not exist`,
  ]);
});
