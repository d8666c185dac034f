/** Finds the blocks of a comment that say what its lines should be instead. */

type BodyPart =
  | { readonly kind: "words"; readonly text: string }
  | { readonly kind: "suggestion"; readonly lines: readonly string[] };

const BLOCK = /^```suggestion[^\n]*\n([\s\S]*?)^```[ \t]*$/gm;

export function partsOf(body: string): readonly BodyPart[] {
  const parts: BodyPart[] = [];
  let at = 0;
  const words = (text: string) => {
    if (text.trim() !== "") parts.push({ kind: "words", text: text.trim() });
  };
  for (const found of body.matchAll(BLOCK)) {
    words(body.slice(at, found.index));
    const text = found[1] ?? "";
    parts.push({ kind: "suggestion", lines: text === "" ? [] : text.replace(/\n$/, "").split("\n") });
    at = found.index + found[0].length;
  }
  words(body.slice(at));
  return parts;
}

/** A block that begins with the lines as they are, to be changed by the person. */
export const suggestionFor = (text: string): string => `\`\`\`suggestion\n${text}\n\`\`\`\n`;
