import { refused } from "../start.ts";
import { by, errorAnswer, notFound, ok, page, type Sections, type Sentence } from "./kit.ts";

const create = (fields: object = {}): Sentence[1][number] => [
  "POST",
  "/node/instances",
  { region: "us-east", type: "g6-nanode-1", ...fields },
];
const ips = "/node/instances/1/ips";
const list: Sentence[1][number] = ["GET", ips];

const publicAddress = (fields: object = {}) => ({
  address: "198.18.0.2",
  gateway: "198.18.0.1",
  subnet_mask: "255.255.255.0",
  prefix: 24,
  type: "ipv4",
  public: true,
  rdns: "198-18-0-2.ip.nodes.invalid",
  node_id: 1,
  region: "us-east",
  ...fields,
});
const privateAddress = {
  address: "192.168.128.2",
  gateway: null,
  subnet_mask: "255.255.128.0",
  prefix: 17,
  type: "ipv4",
  public: false,
  rdns: null,
  node_id: 1,
  region: "us-east",
};
const ofSubnet6 = {
  gateway: "fe80::1",
  subnet_mask: "ffff:ffff:ffff:ffff::",
  prefix: 64,
  type: "ipv6",
  rdns: null,
  node_id: 1,
  region: "us-east",
};
const slaac = { address: "2001:db8::f03c:91ff:fe00:1", ...ofSubnet6, public: true };
const linkLocal = { address: "fe80::f03c:91ff:fe00:1", ...ofSubnet6, public: false };
const information = (fields: object = {}) => ({
  ipv4: { public: [publicAddress()], private: [], shared: [], reserved: [], ...fields },
  ipv6: { slaac, link_local: linkLocal, global: null },
});
const rename = (rdns: unknown, address = "198.18.0.2"): Sentence[1][number] => ["PUT", `${ips}/${address}`, { rdns }];
const justification =
  "Additional IPv4 addresses require technical justification. Please contact support describing your requirement.";

const sentences: Sentence[] = [
  ["GET N/ips: arrays private, public, reserved, shared; slaac and link_local", [create(), list], ok(information())],
  [
    "GET N/ips: with a private address",
    [create({ private_ip: true }), list],
    ok(information({ private: [privateAddress] })),
  ],
  [
    "live: global is a list, and so is vpc",
    [create(), ["GET", "/linode/instances/1/ips"]],
    ok(
      JSON.parse(
        JSON.stringify({
          ...information({ vpc: [] }),
          ipv6: { slaac, link_local: linkLocal, global: [], vpc: [] },
        }).replaceAll("node_id", "linode_id"),
      ),
    ),
    "live",
  ],
  ["POST N/ips: a private address", [create(), ["POST", ips, { type: "ipv4", public: false }]], ok(privateAddress)],
  [
    "POST N/ips: at most one private address",
    [create({ private_ip: true }), ["POST", ips, { type: "ipv4", public: false }]],
    refused(["The node has a private address already", "public"]),
  ],
  [
    "POST N/ips: extra public addresses need a support request",
    [create(), ["POST", ips, { type: "ipv4", public: true }]],
    refused([justification]),
  ],
  [
    "POST N/ips: type ipv4 alone",
    [create(), ["POST", ips, { type: "ipv6", public: true }]],
    refused(["Only addresses of type ipv4 are currently supported."]),
  ],
  ["GET N/ips/{address}", [create(), ["GET", `${ips}/198.18.0.2`]], ok(publicAddress())],
  ["GET N/ips/{address}: IPv6 in any spelling", [create(), ["GET", `${ips}/2001:DB8:0::f03c:91ff:fe00:1`]], ok(slaac)],
  ["GET N/ips/{address}: of another node", [create(), create(), ["GET", `${ips}/198.18.0.3`]], notFound],
  [
    "PUT N/ips/{address}: rdns",
    [create(), rename("mail.example.net")],
    ok(publicAddress({ rdns: "mail.example.net" })),
  ],
  [
    "PUT N/ips/{address}: null restores the default",
    [create(), rename("mail.example.net"), rename(null)],
    ok(publicAddress()),
  ],
  [
    "PUT N/ips/{address}: nothing",
    [create(), rename("mail.example.net"), ["PUT", `${ips}/198.18.0.2`, {}]],
    ok(publicAddress({ rdns: "mail.example.net" })),
  ],
  ["PUT N/ips/{address}: not a name", [create(), rename("sample rdns")], refused(["Domain is not valid.", "rdns"])],
  [
    "PUT N/ips/{address}: a name in a zone of this server must have the address",
    [create(), rename("www.example.com")],
    refused(["We were unable to perform a lookup for 'www.example.com' at this time.", "rdns"]),
  ],
  [
    "PUT N/ips/{address}: and is accepted if it has",
    [
      create(),
      ["POST", "/domains/1/records", { type: "A", name: "Mail", target: "198.18.0.2" }],
      rename("mail.example.com"),
    ],
    ok(publicAddress({ rdns: "mail.example.com" })),
  ],
  [
    "DELETE N/ips/{address}: not the last public one",
    [create(), ["DELETE", `${ips}/198.18.0.2`]],
    refused(["A node must have at least one public IPv4 address."]),
  ],
  [
    "DELETE N/ips/{address}: not a private one",
    [create({ private_ip: true }), ["DELETE", `${ips}/192.168.128.2`]],
    refused(["Only public IPv4 addresses can be deleted."]),
  ],
  ["GET /networking/ips", [create(), ["GET", "/networking/ips"]], ok(page([publicAddress(), slaac]))],
  [
    "GET /networking/ips: a filter",
    [
      create({ private_ip: true }),
      ["GET", "/networking/ips", undefined, { "X-Filter": '{"public":false,"node_id":1}' }],
    ],
    ok(page([privateAddress])),
  ],
  ["GET /networking/ips: without a grant", [create(), by("restricted", ["GET", "/networking/ips"])], ok(page([]))],
  ["GET /networking/ips: of another account", [create(), by("stranger", ["GET", "/networking/ips"])], ok(page([]))],
  ["GET /networking/ips/{address}", [create(), ["GET", "/networking/ips/198.18.0.2"]], ok(publicAddress())],
  [
    "GET /networking/ips/{address}: of another account",
    [create(), by("stranger", ["GET", "/networking/ips/198.18.0.2"])],
    notFound,
  ],
  [
    "PUT /networking/ips/{address}",
    [create(), ["PUT", "/networking/ips/198.18.0.2", { rdns: "mail.example.net" }]],
    ok(publicAddress({ rdns: "mail.example.net" })),
  ],
  [
    "a node that is being deleted has no address",
    [create(), ["DELETE", "/node/instances/1"], ["GET", `${ips}/198.18.0.2`]],
    errorAnswer(404, "Not found"),
  ],
];

export const addressSections: Sections = {
  "decisions/documents#addresses, decisions/nodes#addresses": sentences,
};
