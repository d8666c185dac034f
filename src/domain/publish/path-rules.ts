/** Judges staged paths by their names alone: disguises, control characters, agent configuration, workflow files. */
import type { GateFinding } from "./gate-finding.ts";

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

export function findingsOfPath(path: string, isDenied: (path: string) => boolean): readonly GateFinding[] {
  const folded = foldPath(path);
  const names = folded === path ? [path] : [path, folded];
  return [
    ...disguised(path, { folded, isDenied }),
    ...(CONTROL.test(path) ? [controlFinding(path)] : []),
    ...(names.some((name) => AGENT_CONFIGURATION.test(name)) ? [agentFinding(path)] : []),
    ...(names.some((name) => WORKFLOW.test(name)) ? [workflowFinding(path)] : []),
  ];
}

/** `.GIT`, `.g‌it` with an invisible character in it, `git~1`, and a denied name in another case. */
function disguised(
  path: string,
  { folded, isDenied }: { readonly folded: string; readonly isDenied: (path: string) => boolean },
): readonly GateFinding[] {
  const isGit = folded.split("/").some((name) => name === ".git" || name === "git~1");
  if (!isGit && (folded === path || isDenied(path) || !isDenied(folded))) return [];
  const finding: GateFinding = {
    rule: "disguised_path",
    level: "reject",
    path,
    message: isGit
      ? `${path} is \`.git\` to file systems that know no case or leave out what cannot be seen`
      : `${path} is ${folded} to some file systems, and matches \`deny\` there`,
    remedy: "Ask the agent to rename or remove it.",
  };
  return [isGit ? { ...finding, final: true } : finding];
}

function controlFinding(path: string): GateFinding {
  return {
    rule: "control_character",
    level: "report",
    path,
    message: `${path} has characters in its name that cannot be seen`,
    remedy: "Rename it, unless the name is meant to be like that.",
  };
}

function agentFinding(path: string): GateFinding {
  return {
    rule: "agent_configuration",
    level: "report",
    path,
    message: `${path} tells coding agents what they may do or run, and was changed`,
    remedy: "Read it before you merge: it holds for everyone who opens this repository with an agent.",
  };
}

function workflowFinding(path: string): GateFinding {
  return {
    rule: "workflow_file",
    level: "report",
    path,
    message: `${path} is run by the forge, with its secrets, and was changed`,
    remedy: "Read it before you merge.",
  };
}
