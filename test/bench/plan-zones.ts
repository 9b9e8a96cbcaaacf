/** The lines of a zone's master file as it is stored, and as it is desired. */
export interface Sides {
  readonly current: string[];
  readonly desired: string[];
}

export const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

export const address = (index: number, from = 10) =>
  `${from}.${(index >> 16) % 256}.${(index >> 8) % 256}.${index % 256}`;

/** Sets of addresses, mail, texts, aliases and services, one in a hundred changed. */
export function mixedSets(sets: number): Sides {
  const line = (index: number, isChanged: boolean) => {
    const host = `host${index}`;
    switch (index % 5) {
      case 0:
        return `${host} 300 A ${address(index, isChanged ? 11 : 10)}`;
      case 1:
        return `${host} MX ${isChanged ? 20 : 10} host${index - 1}`;
      case 2:
        return `${host} TXT "v=spf1 include:_spf${index}.example.net ${isChanged ? "-" : "~"}all"`;
      case 3:
        return `${host} 3600 CNAME host${isChanged ? (index + 2) % sets : index - 3}`;
      default:
        return `_sip._tcp.${host} SRV 10 60 506${isChanged ? 1 : 0} host${index - 4}`;
    }
  };
  return {
    current: numbers(sets).map((index) => line(index, false)),
    desired: numbers(sets).map((index) => line(index, index % 100 < 5 && index % 500 < 5)),
  };
}
