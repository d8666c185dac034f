/** Splits git's output at the NUL bytes between its fields. */

/** Whole records of `size` fields. If the output was cut, the last record is dropped. */
export function recordsOf(text: string, size: number): readonly (readonly string[])[] {
  const fields = text.split("\0");
  // Each field ends with NUL, so after the last NUL there is nothing, or a cut field.
  fields.pop();
  const records: string[][] = [];
  for (let at = 0; at + size <= fields.length; at += size) records.push(fields.slice(at, at + size));
  return records;
}
