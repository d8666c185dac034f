/** Splits what git prints with NUL bytes between its fields. */

/** Whole records of so many fields; what a cut left of the last one is dropped. */
export function recordsOf(text: string, size: number): readonly (readonly string[])[] {
  const fields = text.split("\0");
  // Every field is ended, so that behind the last NUL stands nothing, or what was cut.
  fields.pop();
  const records: string[][] = [];
  for (let at = 0; at + size <= fields.length; at += size) records.push(fields.slice(at, at + size));
  return records;
}
