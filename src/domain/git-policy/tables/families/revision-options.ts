/** Holds the options that choose and order commits: for `git log` and all others that walk history. */
import { optionTable, refused, safe } from "../../parse/option-spec.ts";
import { READS_STDIN } from "./reasons.ts";

const SELECTING = safe(`
  -<n>, -n= --max-count=, --skip=, --since= --after=, --since-as-filter=, --until= --before=, --max-age=,
  --min-age=, --author=, --committer=, --grep=, --grep-reflog=, --all-match, --invert-grep,
  -i --regexp-ignore-case, --basic-regexp, -E --extended-regexp, -F --fixed-strings, -P --perl-regexp,
  --remove-empty, --merges, --no-merges, --min-parents=!, --no-min-parents, --max-parents=!,
  --no-max-parents, --first-parent, --exclude-first-parent-only, --not, --all, --branches[=], --tags[=],
  --remotes[=], --glob=, --exclude=, --exclude-hidden=!, --reflog, --single-worktree, --ignore-missing,
  --bisect, --cherry-mark, --cherry-pick, --cherry, --left-only, --right-only, -g --walk-reflogs,
  --merge, --boundary
`);

const ORDERING = safe(`
  --simplify-by-decoration, --show-pulls, --full-history, --dense, --sparse, --simplify-merges,
  --ancestry-path[=], --date-order, --author-date-order, --topo-order, --reverse, --no-walk[=],
  --do-walk
`);

const SHOWING = safe(`
  --pretty[=], --format=!, --oneline, --abbrev-commit, --no-abbrev-commit, --encoding=, --expand-tabs[=],
  --no-expand-tabs, --notes[=], --no-notes, --show-notes[=], --show-notes-by-default, --standard-notes,
  --no-standard-notes, --show-signature, --no-show-signature, --relative-date, --date=, --parents,
  --children, --left-right, --graph, --no-graph, --show-linear-break[=], --header, --timestamp,
  --log-size, --in-commit-order
`);

const ON_PURPOSE = [
  ...refused(READS_STDIN, "--stdin"),
  ...refused({ rule: "option.program", because: "runs a configured program" }, "--alternate-refs"),
];

/** Which commits, in which order, and how they are shown. */
export const REVISION_OPTIONS = optionTable(SELECTING, ORDERING, SHOWING, ON_PURPOSE);
