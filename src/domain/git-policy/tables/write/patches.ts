/** Judges the subcommands that apply patches: `apply`, `am`. */
import { files } from "../../kinds/pathspecs.ts";
import { among, destructive, optionTable, path, refused, safe } from "../../parse/option-spec.ts";
import type { CommandTable } from "../../table/command-table.ts";
import { dropsResolution, INTERNAL, NEEDS_TERMINAL } from "../families/reasons.ts";
import { onlyShowsPatch } from "../families/sequence-options.ts";

const PATCHING = safe(`
  -p=, -C=, --exclude=, --include=, --[no-]whitespace=, --[no-]ignore-space-change,
  --[no-]ignore-whitespace, -3 --[no-]3way, -q --[no-]quiet
`);

const REJECTS = [
  ...destructive(
    {
      rule: "apply.reject",
      because: "writes files FILE.rej over what is there",
      instead: "Use --3way: it leaves the conflicts in the files.",
    },
    "--reject",
  ),
  ...safe("--no-reject"),
];

export const APPLY: CommandTable = {
  tier: "write",
  options: optionTable(
    PATCHING,
    safe(`
      --[no-]add, --[no-]stat, --[no-]numstat, --[no-]summary, --[no-]check, --[no-]index,
      -N --[no-]intent-to-add, --[no-]cached, --[no-]apply, -z, -R --[no-]reverse, --[no-]unidiff-zero,
      --[no-]allow-overlap, -v --[no-]verbose, --[no-]inaccurate-eof, --[no-]recount, --[no-]allow-empty,
      --[no-]allow-binary-replacement, --[no-]binary, --ours, --theirs, --union
    `),
    path("--[no-]directory="),
    REJECTS,
    refused(
      {
        rule: "apply.unsafe-paths",
        because: "lets a patch change files outside the repository",
        instead: "Leave it out.",
      },
      "--[no-]unsafe-paths",
    ),
    refused(INTERNAL, "--[no-]build-fake-ancestor="),
  ),
  judge: files,
};

export const AM: CommandTable = {
  tier: "write",
  readsWhen: onlyShowsPatch,
  options: optionTable(
    PATCHING,
    safe(`
      -n --[no-]verify, -s --[no-]signoff, -u --[no-]utf8, -k --[no-]keep, --[no-]keep-non-patch,
      -m --[no-]message-id, --[no-]keep-cr, -c --[no-]scissors, --[no-]quoted-cr=, --[no-]resolvemsg=,
      --continue, -r --resolved, --quit, --retry, --show-current-patch[=], --allow-empty,
      --[no-]committer-date-is-author-date, --[no-]ignore-date, --[no-]rerere-autoupdate,
      -S[=] --[no-]gpg-sign[=], --empty=
    `),
    // A series of stgit names further files.
    among(["mbox", "mboxrd", "stgit", "hg"], "--[no-]patch-format="),
    path("--[no-]directory="),
    REJECTS,
    destructive(dropsResolution("am"), "--abort, --skip"),
    refused(NEEDS_TERMINAL, "-i --[no-]interactive"),
  ),
  judge: files,
};
