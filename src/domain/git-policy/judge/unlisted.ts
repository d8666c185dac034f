/** Says what to call instead of a subcommand that seed 002 does not list. */
import { alwaysAllowedSubcommands, modifyingSubcommands } from "../verdicts/seed-lists.ts";

const REFERENCES = "git branch -a and git tag list references, and take --format.";
const DIFFERENCES = "git diff, or git show --raw COMMIT.";
const HOUSEKEEPING = "Housekeeping is the user's.";

const INSTEAD: ReadonlyMap<string, string> = new Map([
  ["grep", "codebase_search finds text in files, git log -S TEXT in history."],
  ["config", "git remote -v and git branch -vv show remotes and upstreams; settings are the user's."],
  ["ls-remote", "git remote show NAME lists the branches of a remote."],
  ["rev-list", "git log --format=%H lists commits."],
  ["merge-base", "git rev-parse A...B ends with it, behind ^; git diff A...B compares from there."],
  ["for-each-ref", REFERENCES],
  ["show-ref", REFERENCES],
  ["symbolic-ref", "git branch --show-current."],
  ["name-rev", "git describe --all --contains COMMIT."],
  ["cherry", "git log --cherry UPSTREAM...HEAD."],
  ["range-diff", "git log --cherry-mark --left-right A...B."],
  ["show-branch", "git log --graph --oneline --all."],
  ["whatchanged", "git log --raw."],
  ["diff-tree", DIFFERENCES],
  ["diff-index", DIFFERENCES],
  ["diff-files", DIFFERENCES],
  ["difftool", DIFFERENCES],
  ["check-ignore", "git status --ignored -- PATH."],
  ["format-patch", "git show COMMIT, or git log -p --reverse A..B, prints patches."],
  ["archive", "git show COMMIT:PATH prints a file."],
  ["update-index", "git add, or git rm --cached."],
  ["update-ref", "git branch, git tag or git reset."],
  ["mergetool", "Edit the files in conflict, then git add."],
  ["sparse-checkout", "git ls-files -t marks with S what is left out; to choose that is the user's."],
  ["lfs", "git add, checkout and pull hand files to Git LFS if it is installed."],
  ["help", "Give -h behind a subcommand."],
  ["gc", HOUSEKEEPING],
  ["maintenance", HOUSEKEEPING],
  ["prune", HOUSEKEEPING],
  ["repack", HOUSEKEEPING],
  ["fsck", HOUSEKEEPING],
]);

export function insteadOfUnlisted(subcommand: string): string {
  const allowed = [...alwaysAllowedSubcommands(), ...modifyingSubcommands()];
  return INSTEAD.get(subcommand) ?? `Allowed are ${allowed.join(", ")}.`;
}
