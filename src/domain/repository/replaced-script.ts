/** Finds which trusted script a new one took the place of, so that a person sees only the difference. */
import type { Script, TrustedScript } from "./trusted-script.ts";

interface Replacing {
  /** Those that the repository names now. */
  readonly present: readonly Script[];
  /** All that were ever trusted, the newest first. */
  readonly trusted: readonly TrustedScript[];
}

/** Each untrusted script, with the trusted text of the same name that is not named any more. */
export function withReplaced({ present, trusted }: Replacing): Script[] {
  const now = new Set(present.map(({ hash }) => hash));
  const gone = trusted.filter(({ hash }) => !now.has(hash));
  return present.map((script) => {
    const before = script.trusted ? undefined : gone.find(({ text }) => nameOf(text) === nameOf(script.text));
    return before === undefined ? script : { ...script, before: before.text };
  });
}

/** Such as `setup` or `check test`: what stands in front of the command. */
function nameOf(text: string): string {
  return text.split(": ", 1)[0] ?? text;
}
