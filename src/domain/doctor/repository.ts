/** Says what prevents the runs of one repository from working, or from using everything. */

import type { KeptClone } from "../repository/spare-clone.ts";
import { listed } from "../text/listed.ts";
import { shellWord } from "../text/shell-word.ts";
import { type Finding, makeFinding, repositoriesOf, sentence } from "./finding.ts";

export interface RepositoryFacts {
  /** Null if Tazuna does not know it yet. */
  readonly id: string | null;
  readonly name: string;
  readonly path: string;
  /** Why git could not be asked about it; null if it could. */
  readonly trouble: string | null;
  /** Hooks that would run at a commit, if nothing is decided about them. */
  readonly undecidedHooks: readonly string[];
  /** How many of its scripts are untrusted. */
  readonly untrusted: number;
  /** Patterns of `copy` that match no ignored file. */
  readonly unmatched: readonly string[];
  /** Git settings that an agent may have planted, as they are shown. */
  readonly planted: readonly string[];
  readonly lfs: { readonly used: boolean; readonly installed: boolean; readonly configured: boolean };
  /** Why commits cannot be signed as the user's git wants it; null if nothing is in the way. */
  readonly signing: { readonly format: string; readonly reason: string } | null;
  /** Whether doctor was called here. */
  readonly here: boolean;
}

/** A repository that is not at its old path; `another` is there now, or nothing. */
export function goneFinding({ id, name, path, another }: Gone): Finding {
  const what = another ? `${path} is another repository now.` : `There is no repository at ${path} any more.`;
  return makeFinding("warning", `repository:${id}`, what, {
    whose: repositoriesOf([name]),
    why: "Its attempts cannot go on until Tazuna knows where it lies.",
    path,
    remedy: `If it was moved, type \`tazuna repo move ${id.slice(0, 8)} .\` in its new place; if it was deleted: \`tazuna repo remove ${id.slice(0, 8)}\`.`,
  });
}

/** A clone that Tazuna took away because the disk was nearly full. */
export function putAwayFinding({ id, name, path, url }: PutAway): Finding {
  const what = `The clone of ${url} went for room on the disk, and is cloned anew when it is needed.`;
  return makeFinding("info", `repository:${id}`, what, {
    whose: repositoriesOf([name]),
    why: "Its remote had all of it.",
    path,
  });
}

/** A clone of Tazuna that stays although the disk is nearly full. */
export function keptCloneFinding({ repository, name, url, path, why, remedy }: KeptClone): Finding {
  const what = `The clone of ${url} stays, though the disk is nearly full.`;
  return makeFinding("info", `clone_kept:${repository}`, what, {
    whose: repositoriesOf([name]),
    ...{ why, path, remedy },
  });
}

interface PutAway extends Pick<RepositoryFacts, "name" | "path"> {
  readonly id: string;
  readonly url: string | null;
}

interface Gone extends Pick<RepositoryFacts, "name" | "path"> {
  readonly id: string;
  readonly another: boolean;
}

/** What is wrong with one repository, whose path completes the id. */
interface Fault extends Pick<Finding, "id" | "what" | "remedy"> {
  /** `grave`: it makes every run fail. */
  readonly level: "info" | "warning" | "grave";
  readonly why?: string;
}

export function repositoryFindings(facts: RepositoryFacts): readonly Finding[] {
  const { name, path, here } = facts;
  const faults = [
    gitFails(facts),
    settingsPlanted(facts),
    scriptsUntrusted(facts),
    hooksUndecided(facts),
    copyUnmatched(facts),
    lfsMissing(facts),
    signingFails(facts),
  ];
  return faults
    .filter((fault) => fault !== null)
    .map(({ id, level, what, ...more }) => {
      // In the current repository such a fault is an error, in others a warning.
      const weight = level !== "grave" ? level : here ? "error" : "warning";
      return makeFinding(weight, `${id}:${path}`, what, { whose: repositoriesOf([name]), path, ...more });
    });
}

function gitFails({ trouble, path }: RepositoryFacts): Fault | null {
  if (trouble === null) return null;
  return {
    id: "repository_trouble",
    level: "grave",
    what: `git could not be asked about ${path}: ${sentence(trouble)}`,
    remedy: `\`git -C ${shellWord(path)} status\` shows it.`,
  };
}

function settingsPlanted({ planted, path }: RepositoryFacts): Fault | null {
  if (planted.length === 0) return null;
  const count = planted.length === 1 ? "A git setting" : `${planted.length} git settings`;
  return {
    id: "git_settings",
    level: "grave",
    what: `${count} changed while an agent worked.`,
    why: `Git commands that would heed them are refused: ${planted.join("; ")}.`,
    remedy: `Read them and accept them with \`${inFolder(path)}tazuna trust\`, or take them out.`,
  };
}

function scriptsUntrusted({ untrusted, path }: RepositoryFacts): Fault | null {
  if (untrusted === 0) return null;
  const [count, them] = untrusted === 1 ? ["A script", "it"] : [`${untrusted} scripts`, "them"];
  return {
    id: "scripts",
    level: "warning",
    what: `${count} of this repository would run, and you have not trusted ${them} yet.`,
    why: "Runs that need them are refused until then.",
    remedy: `\`${inFolder(path)}tazuna trust\``,
  };
}

function hooksUndecided({ undecidedHooks: hooks }: RepositoryFacts): Fault | null {
  if (hooks.length === 0) return null;
  return {
    id: "hooks",
    level: "info",
    what: `Git hooks (${listed(hooks)}) do not run.`,
    remedy: 'Set `"hooks": "run"` or `"hooks": "off"` in the configuration.',
  };
}

function copyUnmatched({ unmatched }: RepositoryFacts): Fault | null {
  if (unmatched.length === 0) return null;
  const patterns = listed(unmatched.map((pattern) => `"${pattern}"`));
  return {
    id: "copy",
    level: "warning",
    what: `\`copy\` matches no ignored file: ${patterns}.`,
    why: "New worktrees get nothing for it; a pattern is one of a .gitignore, from the top of the repository.",
    remedy: "Correct it in the configuration, or take it out.",
  };
}

function lfsMissing({ lfs }: RepositoryFacts): Fault | null {
  if (!lfs.used || (lfs.installed && lfs.configured)) return null;
  const flaw = lfs.installed ? "whose filters are not set up" : "which is not installed";
  return {
    id: "lfs",
    level: "grave",
    what: `Files are stored with Git LFS, ${flaw}.`,
    why: "Nothing can be committed there: runs end with `lfs_missing`.",
    remedy: lfs.installed ? "`git lfs install`" : "Install git-lfs, then `git lfs install`.",
  };
}

function signingFails({ signing }: RepositoryFacts): Fault | null {
  if (signing === null) return null;
  return {
    id: "signing",
    level: "grave",
    what: `Commits are to be signed (${signing.format}), and that does not work without asking.`,
    why: `${sentence(signing.reason)} Runs end with \`commit_failed\`.`,
    remedy: 'Unlock the key (its agent), or set `"sign": "off"` in the configuration.',
  };
}

function inFolder(path: string): string {
  return `cd ${shellWord(path)} && `;
}
