/** Says what prevents the runs of one repository from working, or from using everything. */
import { shellWord } from "../text/shell-word.ts";
import { type Finding, found, listed, repositoriesOf, sentence } from "./finding.ts";

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
  return found("warning", `repository:${id}`, what, {
    whose: repositoriesOf([name]),
    why: "Its attempts cannot go on until Tazuna knows where it lies.",
    path,
    remedy: `If it was moved, type \`tazuna repo move ${id.slice(0, 8)} .\` in its new place; if it was deleted: \`tazuna repo remove ${id.slice(0, 8)}\`.`,
  });
}

interface Gone extends Pick<RepositoryFacts, "name" | "path"> {
  readonly id: string;
  readonly another: boolean;
}

export function repositoryFindings(facts: RepositoryFacts): readonly Finding[] {
  return [
    ...troubleFinding(facts),
    ...plantedFinding(facts),
    ...scriptsFinding(facts),
    ...hooksFinding(facts),
    ...unmatchedFinding(facts),
    ...lfsFinding(facts),
    ...signingFinding(facts),
  ];
}

/** A fault that makes every run fail is an error in the current repository, and a warning in others. */
function grave({ here }: RepositoryFacts): "error" | "warning" {
  return here ? "error" : "warning";
}

function troubleFinding(facts: RepositoryFacts): readonly Finding[] {
  const { trouble, name, path } = facts;
  if (trouble === null) return [];
  const what = `git could not be asked about ${path}: ${sentence(trouble)}`;
  return [
    found(grave(facts), `repository_trouble:${path}`, what, {
      whose: repositoriesOf([name]),
      path,
      remedy: `\`git -C ${shellWord(path)} status\` shows it.`,
    }),
  ];
}

function plantedFinding(facts: RepositoryFacts): readonly Finding[] {
  const { planted, name, path } = facts;
  if (planted.length === 0) return [];
  const count = planted.length === 1 ? "A git setting" : `${planted.length} git settings`;
  return [
    found(grave(facts), `git_settings:${path}`, `${count} changed while an agent worked.`, {
      whose: repositoriesOf([name]),
      why: `Git commands that would heed them are refused: ${planted.join("; ")}.`,
      path,
      remedy: `Read them and accept them with \`${inFolder(path)}tazuna trust\`, or take them out.`,
    }),
  ];
}

function scriptsFinding({ untrusted, name, path }: RepositoryFacts): readonly Finding[] {
  if (untrusted === 0) return [];
  const [count, them] = untrusted === 1 ? ["A script", "it"] : [`${untrusted} scripts`, "them"];
  const what = `${count} of this repository would run, and you have not trusted ${them} yet.`;
  return [
    found("warning", `scripts:${path}`, what, {
      whose: repositoriesOf([name]),
      why: "Runs that need them are refused until then.",
      path,
      remedy: `\`${inFolder(path)}tazuna trust\``,
    }),
  ];
}

function hooksFinding({ undecidedHooks: hooks, name, path }: RepositoryFacts): readonly Finding[] {
  if (hooks.length === 0) return [];
  return [
    found("info", `hooks:${path}`, `Git hooks (${listed(hooks)}) do not run.`, {
      whose: repositoriesOf([name]),
      path,
      remedy: 'Set `"hooks": "run"` or `"hooks": "off"` in the configuration.',
    }),
  ];
}

function unmatchedFinding({ unmatched, name, path }: RepositoryFacts): readonly Finding[] {
  if (unmatched.length === 0) return [];
  const patterns = listed(unmatched.map((pattern) => `"${pattern}"`));
  return [
    found("warning", `copy:${path}`, `\`copy\` matches no ignored file: ${patterns}.`, {
      whose: repositoriesOf([name]),
      why: "New worktrees get nothing for it; a pattern is one of a .gitignore, from the top of the repository.",
      path,
      remedy: "Correct it in the configuration, or take it out.",
    }),
  ];
}

function lfsFinding(facts: RepositoryFacts): readonly Finding[] {
  const { lfs, name, path } = facts;
  if (!lfs.used || (lfs.installed && lfs.configured)) return [];
  const what = lfs.installed
    ? "Files are stored with Git LFS, whose filters are not set up."
    : "Files are stored with Git LFS, which is not installed.";
  return [
    found(grave(facts), `lfs:${path}`, what, {
      whose: repositoriesOf([name]),
      why: "Nothing can be committed there: runs end with `lfs_missing`.",
      path,
      remedy: lfs.installed ? "`git lfs install`" : "Install git-lfs, then `git lfs install`.",
    }),
  ];
}

function signingFinding(facts: RepositoryFacts): readonly Finding[] {
  const { signing, name, path } = facts;
  if (signing === null) return [];
  const what = `Commits are to be signed (${signing.format}), and that does not work without asking.`;
  return [
    found(grave(facts), `signing:${path}`, what, {
      whose: repositoriesOf([name]),
      why: `${sentence(signing.reason)} Runs end with \`commit_failed\`.`,
      path,
      remedy: 'Unlock the key (its agent), or set `"sign": "off"` in the configuration.',
    }),
  ];
}

function inFolder(path: string): string {
  return `cd ${shellWord(path)} && `;
}
