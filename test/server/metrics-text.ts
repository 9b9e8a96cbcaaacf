/** The labels and values of a metric in a text for Prometheus, sorted. */
export function samplesOf(text: string, name: string): string[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`))
    .map((line) => line.slice(name.length).trim())
    .sort();
}
