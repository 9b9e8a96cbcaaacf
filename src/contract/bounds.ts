/** The maximum page size of a list, except for those of `pageQuery100`. */
export const largestPage = 500;

/** The maximum number of records of a domain (decisions/service#domains). */
export const mostRecords = 12_000;

/** The same of a server that holds records of every type, unless its operator sets another. */
export const mostOpenRecords = 1_000_000;

/** Largest number of addresses or tags in each list of a domain. */
export const mostListed = 100;

/**
 * The maximum length of a record's rendered RDATA, in octets. A DNS message of 65,535 octets then has room for the
 * header, the longest names in question and record, OPT and the longest TSIG. A text of 63,750 octets has exactly this
 * length.
 */
export const mostData = 64_000;

/**
 * The maximum size of the records of one name and type in the answer that has all of them, in octets: that of one
 * record with the longest RDATA (`answerOctets`).
 */
export const mostOfSet = mostData + 12;

export const caaTags = ["issue", "issuewild", "iodef"] as const;
