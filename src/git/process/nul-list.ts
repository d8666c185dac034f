/** Reads and writes the lists that git separates with NUL. */

/** The fields of a `-z` output; text after the last NUL is not a field. */
export function fromNul(text: string): string[] {
  const fields = text.split("\0");
  fields.pop();
  return fields;
}

/** A setting as `git config --null` prints it: the key, a line feed, the value. A key alone means true. */
export function settingOf(field: string): { readonly key: string; readonly value: string } {
  const end = field.indexOf("\n");
  return end < 0 ? { key: field, value: "true" } : { key: field.slice(0, end), value: field.slice(end + 1) };
}

/** Hands over the same fields one by one, from text that comes in pieces. Each field ends at `end`. */
export function fieldReader(take: (field: string) => void, end = "\0"): (text: string) => void {
  let rest = "";
  return (text) => {
    const fields = `${rest}${text}`.split(end);
    rest = fields.pop() ?? "";
    for (const field of fields) take(field);
  };
}

/** The same paths in the format of git's `--stdin -z` and `--pathspec-file-nul`. */
export function toNul(fields: readonly string[]): string {
  return fields.map((field) => `${field}\0`).join("");
}
