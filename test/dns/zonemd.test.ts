import { expect, test } from "vitest";
import { verifyZonemd } from "../../src/dns/transfer/zonemd.ts";
import { domainName } from "../names.ts";
import { readZone } from "./transfer/zones.ts";

const soa = "@ 86400 IN SOA ns1 admin 2018031900 1800 900 604800 86400\n@ 86400 IN NS ns1\n@ 86400 IN NS ns2\n";
const sha384 = (digest: string) => `@ 86400 IN ZONEMD 2018031900 1 1 ${digest}\n`;

/** The digests and records of the zones in RFC 8976 appendix A, and other values of the same zones. */
const digests = {
  simple: "c68090d90a7aed716bc459f9340e3d7c1370d4d24b7e2fc3a1ddc0b9a87153b9a9713b3c9ae5cc27777f98b8e730044c",
  complex: "a3b69bad980a3504e1cffcb0fd6397f93848071c93151f552ae2f6b1711d4bd2d8b39808226d7b9db71e34b72077f8fe",
  multiple384: "62e6cf51b02e54b9b5f967d547ce43136792901f9f88e637493daaf401c92c279dd10f0edb1c56f8080211f8480ee306",
  multiple512:
    "08cfa1115c7b948c4163a901270395ea226a930cd2cbcf2fa9a5e6eb85f37c8a4e114d884e66f176eab121cb02db7d652e0cc4827e7a3204f166b47e5613fd27",
};
const simple = "ns1 3600 IN A 203.0.113.63\nns2 3600 IN AAAA 2001:db8::63\n";
const complex = `
ns1 3600 IN A 203.0.113.63
NS2 3600 IN AAAA 2001:db8::63
occluded.sub 7200 IN TXT "I'm occluded but must be digested"
sub 7200 IN NS ns1
duplicate 300 IN TXT "I must be digested just once"
duplicate 300 IN TXT "I must be digested just once"
foo.test. 555 IN TXT "out-of-zone data must be excluded"
UPPERCASE 3600 IN TXT "canonicalize uppercase owner names"
* 777 IN PTR dont-forget-about-wildcards
mail 3600 IN MX 20 MAIL1
mail 3600 IN MX 10 Mail2.Example.
sortme 3600 IN AAAA 2001:db8::5:61
sortme 3600 IN AAAA 2001:db8::3:62
sortme 3600 IN AAAA 2001:db8::4:63
sortme 3600 IN AAAA 2001:db8::1:65
sortme 3600 IN AAAA 2001:db8::2:64
non-apex 900 IN ZONEMD 2018031900 1 1 616c6c6f776564206275742069676e6f7265642e20616c6c6f776564206275742069676e6f7265642e20616c6c6f7765
`;
const multiple = `
@ 86400 IN ZONEMD 2018031900 1 240 e2d523f654b9422a96c5a8f44607bbee
ns1 3600 IN A 203.0.113.63
ns2 86400 IN TXT "This example has multiple digests"
NS2.EXAMPLE. 3600 IN AAAA 2001:db8::63
`;
const sha512 = `@ 86400 IN ZONEMD 2018031900 1 2 ${digests.multiple512}\n`;
const wrong512 = sha512.replace("08cf", "18cf");

const verified = { state: "verified" };
const wrong = (reason: string) => ({ state: "wrong", reason });
const unsupported = (reason: string) => ({ state: "unsupported", reason });

test.each<[string, string, object]>([
  ["no digest", simple, { state: "absent" }],
  ["appendix A.1", sha384(digests.simple) + simple, verified],
  ["appendix A.2", sha384(digests.complex) + complex, verified],
  ["appendix A.3, SHA-384", sha384(digests.multiple384) + multiple, verified],
  ["appendix A.3, SHA-512", sha512 + multiple, verified],
  ["appendix A.3, both", sha384(digests.multiple384) + sha512 + multiple, verified],
  ["one of two is wrong", sha384(digests.multiple384) + wrong512 + multiple, verified],
  ["the only known one is wrong", wrong512 + multiple, wrong("its SHA512 digest is not that of the records")],
  ["an unknown hash algorithm alone", multiple, unsupported("its hash algorithm 240 is unknown")],
  [
    "an unknown scheme",
    sha384(digests.simple).replace(" 1 1 ", " 241 1 ") + simple,
    unsupported("its scheme 241 is unknown"),
  ],
  [
    "another serial",
    sha384(digests.simple).replace("2018031900", "2018031899") + simple,
    wrong("it is of the serial 2018031899, and the zone has 2018031900"),
  ],
  [
    "two with the same scheme and hash algorithm",
    sha384(digests.simple) + sha384(digests.complex) + simple,
    wrong("there are 2 with the same scheme and hash algorithm"),
  ],
  [
    "a changed TTL",
    sha384(digests.simple) + simple.replace("3600", "3601"),
    wrong("its SHA384 digest is not that of the records"),
  ],
  [
    "a missing record",
    sha384(digests.simple) + simple.replace(/.*A 203.*\n/, ""),
    wrong("its SHA384 digest is not that of the records"),
  ],
  ["a name in another case", sha384(digests.simple) + simple.replace("ns1", "NS1"), verified],
])("%s", (_, text, expected) => {
  const { records } = readZone(soa + text, "example");
  expect(verifyZonemd(domainName("example."), records)).toEqual(expected);
});
