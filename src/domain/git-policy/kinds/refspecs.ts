/** Judges what `fetch`, `pull` and `push` are told to copy where. */
import type { Finding } from "../verdict.ts";
import { destroys } from "../verdict.ts";

/** `[+]source[:destination]`. */
interface Refspec {
  readonly force: boolean;
  readonly source: string;
  /** Null where there is no colon. */
  readonly destination: string | null;
}

/** A forced or an empty source: the remote would lose what it has. */
export function pushFindings(refspecs: readonly string[]): readonly Finding[] {
  return refspecs.flatMap((text) => {
    const { force, source, destination } = parseRefspec(text);
    if (force)
      return [
        destroys(text, {
          rule: "push.force",
          because: "overwrites what the remote has",
          instead: "Leave the + out; git pull first if the push is refused.",
        }),
      ];
    return source === "" && destination !== null && destination !== ""
      ? [destroys(text, { rule: "push.delete", because: "deletes a ref of the remote" })]
      : [];
  });
}

/** A destination that is no remote-tracking ref, with force or under prune: local commits or tags would be lost. */
export function fetchFindings(
  refspecs: readonly string[],
  { force, prune }: { readonly force: boolean; readonly prune: boolean },
): readonly Finding[] {
  return refspecs.flatMap((text) => {
    const parsed = parseRefspec(text);
    const { destination } = parsed;
    if (destination === null || destination === "" || destination.startsWith("refs/remotes/")) return [];
    if (!parsed.force && !force && !prune) return [];
    return [
      destroys(text, {
        rule: "fetch.overwrite",
        because: `overwrites or deletes local refs (${destination})`,
        instead: "Fetch into refs/remotes/, or without a destination.",
      }),
    ];
  });
}

function parseRefspec(text: string): Refspec {
  const force = text.startsWith("+");
  const plain = force ? text.slice(1) : text;
  const colon = plain.indexOf(":");
  if (colon === -1) return { force, source: plain, destination: null };
  return { force, source: plain.slice(0, colon), destination: plain.slice(colon + 1) };
}
