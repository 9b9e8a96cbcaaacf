import { describe, expect, test } from "vitest";
import { specialBlock } from "../../src/dns/name/special-address.ts";

/**
 * The first and the last address of each entry of the IANA special-purpose registries, by hand, with the neighbours
 * outside.
 */
const blocks: [block: string, purpose: string, inside: string, outside: string][] = [
  ["0.0.0.0/8", "this-network", "0.0.0.0 0.255.255.255", "1.0.0.0"],
  ["10.0.0.0/8", "private", "10.0.0.0 10.255.255.255", "9.255.255.255 11.0.0.0"],
  ["100.64.0.0/10", "carrier-grade NAT", "100.64.0.0 100.127.255.255", "100.63.255.255 100.128.0.0"],
  ["127.0.0.0/8", "loopback", "127.0.0.0 127.255.255.255", "126.255.255.255 128.0.0.0"],
  ["169.254.0.0/16", "link-local", "169.254.0.0 169.254.255.255", "169.253.255.255 169.255.0.0"],
  ["172.16.0.0/12", "private", "172.16.0.0 172.31.255.255", "172.15.255.255 172.32.0.0"],
  [
    "192.0.0.0/24",
    "protocol-assignment",
    "192.0.0.0 192.0.0.8 192.0.0.11 192.0.0.255",
    "191.255.255.255 192.0.0.9 192.0.0.10 192.0.1.0",
  ],
  ["192.88.99.0/24", "former 6to4 relay", "192.88.99.0 192.88.99.2 192.88.99.255", "192.88.98.255 192.88.100.0"],
  ["192.168.0.0/16", "private", "192.168.0.0 192.168.255.255", "192.167.255.255 192.169.0.0"],
  ["198.18.0.0/15", "benchmarking", "198.18.0.0 198.19.255.255", "198.17.255.255 198.20.0.0"],
  ["224.0.0.0/4", "multicast", "224.0.0.0 239.255.255.255", "223.255.255.255"],
  ["240.0.0.0/4", "reserved", "240.0.0.0 255.255.255.254 255.255.255.255", ""],
  ["::/128", "unspecified", "::", ""],
  ["::1/128", "loopback", "::1", ""],
  ["::/96", "IPv4-compatible", "::2 ::10.0.0.1 ::ffff:ffff", "::1:0:0"],
  [
    "::ffff:0:0/96",
    "IPv4-mapped",
    "::ffff:0.0.0.0 ::ffff:10.0.0.1 ::ffff:8.8.8.8 ::ffff:ffff:ffff",
    "::fffe:ffff:ffff ::1:0:0:0",
  ],
  ["64:ff9b:1::/48", "local translation", "64:ff9b:1:: 64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "64:ff9b:2::"],
  ["100::/64", "discard-only", "100:: 100::ffff:ffff:ffff:ffff", "100:0:0:2::"],
  ["100:0:0:1::/64", "dummy", "100:0:0:1:: 100:0:0:1:ffff:ffff:ffff:ffff", "ff:ffff:: 101::"],
  ["2001::/32", "Teredo", "2001:: 2001:0:ffff:ffff:ffff:ffff:ffff:ffff", "2000:ffff::"],
  ["2001:2::/48", "benchmarking", "2001:2:: 2001:2:0:ffff::1", ""],
  ["2001::/23", "protocol-assignment", "2001:1::4 2001:2:1:: 2001:4:113:: 2001:10:: 2001:1ff::", "2001:200::"],
  ["5f00::/16", "segment routing", "5f00:: 5f00:ffff::", "5eff:: 5f01::"],
  ["fc00::/7", "unique local", "fc00:: fd12:3456::1 fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "fbff:: fc::1 fd:1::"],
  ["fe80::/10", "link-local", "fe80::1 febf:ffff::", "fe7f:: fe8::1"],
  ["fec0::/10", "site-local", "fec0::1 feff::", ""],
  ["ff00::/8", "multicast", "ff00:: ff02::1 ffff::", ""],
  ["::ffff:0:0:0/96", "IPv4-translated", "::ffff:0:10.0.0.1 ::ffff:0:8.8.8.8", "::fffe:0:0:0 ::ffff:1:0:0"],
  // The IANA IPv6 Address Space registry: what is neither 2000::/3 nor has a purpose of its own.
  ["::/8", "reserved", "::1:0:0 ::fffe:ffff:ffff 64:ff9b:2:: 64:ff9b::1:0:0 fd::1 ff:ffff::", "100::"],
  ["100::/8", "reserved", "100:0:0:2:: 101:: 1ff:ffff::", "200::"],
  ["200::/7", "reserved", "200:: 3ff::", "400::"],
  ["400::/6", "reserved", "400:: 7ff::", "800::"],
  ["800::/5", "reserved", "800:: fd1:3456:: fe8::1 fff::", "1000::"],
  ["1000::/4", "reserved", "1000:: 1fff:ffff::", "fff:: 2000::"],
  ["4000::/3", "reserved", "4000::1 5eff:: 5f01:: 5fff::", "3fff:: 5f00:: 6000::"],
  ["6000::/3", "reserved", "6000:: 7fff::", "8000::"],
  ["8000::/3", "reserved", "8000:: 9fff::", "a000::"],
  ["a000::/3", "reserved", "a000:: bfff::", "c000::"],
  ["c000::/3", "reserved", "c000:: dfff::", "e000::"],
  ["e000::/4", "reserved", "e000:: efff::", "f000::"],
  ["f000::/5", "reserved", "f000:: f7ff::", "f800::"],
  ["f800::/6", "reserved", "f800:: fbff::", "fc00::"],
  ["fe00::/9", "reserved", "fe00:: fe7f::", "fe80::"],
  // An IPv4 address inside decides.
  ["10.0.0.0/8 in 64:ff9b::/96", "private", "64:ff9b::10.0.0.1 64:ff9b::a00:1", "64:ff9b::8.8.8.8 64:ff9b::192.0.2.33"],
  ["224.0.0.0/4 in 64:ff9b::/96", "multicast", "64:ff9b::224.0.0.1", "64:ff9b::1:0:0"],
  ["192.168.0.0/16 in 2002::/16", "private", "2002:c0a8:1::1", "2002:808:808::1 2002:c000:221::1 2003:c0a8:1::"],
];

describe.each(blocks)("%s (%s)", (block, purpose, inside, outside) => {
  test.each(inside.split(" "))("%s is inside", (address) => {
    const found = specialBlock(address);
    expect([found?.block, found?.purpose]).toEqual([block, purpose]);
  });

  test.each(outside.split(" ").filter(Boolean))("%s is not inside", (address) => {
    expect(specialBlock(address)?.block).not.toBe(block);
  });
});

/** Globally reachable by the registries, and the blocks for documentation, which stay usable in examples. */
test.each(
  "192.31.196.1 192.52.193.1 192.175.48.1 2001:1::1 2001:1::2 2001:1::3 2001:3::1 2001:4:112::1 2001:20::1 2001:2f:: 2001:30::1 2620:4f:8000::1 192.0.2.1 198.51.100.1 203.0.113.1 2001:db8::1 3fff::1 3fff:fff::1 8.8.8.8 1.0.0.0 11.0.0.0 198.20.0.0 223.255.255.255 64:ff9b::8.8.8.8 64:ff9b::192.0.2.33 2002:808:808::1 2000:: 2000:ffff:: 2001:200:: 2003:c0a8:1::1 2a00::1 3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff".split(
    " ",
  ),
)("%s is global or for documentation", (address) => {
  expect(specialBlock(address)).toBeUndefined();
});

test.each(["FD00::1", "fd00:0:0:0:0:0:0:1", "0:0:0:0:0:FFFF:10.0.0.1"])("recognises %s in any spelling", (address) => {
  expect(specialBlock(address)).toBeDefined();
});
