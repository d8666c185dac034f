/** Remembers what was found between two commits or trees. Both are named by their full ids, so an answer never changes. */
import type { Result } from "neverthrow";
import type { RemoteError } from "../../git/process/remote-error.ts";
import type { Git, GitTarget } from "../../git/runner/run-git.ts";

type Look<Found> = (
  git: Git,
  target: GitTarget,
  range: { readonly from: string; readonly to: string },
) => Promise<Result<Found, RemoteError>>;

interface KeptOptions<Found> {
  /** The most answers to remember. */
  readonly most: number;
  /** An answer that is too long is looked for again each time, to save memory. */
  readonly isTooLong: (found: Found) => boolean;
}

export function keepAnswers<Found>(look: Look<Found>, { most, isTooLong }: KeptOptions<Found>): Look<Found> {
  // The most recently used answer comes last.
  const kept = new Map<string, ReturnType<Look<Found>>>();
  return (git, target, range) => {
    const key = [target.gitDir, range.from, range.to].join("\0");
    const answer = kept.get(key) ?? look(git, target, range);
    kept.delete(key);
    kept.set(key, answer);
    for (const oldest of kept.keys()) if (kept.size > most) kept.delete(oldest);
    const forget = () => {
      if (kept.get(key) === answer) kept.delete(key);
    };
    answer.then((found) => (found.isErr() || isTooLong(found.value)) && forget(), forget);
    return answer;
  };
}
