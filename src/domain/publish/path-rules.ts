/** Judges staged paths by their names alone: disguises, control characters, agent configuration, workflow files. */
import { type GateFinding, gateFinding } from "./gate-finding.ts";
import { pathFinding } from "./staged-rules.ts";

/** Characters that Apple's file systems ignore when they compare names. */
const IGNORED_IN_NAMES = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\u200b\u2060\ufeff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

/**
 * Folders and files that tell an agent what it may do, or what to run. `AGENTS.md` and the like are plain text:
 * documents.
 */
const AGENT_CONFIGURATION =
  /(?:^|\/)(?:\.(?:claude|codex|gemini|opencode|cursor|windsurf|continue|aider|tazuna)\/|\.(?:mcp|aider\.conf)\.(?:json|yml)$|opencode\.jsonc?$|\.(?:cursorrules|windsurfrules|clinerules)$|\.vscode\/mcp\.json$)/i;
/** Read by a forge or its runners from the top of the tree. */
const WORKFLOW =
  /^(?:\.(?:github|gitea|forgejo)\/(?:workflows|actions)\/|\.gitlab-ci\.ya?ml$|\.gitlab\/ci\/|\.circleci\/|\.buildkite\/|\.woodpecker(?:\/|\.ya?ml$)|\.drone\.ya?ml$|\.travis\.ya?ml$|\.azure-pipelines\/|azure-pipelines[^/]*\.ya?ml$|bitbucket-pipelines\.ya?ml$|Jenkinsfile)/i;

/** Signs, digits and small letters, with no dot at the end of a name: nothing that a file system folds. */
const PLAIN = /^(?:[!-@[-~](?<!\.(?=\/|$)))*$/;

export function findingsOfPath(path: string, isDenied: (path: string) => boolean): readonly GateFinding[] {
  const folded = foldPath(path);
  const names = folded === path ? [path] : [path, folded];
  return [
    ...disguised(path, { folded, isDenied }),
    ...(CONTROL.test(path) ? [pathFinding("control_character", path)] : []),
    ...(names.some((name) => AGENT_CONFIGURATION.test(name))
      ? [pathFinding("agent_configuration", path)]
      : []),
    ...(names.some((name) => WORKFLOW.test(name)) ? [pathFinding("workflow_file", path)] : []),
  ];
}

/** The name for a file system that ignores case and invisible characters. */
function foldPath(path: string): string {
  if (PLAIN.test(path)) return path;
  return path
    .normalize("NFKC")
    .replace(IGNORED_IN_NAMES, "")
    .toLowerCase()
    .split("/")
    .map((name) => name.replace(/[. ]+$/, "") || name)
    .join("/");
}

/** `.GIT`, `.g‌it` with an invisible character in it, `git~1`, and a denied name in another case. */
function disguised(
  path: string,
  { folded, isDenied }: { readonly folded: string; readonly isDenied: (path: string) => boolean },
): readonly GateFinding[] {
  const isGit = folded.split("/").some((name) => name === ".git" || name === "git~1");
  if (!isGit && (folded === path || isDenied(path) || !isDenied(folded))) return [];
  const message = isGit
    ? `${path} is \`.git\` to file systems that know no case or leave out what cannot be seen`
    : `${path} is ${folded} to some file systems, and matches \`deny\` there`;
  const remedy = "Ask the agent to rename or remove it.";
  return [gateFinding("disguised_path", path, { message, remedy, ...(isGit ? { final: true } : {}) })];
}
