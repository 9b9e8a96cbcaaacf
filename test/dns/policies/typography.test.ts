import { describe, expect, test } from "vitest";
import { checkZone } from "../../../src/dns/check.ts";
import { findTypography, replaceTypography } from "../../../src/dns/name/straight-text.ts";
import { accept } from "../../../src/targets/api/accept.ts";
import { readBind, readYaml } from "../../formats/api.ts";
import { domainName } from "../../names.ts";

/** A valid policy of each kind, at its name. */
const policies: Readonly<Record<string, readonly [owner: string, text: string]>> = {
  SPF: ["@", "v=spf1 ip4:192.0.2.1 include:_spf.test.example -all"],
  DMARC: ["_dmarc", "v=DMARC1; p=reject; rua=mailto:reports@example.com"],
  DKIM: ["mail._domainkey", "v=DKIM1; k=rsa; p="],
  "DKIM at a selector of two labels": ["s1.eu._domainkey.sub", "k=rsa; p="],
  "a DKIM key without its version": ["mail._domainkey", "k=rsa; p="],
  "MTA-STS": ["_mta-sts", "v=STSv1; id=20270131"],
  TLSRPT: ["_smtp._tls", "v=TLSRPTv1; rua=mailto:reports@example.com"],
  BIMI: ["default._bimi", "v=BIMI1; l=https://example.com/logo.svg"],
};

/** Texts as editors, messengers and web pages make them. */
const clothes: Readonly<Record<string, (text: string) => string>> = {
  "English quotes": (text) => `\u201c${text}\u201d`,
  "German quotes": (text) => `\u201e${text}\u201c`,
  guillemets: (text) => `\u00ab\u00a0${text}\u00a0\u00bb`,
  "single quotes": (text) => `\u2018${text}\u2019`,
  "an opening quote alone": (text) => `\u201d${text}`,
  "typographic around straight quotes": (text) => `\u201c"${text}"\u201d`,
  "quotes around each value": (text) => text.replace(/=([^; ]*)/g, "=\u201d$1\u201c"),
  "a single quote at the end of each value": (text) => text.replace(/(?<==[^; ]*)(?=[; ]|$)/g, "\u2019"),
  "ideographic quotes": (text) => `\u301d${text}\u301e`,
  "acute accents": (text) => `\u00b4${text}\u00b4`,
  "line separators": (text) => text.replaceAll(" ", "\u2028"),
  "no-break spaces": (text) => text.replaceAll(" ", "\u00a0"),
  "narrow no-break spaces": (text) => text.replace(" ", "\u202f"),
  "a zero-width space": (text) => text.replace("=", "=\u200b"),
  "a byte order mark": (text) => `\ufeff${text}`,
  "a soft hyphen": (text) => text.replace("; ", "; \u00ad").replace(" -", " \u00ad-"),
  "soft hyphens for hyphens": (text) => text.replaceAll("-", "\u00ad"),
  "small em dashes": (text) => text.replaceAll("-", "\ufe58"),
  "two-em dashes": (text) => text.replaceAll("-", "\u2e3a"),
  "minus signs": (text) => text.replaceAll("-", "\u2212"),
  "backslashes before semicolons": (text) => `\u201c${text.replaceAll(";", "\\;")}\u201d`,
  "full-width signs": (text) => text.replace("=", "\uff1d").replaceAll(";", "\uff1b"),
  "a full-width text": (text) => text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0)),
  "ideographic spaces": (text) => text.replaceAll(" ", "\u3000"),
};

const cases = Object.entries(policies).flatMap(([kind, [owner, text]]) =>
  Object.entries(clothes)
    .map(([name, dress]) => [`${kind} in ${name}`, owner, dress(text), text] as const)
    .filter(([, , dressed]) => dressed !== text),
);

describe.each(cases)("%s", (_, owner, dressed, straight) => {
  test("is one finding in YAML, whose advised form is valid", () => {
    const of = (text: string) => yamlProblems({ [owner]: { TXT: text } });
    const [found, ...others] = of(dressed);
    expect([found?.id, others]).toEqual(["text-typography", []]);
    const [, advised = ""] = /^Write "(.*)"\.$/.exec(`${found?.fix}`) ?? [];
    expect(advised).toBe(straight);
    expect(of(advised)).toEqual([]);
  });

  test("is one finding in a master file, with quotes and without, whose advised form is valid", () => {
    const quoted = bindProblems(`${owner} TXT "${dressed.replace(/["\\]/g, "\\$&")}"`);
    expect(quoted.map(({ id }) => id)).toEqual(["text-typography"]);
    const isBare = !/["\\]/.test(dressed) && /[ ;]/.test(dressed);
    const bare = isBare ? bindProblems(`${owner} TXT ${dressed}`) : [];
    expect(bare.map(({ id }) => id)).toEqual(isBare ? ["text-unquoted"] : []);
    for (const { fix = "" } of [...quoted, ...bare]) {
      const form = /"[^"]*"/.exec(`${fix}`)?.[0];
      expect([form, bindProblems(`${owner} TXT ${form}`)]).toEqual([`"${straight}"`, []]);
    }
  });
});

test("a policy of several strings is advised in strings that a master file can have", () => {
  const text = `v=spf1 ${Array.from({ length: 20 }, (_, index) => `ip4:192.0.2.${index}`).join(" ")} -all`;
  const [found] = bindProblems(`@ TXT "${text.slice(0, 200).replace(" ", "\u00a0")}" "${text.slice(200)}"`);
  const [, advised = ""] = /^Write (".*")\.$/.exec(`${found?.fix}`) ?? [];
  expect(bindProblems(`@ TXT ${advised}`)).toEqual([]);
});

test("every character that is found has a plain form", () => {
  const characters = Array.from({ length: 0x10000 }, (_, code) => String.fromCodePoint(code));
  const found = characters.filter((character) => !/\p{Cn}/u.test(character) && findTypography(character));
  expect(found.length).toBeGreaterThan(200);
  const left = found.filter((character) => findTypography(replaceTypography(`a ${character}b`)) !== undefined);
  expect(left.map((character) => character.codePointAt(0)?.toString(16))).toEqual([]);
});

test.each(["\u02dc", "\u223c", "\u301c", "\uff5e"])("%s is a tilde", (tilde) => {
  const [found, ...others] = yamlProblems({ "@": { TXT: `v=spf1 mx ${tilde}all` } });
  expect([found?.id, found?.fix, others]).toEqual(["text-typography", 'Write "v=spf1 mx ~all".', []]);
});

test.each([
  [["v=spf1 mx", "\u201c-all\u201d"], "v=spf1 mx -all"],
  [["\u201cv=spf1 mx", "ip4:192.0.2.1 -all\u201d"], "v=spf1 mx ip4:192.0.2.1 -all"],
  [["v=spf1\u00a0mx ", "-all"], "v=spf1 mx -all"],
  [["v=spf1\u00a0mx include:a", ".test -all"], "v=spf1 mx include:a.test -all"],
  [["v=spf1\u00a0mx \u00adip4:192.0.2.1", "\u00adall"], "v=spf1 mx -ip4:192.0.2.1 -all"],
])("the strings %j are one finding, whose form is valid", (strings, straight) => {
  const [found, ...others] = yamlProblems({ "@": { TXT: [strings] } });
  expect([found?.id, found?.fix, others]).toEqual(["text-typography", `Write "${straight}".`, []]);
  expect(yamlProblems({ "@": { TXT: straight } })).toEqual([]);
});

test("a text that is no policy keeps its typography in the advice, also with the tag of a key", () => {
  const [found] = bindProblems("a TXT x=\u201cy\u201d; p=z");
  expect([found?.id, found?.fix]).toEqual(["text-unquoted", expect.stringContaining('"x=\u201cy\u201d; p=z"')]);
});

test("digits are characters", () => {
  const [found] = yamlProblems({ a: { A: "192.0.2.\uff11" } });
  expect(found?.fix).toBe("Write `192.0.2.1`, without a full-width or look-alike character (U+FF11).");
});

test("the rules of policies see the plain form", () => {
  const of = (records: object) => yamlProblems(records).map(({ id }) => id);
  expect(of({ "@": { TXT: "\u201cv=spf1 +all\u201d" } })).toEqual(["spf-open", "text-typography"]);
  expect(of({ "@": { TXT: ["\u201cv=spf1 -all\u201d", "v=spf1 -all"] } })).toEqual([
    "single-policy",
    "text-typography",
  ]);
  expect(of({ _dmarc: { TXT: "v=DMARC1\uff1b p=nope" } })).toEqual(["dmarc-syntax", "text-typography"]);
  expect(of({ "a._domainkey": { TXT: "v=DKIM1;\u00a0p=AAAA" } })).toEqual(["dkim-syntax", "text-typography"]);
});

test.each([
  ["CAA", "0 issue \u201cca.test\u201d", '0 issue "ca.test"'],
  ["CAA", "0 issue ca.test\u200b", '0 issue "ca.test"'],
  ["CAA", "0\u00a0issue ca.test", "0 issue ca.test"],
  ["CAA", '0 \uff49\uff53\uff53\uff55\uff45 "ca.test"', '0 issue "ca.test"'],
  ["CAA", "0 iodef \u201cmailto:a@example.com\u201d", '0 iodef "mailto:a@example.com"'],
  ["A", "192.0.2.1\u200b", "192.0.2.1"],
  ["A", "\u201c192.0.2.1\u201d", "192.0.2.1"],
  ["MX", "10\u00a0mail.example.net.", "10 mail.example.net."],
])("%s %s is one error, whose advised form is valid", (type, dressed, straight) => {
  const inYaml = (rdata: string) => yamlProblems({ a: { [type]: rdata } });
  const inMasterFile = (rdata: string) => bindProblems(`a ${type} ${rdata}`);
  for (const of of [inYaml, inMasterFile]) {
    const [found, ...others] = of(dressed);
    expect([found?.severity, others]).toEqual(["error", []]);
    const [, value, rdata = straight.replace(/[^ ]*$/, `"${value}"`)] =
      /Write (?:"(.*?)"\.|`(.*?)`)/.exec(`${found?.fix}`) ?? [];
    expect(rdata).toBe(straight);
    expect(of(rdata)).toEqual([]);
  }
});

test("a value with one straight and one typographic quote is advised with both straight", () => {
  const [found] = yamlProblems({ a: { CAA: '0 issue "ca.test\u201d' } });
  expect([found?.id, found?.fix]).toEqual([
    "quote",
    'Write `0 issue "ca.test"`, without a typographic quotation mark (U+201D).',
  ]);
});

function yamlProblems(records: object) {
  const bytes = Buffer.from(JSON.stringify({ soa_email: "a@example.com", records }));
  return problemsOf(readYaml({ file: "z", bytes, origin: domainName("example.com.") }));
}

function bindProblems(lines: string) {
  const bytes = Buffer.from(`;@ soa_email: a@example.com\n$TTL 1h\n${lines}\n`);
  return problemsOf(readBind({ file: "z", bytes, origin: domainName("example.com.") }));
}

function problemsOf({ zone, problems }: ReturnType<typeof readYaml>) {
  const found = [...problems, ...checkZone(zone), ...accept(zone).problems];
  // These depend on other records.
  return found.filter(({ id }) => !["mta-sts-host", "spf-void-lookup", "text-resplit"].includes(id));
}
