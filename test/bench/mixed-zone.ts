/** A zone of about `size` records of six types, about 41 octets a line; the same for the same size. */
export function mixedZone(size: number): string {
  const lines = [
    "$ORIGIN example.com.",
    "$TTL 3600",
    "@ IN SOA ns1.example.org. hostmaster.example.com. 1 14400 3600 1209600 3600",
    "@ IN NS ns1.example.org.",
  ];
  for (let index = 0; lines.length < size + 2; index++) {
    const host = `host${index}`;
    lines.push(
      `${host} 300 IN A 192.0.${index % 256}.${(index >> 8) % 256}`,
      `${host} IN AAAA 2001:db8::${(index % 65536).toString(16)}:${(index >> 16).toString(16)}`,
      `${host} IN MX 10 mail${index % 100}.example.net.`,
      `${host} IN TXT "v=spf1 include:_spf${index}.example.net -all"`,
      `www.${host} ${index % 3 === 0 ? 600 : 3600} IN CNAME ${host}`,
      `_sip._tcp.${host} 3600 IN SRV 10 60 5060 ${host}`,
    );
  }
  return `${lines.join("\n")}\n`;
}
