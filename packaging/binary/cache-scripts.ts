/** The single executable contains its compiled script. */
export function cacheCompiledScripts(): void {}
