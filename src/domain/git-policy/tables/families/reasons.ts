/** Holds the reasons for refusing an option that several subcommands share. */
import type { Why } from "../../verdicts/verdict.ts";

/** The option runs a program that the arguments name. */
export const RUNS_PROGRAM: Why = {
  rule: "option.program",
  because: "runs a program that the arguments name",
  instead: "Leave it out.",
};

export const NEEDS_TERMINAL: Why = {
  rule: "option.interactive",
  because: "asks at a terminal, and there is none",
  instead: "Name the files or commits instead of picking them.",
};

export const READS_STDIN: Why = {
  rule: "option.stdin",
  because: "reads unchecked arguments",
  instead: "Give them as arguments.",
};

export const SETS_CONFIGURATION: Why = {
  rule: "option.configuration",
  because: "sets configuration, which can name programs",
  instead: "Leave it out.",
};

export const PLANTS_FILES: Why = {
  rule: "option.template",
  because: "copies files into the repository's own folder, hooks among them",
  instead: "Leave it out.",
};

export const MOVES_REPOSITORY: Why = {
  rule: "option.git-dir",
  because: "puts the repository's own folder somewhere else",
  instead: "Leave it out.",
};

export const INTERNAL: Why = {
  rule: "option.internal",
  because: "is meant for git's own use",
  instead: "Leave it out.",
};

export const MERGES_INTO_CHANGES: Why = {
  rule: "checkout.merge",
  because: "mixes uncommitted changes with the other branch and cannot be taken back",
  instead: "Commit or stash the changes first.",
};

export const OVERWRITES_IGNORED: Why = {
  rule: "option.overwrite-ignore",
  because: "lets ignored files be overwritten",
  instead: "Leave it out.",
};

/** For submodules, no option prevents it. */
export const OVERWRITES_IN_SUBMODULES: Why = {
  rule: "option.submodules",
  because: "lets ignored files of submodules be overwritten",
  instead: "Leave it out; git submodule update brings submodules up to date.",
};

/** For options that undo or skip a step that stopped in a conflict. */
export function dropsResolution(subcommand: string): Why {
  return {
    rule: `${subcommand.replace(" ", "-")}.abort`,
    because: "throws away what was resolved so far, and changes that were not committed",
    instead: `git ${subcommand} --quit leaves the files as they are; git stash keeps changes.`,
  };
}
