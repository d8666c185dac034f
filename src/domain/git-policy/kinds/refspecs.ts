/** Judges the refspecs of `fetch`, `pull` and `push`. */
import { destroys, type Finding, never } from "../verdicts/verdict.ts";

/** `[+]source[:destination]`. */
interface Refspec {
  readonly force: boolean;
  readonly source: string;
  /** Null if there is no colon. */
  readonly destination: string | null;
}

/** With a forced or an empty source, the remote would lose something. */
export function pushFindings(refspecs: readonly string[]): readonly Finding[] {
  return refspecs.flatMap((text) => {
    const { force, source, destination } = parseRefspec(text);
    if (mayReplace(destination ?? source)) return [replaces(text)];
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

/** With force or prune, a destination that is not a remote-tracking ref would lose local commits or tags. */
export function fetchFindings(
  refspecs: readonly string[],
  { force, prune }: { readonly force: boolean; readonly prune: boolean },
): readonly Finding[] {
  return refspecs.flatMap((text) => {
    const parsed = parseRefspec(text);
    const { destination } = parsed;
    if (destination !== null && mayReplace(destination)) return [replaces(text)];
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

const REPLACE = "refs/replace/";

/** Whether a name, or a pattern with one `*`, may mean a reference below `refs/replace/`. */
function mayReplace(name: string): boolean {
  const whole = name.startsWith("replace/") ? `refs/${name}` : name;
  const star = whole.indexOf("*");
  if (star === -1) return whole.startsWith(REPLACE);
  const beginning = whole.slice(0, star);
  return beginning.startsWith(REPLACE) || (beginning !== "" && REPLACE.startsWith(beginning));
}

function replaces(text: string): Finding {
  return never(text, {
    rule: "refspec.replace",
    because: "makes git show other objects in the place of those that are there",
    instead: "Name branches, such as refs/heads/*.",
  });
}

function parseRefspec(text: string): Refspec {
  const force = text.startsWith("+");
  const plain = force ? text.slice(1) : text;
  const colon = plain.indexOf(":");
  if (colon === -1) return { force, source: plain, destination: null };
  return { force, source: plain.slice(0, colon), destination: plain.slice(colon + 1) };
}
