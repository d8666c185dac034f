/** Holds what agents must not do (seed 003 AgentConstraints), as data and as words for the prompt. */

interface AgentConstraints {
  readonly forbiddenCommands: readonly string[];
  readonly forbiddenPaths: readonly string[];
}

/** The two lists of seed 003, letter by letter. */
export const AGENT_CONSTRAINTS: AgentConstraints = {
  forbiddenCommands: [
    "git commit",
    "git push",
    "git checkout",
    "git reset --hard",
    "git rebase",
    "git merge",
  ],
  forbiddenPaths: [".git", ".env", ".env.*", "*.key", "*.pem"],
};

/** Read-only git that the prompt names as allowed. */
const ALLOWED_GIT = ["git status", "git diff", "git log", "git show", "git branch --list"];

/**
 * The git commands that each CLI's own rules refuse, to help the model: the seed's list and similar ones. All of them
 * move a branch, HEAD or a ref that worktrees share. They are prefixes, since those rules understand only prefixes.
 */
export const DENIED_GIT_COMMANDS: readonly string[] = [
  ...AGENT_CONSTRAINTS.forbiddenCommands,
  "git am",
  "git cherry-pick",
  "git pull",
  "git reset",
  "git revert",
  "git stash",
  "git switch",
  "git symbolic-ref",
  "git update-ref",
  "git worktree",
];

/** The constraints as the part of a prompt. */
export function constraintsText(): string {
  const { forbiddenCommands, forbiddenPaths } = AGENT_CONSTRAINTS;
  return [
    "You only edit files. The orchestrator that started you makes the commit and pushes it when you are done.",
    "",
    "Never run these commands, in any form:",
    ...forbiddenCommands.map((command) => `- ${command}`),
    "Do not move branches, HEAD, the index or the stash by any other means either.",
    "",
    "Never read or write these paths:",
    ...forbiddenPaths.map((path) => `- ${path}`),
    "",
    `Reading git is fine: ${ALLOWED_GIT.join(", ")}.`,
    "Stay inside the working directory.",
  ].join("\n");
}

/** Options of git itself that take the next word as their value. */
const GIT_OPTIONS_WITH_VALUE = new Set([
  "-c",
  "-C",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--exec-path",
  "--config-env",
]);

/**
 * The denied git command that a shell text contains, or null. Unlike the prefix rules of the CLIs, it finds `cd x &&
 * git -c a=b commit` and absolute paths of git. It cannot see text that is built at run time.
 */
export function deniedGitCommand(shellText: string): string | null {
  for (const segment of shellText.slice(0, MAX_JUDGED).split(/[;&|\n()`{}]|\$\(/)) {
    const words = segment
      .split(/\s+/)
      .map((word) => word.replace(/^["']+|["']+$/g, ""))
      .filter((word) => word !== "");
    const denied = deniedIn(words);
    if (denied !== null) return denied;
  }
  return null;
}

const MAX_JUDGED = 100_000;

function deniedIn(words: readonly string[]): string | null {
  for (const [index, word] of words.entries()) {
    if (!/(^|[/\\])git(\.exe)?$/.test(word)) continue;
    const rest = afterGitOptions(words.slice(index + 1));
    const found = DENIED_GIT_COMMANDS.find((command) => startsWith(rest, command.split(" ").slice(1)));
    if (found !== undefined) return found;
  }
  return null;
}

function afterGitOptions(words: readonly string[]): readonly string[] {
  let at = 0;
  while (words[at]?.startsWith("-") === true) at += GIT_OPTIONS_WITH_VALUE.has(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}

/** The subcommand comes first; its option (as in `reset --hard`) may be anywhere after it. */
function startsWith(words: readonly string[], wanted: readonly string[]): boolean {
  const [subcommand, ...options] = wanted;
  return words[0] === subcommand && options.every((option) => words.includes(option));
}
