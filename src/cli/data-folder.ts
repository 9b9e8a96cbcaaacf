/** The default folder of the server's database. A module of its own: help texts name it, and must not load the server. */
export const usualData = ".zonewright/data";
