import { describe, expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { readBody } from "../../../src/cli/api/body.ts";
import { operations } from "../../../src/cli/api/operation.ts";
import { bodyExample } from "../../../src/cli/api/operation-help.ts";
import { createClient } from "../../../src/client/client.ts";
import { attributesOf, type Endpoint, isList } from "../../../src/contract/endpoint.ts";
import { endpoints } from "../../../src/contract/endpoints/index.ts";
import { type JsonSchema, toJsonSchema } from "../../../src/contract/json-schema.ts";
import { listen } from "../../../src/server/http/node.ts";
import { errorOf, fakeSend, json } from "../../client/fake-send.ts";
import { Desk, lines } from "../run.ts";

const table = Object.entries<Endpoint>(endpoints);
const nameOf = (key: string) =>
  key.replace("OAuth", "Oauth").replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const auth = "authorization: Bearer secret-for-tests";
const refusal = json({ errors: [{ reason: "Not here" }] }, 400);

/** A desk whose API refuses every request, and the requests that it gets. */
async function openDesk(files: Record<string, string> = {}): Promise<{ desk: Desk; requests: string[] }> {
  const requests: string[] = [];
  const { url, close } = await listen(
    async (request) => {
      requests.push(await textOf(request));
      return refusal();
    },
    { port: 0 },
  );
  onTestFinished(close);
  const desk = new Desk(files);
  Object.assign(desk.env, { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: "secret-for-tests" });
  return { desk, requests };
}

/** A request as lines: method and path, then the headers that the contract knows, then the body. */
async function textOf(request: Request): Promise<string> {
  const { pathname, search } = new URL(request.url);
  const headers = ["authorization", "content-type", "x-filter"].flatMap((name) => {
    const value = request.headers.get(name)?.replace(/boundary=.*/, "boundary");
    return value === undefined ? [] : [`${name}: ${value}`];
  });
  const isForm = request.headers.get("content-type")?.startsWith("multipart/form-data");
  const body = isForm ? await formText(request) : await request.text();
  return [`${request.method} ${pathname}${search}`, ...headers, body].join("\n").trim();
}

/** The fields of a form, with the names and contents of files. */
async function formText(request: Request): Promise<string> {
  const fields = [...(await request.formData())].map(async ([name, value]) =>
    typeof value === "string" ? `${name}=${value}` : `${name}: ${value.name} ${await value.text()}`,
  );
  return (await Promise.all(fields)).join("\n");
}

/** A value of a schema, the first of each choice. */
function sampleOf(schema: JsonSchema | boolean): unknown {
  if (typeof schema === "boolean") return "any";
  const { anyOf, enum: words, type, properties, additionalProperties, items } = schema;
  const [first] = anyOf ?? [];
  if (first !== undefined) return sampleOf(first);
  if (words !== undefined) return words[0];
  switch ([type].flat()[0]) {
    case "integer":
      return 12;
    case "number":
      return 1.5;
    case "boolean":
      return true;
    case "array":
      return Array.isArray(items) || items === undefined ? [] : [sampleOf(items), sampleOf(items)];
    case "object": {
      const named = Object.entries(properties ?? {}).map(([key, inner]) => [key, sampleOf(inner)]);
      return named.length > 0 || !additionalProperties
        ? Object.fromEntries(named)
        : { key: sampleOf(additionalProperties) };
    }
    default:
      return "12";
  }
}

/** `--set` for each value in an object. */
function assignments(value: unknown, path: string): string[] {
  if (Array.isArray(value))
    return value.some((item) => typeof item === "object")
      ? [`--set ${path}:=${JSON.stringify(value)}`]
      : [`--set ${path}=${value.join(",")}`];
  if (typeof value !== "object" || value === null) return [`--set ${path}=${value}`];
  return Object.entries(value).flatMap(([key, inner]) => assignments(inner, path === "" ? key : `${path}.${key}`));
}

test("`zonewright api` lists every operation with its request and summary, and completion knows it", async () => {
  const { code, out, talk } = await new Desk().run("api");
  expect([code, talk]).toEqual([0, ""]);
  const listed = out.split("\n").filter((line) => line.startsWith("  "));
  const row = ([key, { method, path, summary, deprecated, profile }]: (typeof table)[number]) => [
    nameOf(key),
    method,
    path,
    summary + (deprecated ? " (deprecated)" : "") + (profile ? " (profile live only)" : ""),
  ];
  const byName = ([a = ""]: string[], [b = ""]: string[]) => (a < b ? -1 : 1);
  expect(listed.map((line) => line.trim().split(/ {2,}|(?<=GET|POST|PUT|DELETE) +/)).sort(byName)).toEqual(
    table.map(row).sort(byName),
  );
  const tags = out.split("\n").filter((line) => /^\S/.test(line));
  expect(tags).toEqual([...new Set(table.map(([, { tag }]) => tag))]);
  const script = (await new Desk().run("completion bash")).out;
  const [, offered = ""] = /^ +'api'\) values=\((.*)\) ;;$/m.exec(script) ?? [];
  expect(offered.replaceAll("'", "").split(" ")).toEqual(table.map(([key]) => nameOf(key)));
});

test.each(table)("the help of %s names its request, scope, arguments, fields and attributes", async (key, endpoint) => {
  const { method, path, params, body, scope, filterable = [], media } = endpoint;
  const { code, out, talk } = await new Desk().run(`api ${nameOf(key)} --help`);
  expect([code, talk]).toEqual([0, ""]);
  const text = out.replaceAll(/\s+/g, " ");
  expect(text).toContain(`${method} ${path} needs ${scope === null ? "no token" : `a token with the scope ${scope}`}`);
  for (const name of Object.keys(params?.shape ?? {})) expect(out).toMatch(new RegExp(`^  ${nameOf(name)} +\\S`, "m"));
  const schema = body && z.toJSONSchema(body, { io: "input" });
  for (const name of Object.keys(schema?.properties ?? {}))
    expect(out).toMatch(new RegExp(`^  ${name}(?:\\.\\w+)*${schema?.required?.includes(name) ? "\\*" : ""} +\\S`, "m"));
  expect(out.includes("--set <field=value>")).toBe(body !== undefined && media === undefined);
  expect(out.includes("--file <path>")).toBe(media !== undefined);
  expect(out.includes("--filter <condition>")).toBe(isList(endpoint));
  if (filterable.length > 0) expect(text).toContain(`Attributes for --filter and --order-by: ${filterable.join(", ")}`);
});

test("a service with live words gets them, and its replies are shown in the words of the documents", async () => {
  const requests: string[] = [];
  const entity = { label: "web", id: 5, type: "linode", url: "/v4/linode/instances/5" };
  const event = { id: 7, action: "linode_boot", entity, message: "linode" };
  const { url, close } = await listen(
    async (request) => {
      requests.push(await textOf(request));
      return json({ data: [event], page: 1, pages: 1, results: 1 })();
    },
    { port: 0 },
  );
  onTestFinished(close);
  const desk = new Desk();
  const env = { ZONEWRIGHT_API_URL: url, ZONEWRIGHT_TOKEN: "secret-for-tests", ZONEWRIGHT_API_WORDS: "live" };
  const command = "api list-events --filter entity.type=node --filter action=node_boot --columns action,entity,message";
  expect(await desk.run(command, { env })).toEqual({
    code: 0,
    out: lines`
      action     entity                                                             message
      node_boot  {"label":"web","id":5,"type":"node","url":"/v4/node/instances/5"}  linode
    `,
    talk: "",
  });
  expect(requests).toEqual([
    `GET /v4/account/events\n${auth}\nx-filter: {"+and":[{"entity.type":"linode"},{"action":"linode_boot"}]}`,
  ]);
});

test("on a narrow terminal, a summary that has no room is on a line of its own", async () => {
  const desk = new Desk();
  desk.width = 80;
  const { out } = await desk.run("api");
  expect(out.split("\n").filter((line) => line.length > 80 && !/^ {2}\S+ +[A-Z]+ +\S+$/.test(line))).toEqual([]);
  expect(out).toMatch(/^ {2}delete-domain +DELETE \/domains\/\{domainId\}\n +Delete a domain and all its records\n/m);
});

describe("every operation sends what the client's method sends", () => {
  test.each(table)("%s", async (key, endpoint) => {
    const { method, path, params, query, body, media, destructive } = endpoint;
    const [attribute] = attributesOf(endpoint, "live");
    const given = params ? (sampleOf(z.toJSONSchema(params, { io: "input" })) as Record<string, unknown>) : {};
    const schema = body && z.toJSONSchema(body, { io: "input" });
    const sample = schema && sampleOf(schema);
    const isSecret = body !== undefined && JSON.stringify(toJsonSchema(body, "input")).includes("writeOnly");
    const file = media && { file: new File(["content"], "file.txt") };
    const { desk, requests } = await openDesk({ "body.json": JSON.stringify(sample ?? {}), "dir/file.txt": "content" });
    const words = [
      `api ${nameOf(key)}`,
      ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => String(given[name])),
      ...(media
        ? ["--file dir/file.txt"]
        : sample === undefined
          ? []
          : isSecret
            ? ["--body @body.json"]
            : assignments(sample, "")),
      ...(query ? ["--page 2 --page-size 50"] : []),
      ...(attribute ? [`--filter {"${attribute}":"x"} --order-by ${attribute}:desc`] : []),
      ...(method === "DELETE" || destructive ? ["--yes"] : []),
    ];
    expect(await desk.run(words.join(" "))).toMatchObject({ code: 1, out: "" });

    const { send, requests: sent } = fakeSend(refusal);
    const client = createClient({ baseUrl: "http://api", token: "secret-for-tests", send });
    const ofClient = (client as unknown as Record<string, (input: object) => Promise<unknown>>)[key];
    const order = attribute && { [attribute]: "x", "+order_by": attribute, "+order": "desc" };
    await errorOf(
      ofClient?.({
        ...given,
        ...(sample !== undefined && { body: file ?? sample }),
        ...(query && { query: { page: 2, page_size: 50 } }),
        ...(order && { filter: order }),
      }) ?? Promise.resolve(),
    );
    expect(requests).toEqual(await Promise.all(sent.map(textOf)));
    expect(requests).toHaveLength(1);
  });
});

const type = "content-type: application/json";

describe("requests by hand", () => {
  test.each<[command: string, request: string]>([
    ["get-account", `GET /v4/account\n${auth}`],
    ["list-domains", `GET /v4/domains\n${auth}`],
    ["list-domains --page 3 --page-size 25", `GET /v4/domains?page=3&page_size=25\n${auth}`],
    ["list-domains --filter domain=example.com", `GET /v4/domains\n${auth}\nx-filter: {"domain":"example.com"}`],
    ["list-domains --filter domain=12", `GET /v4/domains\n${auth}\nx-filter: {"domain":"12"}`],
    [
      "list-domains --filter tags=web --filter domain~exam --order-by domain",
      `GET /v4/domains\n${auth}\nx-filter: {"+and":[{"tags":"web"},{"domain":{"+contains":"exam"}}],"+order_by":"domain","+order":"asc"}`,
    ],
    [
      "list-events --filter created>=2026-01-01 --filter id<12 --filter id!=7",
      `GET /v4/account/events\n${auth}\nx-filter: {"+and":[{"created":{"+gte":"2026-01-01"}},{"id":{"+lt":12}},{"id":{"+neq":7}}]}`,
    ],
    ["list-events --filter entity.id=12", `GET /v4/account/events\n${auth}\nx-filter: {"entity.id":12}`],
    [
      "list-records 12 --filter tag:=null --order-by created:desc",
      `GET /v4/domains/12/records\n${auth}\nx-filter: {"tag":null,"+order_by":"created","+order":"desc"}`,
    ],
    [
      'list-domains --filter {"+or":[{"domain":"a"},{"group":"b"}]}',
      `GET /v4/domains\n${auth}\nx-filter: {"+or":[{"domain":"a"},{"group":"b"}]}`,
    ],
    ["get-record 12 7", `GET /v4/domains/12/records/7\n${auth}`],
    ["delete-record 12 7 --yes", `DELETE /v4/domains/12/records/7\n${auth}`],
    [
      "create-record 12 --set type=TXT --set target=12 --set ttl_sec=300",
      `POST /v4/domains/12/records\n${auth}\n${type}\n{"type":"TXT","target":"12","ttl_sec":300}`,
    ],
    ["update-record 12 7 --set ttl_sec=null", `PUT /v4/domains/12/records/7\n${auth}\n${type}\n{"ttl_sec":null}`],
    [
      'update-domain 12 --set group:=null --set description:="null"',
      `PUT /v4/domains/12\n${auth}\n${type}\n{"group":null,"description":"null"}`,
    ],
    [
      "update-domain 12 --set axfr_ips=192.0.2.1,192.0.2.2 --set tags=web --set tags=dns --set master_ips=",
      `PUT /v4/domains/12\n${auth}\n${type}\n{"axfr_ips":["192.0.2.1","192.0.2.2"],"tags":["web","dns"],"master_ips":[]}`,
    ],
    [
      "update-domain 12 --body @body.json --set group=b",
      `PUT /v4/domains/12\n${auth}\n${type}\n{"domain":"example.org","group":"b"}`,
    ],
    ["update-domain 12 --body @-", `PUT /v4/domains/12\n${auth}\n${type}\n{"domain":"example.net"}`],
    ["update-domain 12 --body -", `PUT /v4/domains/12\n${auth}\n${type}\n{"domain":"example.net"}`],
    [
      'update-domain 12 --body {"beyond":[1]} --set group=a',
      `PUT /v4/domains/12\n${auth}\n${type}\n{"beyond":[1],"group":"a"}`,
    ],
    ["create-tag --set label=12 --set domains=1,2", `POST /v4/tags\n${auth}\n${type}\n{"label":"12","domains":[1,2]}`],
    ["list-tagged-objects a/b%20c", `GET /v4/tags/a%2Fb%2520c\n${auth}`],
    [
      "set-credit-card --body @card.json --set expiry_month=2",
      `POST /v4/account/credit-card\n${auth}\n${type}\n{"card_number":"41","expiry_month":2}`,
    ],
    ["cancel-account --yes", `POST /v4/account/cancel\n${auth}\n${type}\n{}`],
    [
      "create-ticket-attachment 5 --file body.json",
      `POST /v4/support/tickets/5/attachments\n${auth}\ncontent-type: multipart/form-data; boundary\nfile: body.json {"domain":"example.org","group":"a"}`,
    ],
    ["mark-events-seen 5", `POST /v4/account/events/5/seen\n${auth}`],
  ])("%s", async (command, request) => {
    const { desk, requests } = await openDesk({
      "body.json": '{"domain":"example.org","group":"a"}',
      "card.json": '{"card_number":"41"}',
    });
    desk.input = '{"domain":"example.net"}';
    await desk.run(`api ${command}`);
    expect(requests).toEqual([request]);
  });
});

describe("invalid calls send nothing and say why", () => {
  test.each<[command: string, talk: string]>([
    ["list-domain", "unknown operation 'list-domain'. Did you mean list-domains?"],
    ["listDomains", "unknown operation 'listDomains'. Did you mean list-domains?"],
    ["list-types", "unknown operation 'list-types'. Did you mean list-node-types?"],
    ["get-nodes 1", "unknown operation 'get-nodes'. Did you mean get-node?"],
    ["list-payments", "unknown operation 'list-payments'. `zonewright api` lists the operations."],
    ["list-domain-records 1", "unknown operation 'list-domain-records'. Did you mean list-records?"],
    ["create-domain-record 1", "unknown operation 'create-domain-record'. Did you mean create-record?"],
    ["list--", "unknown operation 'list--'. `zonewright api` lists the operations."],
    ["domains list --page 2", "unknown operation 'domains'. Did you mean list-domains?"],
    ["--json", "unknown option '--json'. `zonewright api` lists the operations."],
    ["--json list-domains", "options follow the operation, as in `zonewright api list-domains --json`."],
    [
      "get-domain example.com",
      '<domain-id> must be a whole number, not "example.com". Find it with `zonewright api list-domains`.',
    ],
    ["get-event x", '<event-id> must be a whole number, not "x". Find it with `zonewright api list-events`.'],
    ["create-domain --set domian=example.com", 'the operation has no field "domian". Did you mean "domain"?'],
    ["create-domain --set zzz=1", 'the operation has no field "zzz". --help lists the fields.'],
    ["create-domain --set domain.name=1", 'the operation has no field "domain.name". --help lists the fields.'],
    ["create-domain --set domain", "--set domain: write FIELD=VALUE."],
    ["create-domain --set ttl_sec=1h", '--set ttl_sec needs a whole number, not "1h".'],
    ["create-domain --set ttl_sec=9007199254740993", '--set ttl_sec needs a whole number, not "9007199254740993".'],
    ["create-domain --set ttl_sec:=1h", "--set ttl_sec:= needs JSON. For text, write ttl_sec=VALUE."],
    [
      "create-domain --set group=null",
      "--set group=null can mean null or a text. Write group:=null, or group:='\"null\"'.",
    ],
    ["create-domain --set group=a --set group=b", '--set gives "group" two values.'],
    ["create-domain --body {", "--body is not valid JSON. To read a file, write --body @FILE."],
    ["create-domain --body [] --set group=a", "--body is not a JSON object."],
    ["create-domain --body null", "--body is not a JSON object."],
    ["update-domain 12 --body 1", "--body is not a JSON object."],
    ["update-domain 12 --body []", "--body is not a JSON object."],
    ['update-domain 12 --body "text"', "--body is not a JSON object."],
    [
      "list-domains --filter mail=a@example.com",
      '--filter: the list has no attribute "mail". Attributes: domain, group, tags, id, type, status, description, ' +
        "soa_email, ttl_sec, refresh_sec, retry_sec, expire_sec, master_ips, axfr_ips, created, updated, errors.",
    ],
    ["list-domains --filter domian=a", '--filter: the list has no attribute "domian". Did you mean "domain"?'],
    [
      "list-domains --filter example.com",
      "--filter example.com: write ATTRIBUTE=VALUE, or a filter as JSON. Operators: = != < <= > >= ~.",
    ],
    ["list-domains --filter {", "--filter starts like JSON, but is not a JSON object."],
    ["list-events --filter id=x", '--filter id needs a whole number, not "x".'],
    [
      "list-records 12 --filter tag=null",
      "--filter tag=null can mean null or a text. Write tag:=null, or tag:='\"null\"'.",
    ],
    ["list-domains --order-by domain:down", "--order-by domain:down: write domain, or domain:desc."],
    ["list-domains --order-by domian", '--order-by: the list has no attribute "domian". Did you mean "domain"?'],
    ["list-domains --page 0", '--page needs a whole number of at least 1, not "0".'],
    ["list-domains --all --page 2", "--all reads every page: leave out --page."],
    [
      "create-domain --soa-email a@example.com",
      "unknown option '--soa-email'\n  Fields follow --set, as in `--set soa_email=VALUE`.",
    ],
    [
      "create-node --columns id,label",
      "unknown option '--columns'\n  Only operations that return a list have --columns. `--json` prints all of its reply.",
    ],
    [
      "get-domain 12 --columns=id",
      "unknown option '--columns=id'\n  Only operations that return a list have --columns. `--json` prints all of its reply.",
    ],
    ["create-node --regoin us-east", "unknown option '--regoin'\n  Fields follow --set, as in `--set region=VALUE`."],
    ["create-node --colour red", "unknown option '--colour'\n  Did you mean --color?"],
    ["create-node --nope x", "unknown option '--nope'\n  Run `zonewright api create-node --help` for its usage."],
    ["create-domain --sett a=1", "unknown option '--sett'\n  Did you mean --set?"],
    ["get-domain 12 --goal x", "unknown option '--goal'\n  Run `zonewright api get-domain --help` for its usage."],
    [
      "get-domain 12 --target x",
      'the project has no target "x". Add `targets:` to zonewright.yaml; write the name of a zone without --target.',
    ],
    [
      "create-domain domain=a",
      "too many arguments for 'create-domain'. Expected 0 arguments but got 1.\n  Fields follow --set, as in `--set domain=VALUE`.",
    ],
    ["get-domain", "missing required argument 'domain-id'\n  Run `zonewright api get-domain --help` for its usage."],
    [
      "set-credit-card --set card_number=4111111111111111",
      '--set would show the secret "card_number" to other users of this machine. Write JSON into a file and pass --body @FILE, or pipe it to --body @-.',
    ],
    [
      'set-credit-card --body {"cvv":"123"}',
      '--body would show the secret "cvv" to other users of this machine. Write JSON into a file and pass --body @FILE, or pipe it to --body @-.',
    ],
    ["cancel-account", "no terminal to confirm on: run the same command with --yes."],
    ["update-account", "update-account needs a field to change, such as --set email=owner@example.com."],
    ["update-domain 12", "update-domain needs a field to change, such as --set soa_email=hostmaster@example.com."],
    ["update-record 12 7 --body {}", "update-record needs a field to change, such as --set target=192.0.2.1."],
    [
      "update-oauth-client a",
      "update-oauth-client needs a field to change, such as --set redirect_uri=https://app.example.com/callback.",
    ],
    ["update-address 192.0.2.1", "update-address needs a field to change, such as --set rdns=RDNS."],
    [
      "update-managed-node-settings 1",
      "update-managed-node-settings needs a field to change, such as --set ssh.access=true.",
    ],
    ['update-domain 12 --body {"nope":1}', 'the operation has no field "nope". --help lists the fields.'],
    ['update-domain 12 --body {"__proto__":1}', 'the operation has no field "__proto__". --help lists the fields.'],
    ['update-record 12 7 --body {"tarjet":"a","x":1}', 'the operation has no field "tarjet". Did you mean "target"?'],
    ["delete-domain 12", "no terminal to confirm on: run the same command with --yes."],
  ])("%s", async (command, talk) => {
    const { desk, requests } = await openDesk();
    expect(await desk.run(`api ${command}`)).toEqual({ code: 64, out: "", talk: `error: ${talk}\n` });
    expect(requests).toEqual([]);
  });
});

test("the example of an operation is a request that its contract accepts", async () => {
  const refused: unknown[] = [];
  for (const { name, endpoint } of operations) {
    const { method, body, media } = endpoint;
    if (body === undefined || media) continue;
    const flags = bodyExample(endpoint);
    if (method === "PUT" && flags.length === 0) refused.push([name, "no field to change"]);
    if (flags.includes("--body @FILE")) continue;
    const set = flags.map((given) => given.slice("--set ".length));
    const source = { cwd: "", ask: undefined, log: () => {}, readInput: async () => "" };
    const sent = await readBody(source, toJsonSchema(body, "input"), { set });
    const { error } = body.safeParse(sent);
    if (error) refused.push([name, sent, error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`)]);
  }
  expect(refused).toEqual([]);
});
