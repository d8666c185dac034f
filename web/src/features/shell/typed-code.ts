/** Reads a sign-in code as a person typed it: with bars or spaces, or in the wide letters of a Japanese keyboard. */
export function typedCode(text: string): string {
  return text.normalize("NFKC").replace(/[^0-9a-z]/gi, "");
}
