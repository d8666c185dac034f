/** What the comparisons of a call are found out with. */

import type { Incoming } from "../../../domain/git-policy/incoming.ts";
import type { AskGit } from "./ask-git.ts";

/**
 * Each line is a commit and those that it is compared with, or two trees, old and new: as `git diff-tree --stdin` takes
 * them. Null where git does not tell; none where git itself will refuse the call.
 */
export type Comparisons = readonly string[] | null;

export interface Asked {
  readonly ask: AskGit;
  readonly gitDir: string;
}

export type Of<Kind extends Incoming["kind"]> = Extract<Incoming, { readonly kind: Kind }>;
