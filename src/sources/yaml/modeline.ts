/**
 * The comment that tells editors where the schema of zone files is, without its `#`: a copy beside the zones, as in this
 * repository. `zonewright` ships it as `schemas/zone.schema.json`; no editor asks a foreign host for it.
 */
export const modeline = " yaml-language-server: $schema=../schemas/zone.schema.json";
