/** Reads and writes the lists that git separates with NUL. */

/** The fields of a `-z` output; what follows the last NUL is no field. */
export function fromNul(text: string): string[] {
  const fields = text.split("\0");
  fields.pop();
  return fields;
}

/** Hands over the same fields one by one, from a text that comes in pieces; each field is over at `end`. */
export function fieldReader(take: (field: string) => void, end = "\0"): (text: string) => void {
  let rest = "";
  return (text) => {
    const fields = `${rest}${text}`.split(end);
    rest = fields.pop() ?? "";
    for (const field of fields) take(field);
  };
}

/** The same paths as git's `--stdin -z` and `--pathspec-file-nul` read them. */
export function toNul(fields: readonly string[]): string {
  return fields.map((field) => `${field}\0`).join("");
}
