/** Judges the subcommands that name commits: `rev-parse`, `describe`. */
import { revisionsAndPathspecs } from "../../kinds/pathspecs.ts";
import { optionTable, path, refused, safe } from "../../parse/option-spec.ts";
import type { CommandTable } from "../../table/command-table.ts";
import { READS_STDIN } from "../families/reasons.ts";

export const REV_PARSE: CommandTable = {
  tier: "read",
  options: optionTable(
    safe(`
      -n= --max-count=!, -q --quiet, --verify, --sq, --sq-quote, --short[=], --not, --abbrev-ref[=],
      --symbolic, --symbolic-full-name, --revs-only, --no-revs, --flags, --no-flags, --default=,
      --prefix=, --all, --branches[=], --tags[=], --remotes[=], --glob=!, --exclude=!,
      --exclude-hidden=!, --bisect, --disambiguate=!, --local-env-vars, --path-format=!, --git-dir,
      --git-common-dir, --absolute-git-dir, --git-path=, --is-inside-git-dir, --is-inside-work-tree,
      --is-bare-repository, --is-shallow-repository, --show-cdup, --show-prefix, --show-toplevel,
      --show-superproject-working-tree, --shared-index-path, --show-object-format[=], --show-ref-format,
      --output-object-format=!, --since=!, --after=!, --until=!, --before=!
    `),
    path("--resolve-git-dir="),
    refused(READS_STDIN, "--parseopt"),
  ),
  judge: revisionsAndPathspecs,
};

export const DESCRIBE: CommandTable = {
  tier: "read",
  options: optionTable(
    safe(`
      --[no-]contains, --[no-]debug, --[no-]all, --[no-]tags, --[no-]long, --[no-]first-parent,
      --[no-]abbrev[=], --[no-]exact-match, --[no-]candidates=, --[no-]match=, --[no-]exclude=,
      --[no-]always, --[no-]dirty[=], --[no-]broken[=]
    `),
  ),
};
