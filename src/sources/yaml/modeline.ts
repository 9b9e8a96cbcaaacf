/**
 * Where editors find the schema of zone files. A path would only be right in folders of one depth, in a project that has
 * zonewright among its packages; this is right everywhere. It is the newest schema: any file that was valid stays so.
 */
export const zoneSchemaUrl = "https://unpkg.com/zonewright/schemas/zone.schema.json";

/** The comment that tells editors so, without its `#`. */
export const modeline = ` yaml-language-server: $schema=${zoneSchemaUrl}`;
