/**
 * Whether a text is an assigned code of ISO 3166-1 alpha-2, in upper case. `Intl` cannot decide that: it also names
 * regions such as EU, XK and ZZ, and more of them with each version.
 */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

/**
 * Whether a state may be part of an address in this country: US and CA allow only the codes of ISO 3166-2, and US those
 * of military addresses too (decisions/documents#account).
 */
export function isStateOf(country: string, state: string): boolean {
  return states.get(country)?.has(state) ?? true;
}

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const countries = words(`
  AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ
  CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR
  GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP
  KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY
  MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM
  PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
  SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ
  UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
`);

const states: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  [
    "US",
    words(`
      AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA
      RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR UM VI
      AA AE AP
    `),
  ],
  ["CA", words("AB BC MB NB NL NS NT NU ON PE QC SK YT")],
]);
