/** Reads and writes the lists that git separates with NUL. */

/** The fields of a `-z` output; what follows the last NUL is no field. */
export function fromNul(text: string): string[] {
  const fields = text.split("\0");
  fields.pop();
  return fields;
}

/** Hands over the same fields one by one, from a text that comes in pieces. */
export function nulReader(take: (field: string) => void): (text: string) => void {
  let rest = "";
  return (text) => {
    const fields = `${rest}${text}`.split("\0");
    rest = fields.pop() ?? "";
    for (const field of fields) take(field);
  };
}

/** The same paths as git's `--stdin -z` and `--pathspec-file-nul` read them. */
export function toNul(fields: readonly string[]): string {
  return fields.map((field) => `${field}\0`).join("");
}
