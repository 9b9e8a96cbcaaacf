import { expect, test } from "vitest";
import { apiDesk, lines } from "./run.ts";

const head = "soa_email: hostmaster@example.com\nrecords:\n  www:\n    A: 192.0.2.1\n";

const rows: { what: string; files: Record<string, string>; talk: string }[] = [
  {
    what: "malformed YAML",
    files: { "zones/example.com.yaml": "records: [\n" },
    talk: lines`
      error[yaml-syntax] invalid YAML: this [ is not closed
        zones/example.com.yaml:1:10
          1 | records: [
            |          ^
        Add the ] that closes it.
    `,
  },
  {
    what: "an unknown key",
    files: { "zones/example.com.yaml": `${head}refresh_secs: 4h\n` },
    talk: lines`
      error[unknown-key] "refresh_secs" is not a zone setting
        zones/example.com.yaml:5:1
          5 | refresh_secs: 4h
            | ^^^^^^^^^^^^
        Did you mean "refresh_sec"?
    `,
  },
  {
    what: "a duplicate key",
    files: { "zones/example.com.yaml": `${head}  www:\n    AAAA: 2001:db8::1\n` },
    talk: lines`
      error[duplicate-key] the key "www" is already on line 3
        zones/example.com.yaml:5:3
          5 |   www:
            |   ^^^
        Merge the two, or remove one.
    `,
  },
  {
    what: "an unknown type",
    files: { "zones/example.com.yaml": `${head}    AAA: 2001:db8::1\n` },
    talk: lines`
      error[unknown-type] www: "AAA" is not a record type
        zones/example.com.yaml:5:5
          5 |     AAA: 2001:db8::1
            |     ^^^
        Did you mean "A" or "AAAA"?
    `,
  },
  {
    what: "an unknown type in a master file",
    files: {
      "zones/example.com.zone": "$TTL 1h\n@ SOA ns1.example.net. hostmaster 1 4h 1h 2w 1h\nwww AAA 2001:db8::1\n",
    },
    talk: lines`
      error[unknown-type] www: "AAA" is not a record type
        zones/example.com.zone:3:5
          3 | www AAA 2001:db8::1
            |     ^^^
        Did you mean "A" or "AAAA"?
    `,
  },
  {
    what: "SRV without a port",
    files: { "zones/example.com.yaml": `${head}  _sip._tcp:\n    SRV: { priority: 10, weight: 1, target: www }\n` },
    talk: lines`
      error[field-missing] _sip._tcp: SRV record has no port
        zones/example.com.yaml:6:10
          6 |     SRV: { priority: 10, weight: 1, target: www }
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
        An SRV record is ${"`"}priority weight port target${"`"}, for example ${"`"}10 60 5060 sip.example.net.${"`"}.
    `,
  },
  {
    what: "CAA without a tag",
    files: { "zones/example.com.yaml": `${head}  shop:\n    CAA: { target: ca.example.net }\n` },
    talk: lines`
      error[field-missing] shop: CAA record has no tag
        zones/example.com.yaml:6:10
          6 |     CAA: { target: ca.example.net }
            |          ^^^^^^^^^^^^^^^^^^^^^^^^^^
        A CAA record is ${"`"}flags tag target${"`"}, for example ${"`"}0 issue "letsencrypt.org"${"`"}.
    `,
  },
  {
    what: "CAA without a tag, as a text",
    files: { "zones/example.com.yaml": `${head}  shop:\n    CAA: 0 ca.example.net\n` },
    talk: lines`
      error[field-missing] shop: CAA record has no tag
        zones/example.com.yaml:6:10
          6 |     CAA: 0 ca.example.net
            |          ^^^^^^^^^^^^^^^^
        A CAA record is ${"`"}flags tag value${"`"}, for example ${"`"}0 issue "letsencrypt.org"${"`"}.
    `,
  },
  {
    what: "bad addresses, each of them",
    files: { "zones/example.com.yaml": `${head}  mail:\n    A: 192.0.2.256\n    AAAA: 2001:db8:::1\n` },
    talk: lines`
      error[address-v4] mail A "192.0.2.256": not an IPv4 address
        zones/example.com.yaml:6:8
          6 |     A: 192.0.2.256
            |        ^^^^^^^^^^^
        Write an IPv4 address such as "192.0.2.1".

      error[address-v6] mail AAAA "2001:db8:::1": not an IPv6 address
        zones/example.com.yaml:7:11
          7 |     AAAA: 2001:db8:::1
            |           ^^^^^^^^^^^^
        Write an IPv6 address such as "2001:db8::1".
    `,
  },
  {
    what: "a CNAME beside an address",
    files: { "zones/example.com.yaml": `${head}    CNAME: shops.example.net.\n` },
    talk: lines`
      error[cname-alone] www has a CNAME and other records (A)
        zones/example.com.yaml:5:12
          5 |     CNAME: shops.example.net.
            |            ^^^^^^^^^^^^^^^^^^
        A name with a CNAME record cannot have any other record (RFC 1034 §3.6.2). Keep either the CNAME or the other records, or move one of them to another name.
    `,
  },
  {
    what: "two files for one zone",
    files: { "zones/example.com.yaml": head, "zones/shop.yaml": `zone: example.com\n${head}` },
    talk: lines`
      error[zone-twice] zones/example.com.yaml and zones/shop.yaml both contain the zone "example.com"
        zones/shop.yaml:1:7
          1 | zone: example.com
            |       ^^^^^^^^^^^
        Merge them, or correct the name of the zone in one of them.
    `,
  },
  {
    what: "an empty YAML file beside a good one",
    files: { "zones/example.com.yaml": "", "zones/example.net.yaml": head },
    talk: lines`
      error[zone-empty] the file defines no zone
        zones/example.com.yaml:1:1
          1 | 
            | ^
        Add settings or records, for example ${'`records: { "@": { A: 192.0.2.1 } }`'}.
      no plan: example.com (zones/example.com.yaml) is invalid. To take the other zone, unless it depends on it, add --skip-invalid.
    `,
  },
  {
    what: "a zone without a contact address",
    files: { "zones/example.com.yaml": "records: {}\n" },
    talk: lines`
      error[soa-email] the primary zone has no soa_email
        zones/example.com.yaml:1:1
          1 | records: {}
            | ^
        A primary zone needs a contact address. Write an address such as "soa_email: hostmaster@example.com", or set one under "defaults:" in zonewright.yaml.
    `,
  },
  {
    what: "a wrong default is one fault, where it is written",
    files: {
      "zonewright.yaml": "defaults: { soa_email: nobody }\n",
      "zones/example.com.yaml": "records: {}\n",
      "zones/example.net.yaml": "records: {}\n",
    },
    talk: lines`
      error[soa-email] soa_email "nobody" is not an e-mail address
        zonewright.yaml:1:24
          1 | defaults: { soa_email: nobody }
            |                        ^^^^^^
        A primary zone needs a contact address. Write an address such as "soa_email: hostmaster@example.com", or set one under "defaults:" in zonewright.yaml.
    `,
  },
  {
    what: "a folder that does not exist",
    files: {},
    talk: lines`
      error[project-missing] there is no project here: /desk has neither zonewright.yaml nor a folder zones
        Run \`zonewright init\` to create one, or run the command in the folder of your project.
    `.replaceAll("\\`", "`"),
  },
  {
    what: "a configured folder that does not exist",
    files: { "zonewright.yaml": "zones: dns\n" },
    talk: lines`
      error[zones-folder] the zones folder dns cannot be read: it does not exist
        Create it, or name another folder with zones: in zonewright.yaml or with --zones. To select a zone, give its name without --zones.
    `,
  },
  {
    what: "an empty folder",
    files: { "zones/README.md": "The zones of the shop.\n" },
    talk: lines`
      error[zones-empty] no zone files in zones
        Add a file such as example.com.yaml or example.com.zone, run ${"`zonewright import api`"}, or name another folder with --zones.
    `,
  },
  {
    what: "a folder in which every file has another ending",
    files: { "zones/example.com.yam": head },
    talk: lines`
      error[zones-empty] no zone files in zones
        Add a file such as example.com.yaml or example.com.zone, run ${"`zonewright import api`"}, or name another folder with --zones.

      note[file-skipped] zones/example.com.yam is skipped: the name of a zone file ends in .yaml, .yml, .zone, .db; it looks like a zone file in YAML
        Rename it to end in .yaml.
    `,
  },
];

test.each(rows)("$what: plans and writes nothing", async ({ files, talk }) => {
  const desk = await apiDesk(files);
  const before = desk.files();
  expect(await desk.run("apply --yes")).toEqual({ code: 3, out: "", talk });
  expect(desk.writes).toEqual([]);
  expect(desk.files()).toEqual(before);
});
