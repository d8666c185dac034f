/** Holds the options that say how differences are shown: for `git diff`, `git log`, `git show` and similar ones. */
import { among, optionTable, path, refused, safe } from "../../parse/option-spec.ts";

const FORM = safe(
  `
  -p -u --patch, -s --no-patch, -U[=] --unified[=], --output-indicator-new=, --output-indicator-old=,
  --output-indicator-context=, --raw, --patch-with-raw, --patch-with-stat, --stat[=], --stat-width=,
  --stat-name-width=, --stat-graph-width=, --stat-count=, --[no-]compact-summary, --numstat, --shortstat,
  -X[=] --dirstat[=], --cumulative, --dirstat-by-file[=], --summary, -z, --name-only, --name-status,
  --[no-]color[=], --[no-]color-moved[=], --color-moved-ws=, --no-color-moved-ws, --word-diff[=],
  --word-diff-regex=, --color-words[=], --ws-error-highlight=, --check, --[no-]full-index, --[no-]binary,
  --[no-]abbrev[=], --[no-]relative[=], --src-prefix=, --dst-prefix=, --no-prefix, --default-prefix,
  --line-prefix=, --ita-invisible-in-index, --ita-visible-in-index
  `,
  // Stuck only: an older git that does not know this option would take the next word as its own argument.
  "--max-depth=!",
);

const COMPARING = safe(`
  --[no-]minimal, --[no-]follow, --patience, --histogram, --anchored=, --diff-algorithm=,
  --[no-]indent-heuristic, --[no-]renames, --[no-]rename-empty, -B[=] --break-rewrites[=],
  -M[=] --find-renames[=], -D --irreversible-delete, -C[=] --find-copies[=], --[no-]find-copies-harder,
  -l=, --diff-filter=, -S=, -G=, --find-object=, --pickaxe-all, --pickaxe-regex, --skip-to=,
  --rotate-to=, -R, -a --[no-]text, --ignore-cr-at-eol, --ignore-space-at-eol, -b --ignore-space-change,
  -w --ignore-all-space, --ignore-blank-lines, -I= --[no-]ignore-matching-lines=, --inter-hunk-context=,
  -W --[no-]function-context, --[no-]exit-code, --[no-]quiet, --ignore-submodules[=], -r, -t,
  --no-ext-diff, --no-textconv
`);

const MERGES = safe(
  "-m, -c, --cc, --dd, --remerge-diff, --diff-merges=, --no-diff-merges, --combined-all-paths",
);

/** For a diff of a submodule, git runs in the submodule without the settings that our configuration turned off. */
const SUBMODULES = among(["short", "log"], "--submodule[=]");

const FILES = path("-O=");

const ON_PURPOSE = [
  ...refused(
    {
      rule: "diff.output",
      because: "writes a file",
      instead: "Leave it out and take what the command prints.",
    },
    "--output=",
  ),
  ...refused(
    {
      rule: "diff.no-index",
      because: "reads files that git does not hold",
      instead: "Compare files of the repository.",
    },
    "--no-index",
  ),
  ...refused(
    {
      rule: "option.program",
      because: "runs a configured program",
      instead: "Leave it out: the plain difference is shown.",
    },
    "--ext-diff, --textconv",
  ),
];

export const DIFF_OPTIONS = optionTable(FORM, COMPARING, MERGES, SUBMODULES, FILES, ON_PURPOSE);
