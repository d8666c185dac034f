/** Words the findings about a staged path: what is said of it, and what to do. */
import { type GateFinding, gateFinding } from "./gate-finding.ts";

/** By rule: what follows the path, or the path and the line. */
const WORDS = {
  conflict_marker: {
    words: "holds conflict markers",
    remedy: "Ask the agent to resolve the conflict and to remove the markers.",
  },
  symlink_outside: {
    words: "is a symbolic link that leads out of the repository",
    remedy:
      "Ask the agent to replace it with a relative link inside the repository, or with the file itself.",
  },
  binary_file: {
    words: "is binary; only credentials of a known shape were looked for in it",
    remedy: "Look at what it is before you merge, or ignore it.",
  },
  control_character: {
    words: "has characters in its name that cannot be seen",
    remedy: "Rename it, unless the name is meant to be like that.",
  },
  agent_configuration: {
    words: "tells coding agents what they may do or run, and was changed",
    remedy: "Read it before you merge: it holds for everyone who opens this repository with an agent.",
  },
  workflow_file: {
    words: "is run by the forge, with its secrets, and was changed",
    remedy: "Read it before you merge.",
  },
  left_by_setup: {
    words: "is as the setup left it and is not committed",
    remedy: "Nothing to do, unless this version should be published: then change the file.",
  },
  changed_after_setup: {
    words: "was changed by the setup and then by the agent: it is committed whole",
    remedy: "Look at the diff: it holds the changes of both.",
  },
  denied_path: {
    words: "is tracked, matches `deny` and was changed",
    remedy: "Ask the agent to put the file back, or change `deny` in the configuration.",
  },
  nested_repository: {
    words: "is a git repository of its own; a commit would hold only a pointer to it",
    remedy: "Remove its `.git` to make it part of this repository, or ignore the folder.",
  },
} as const;

export function pathFinding(rule: keyof typeof WORDS, path: string): GateFinding {
  const { words, remedy } = WORDS[rule];
  return gateFinding(rule, path, { message: `${path} ${words}`, remedy });
}

/** The same for one line of the file. */
export function lineFinding(rule: keyof typeof WORDS, path: string, line: number): GateFinding {
  const { words, remedy } = WORDS[rule];
  return gateFinding(rule, path, { line, message: `${path}:${line} ${words}`, remedy });
}

/**
 * The name that our tools give to the new version of a file before they replace it. Such a file stays if the tool was
 * killed.
 */
const HALF_WRITTEN = /(^|\/)\.[^/]*\.[0-9a-f]{8}-[0-9a-f]{4}\.tmp$/;

export function isHalfWritten(path: string): boolean {
  return HALF_WRITTEN.test(path);
}

/** Why a new file stays out of the commit, and what to do if it should be committed. */
const OUT = {
  asked: {
    words: "was left out by a person: it stays in the worktree and is not committed",
    remedy:
      "Nothing to do, unless the file should be published: then the option `--take-in` of `tazuna publish` lets it in.",
  },
  copied: {
    words: "was copied in from your checkout and is not committed",
    remedy: "Nothing to do, unless the file should be published: then take it out of `copy`.",
  },
  denied: {
    words: "is new and matches `deny`: it stays in the worktree and is not committed",
    remedy: "Nothing to do, unless the file should be published: then change `deny`.",
  },
  closed: {
    words:
      "cannot be looked into (by its permissions, or because its path is too long): nothing in it is committed",
    remedy: "Let the folder be read, or move what is in it to a shorter path; then continue.",
  },
  "half-written": {
    words: "was left by a tool that was killed while it wrote, and is not committed",
    remedy: "Delete it; if it should be published, give it another name.",
  },
} as const;

export function leftOutFinding(path: string, why: keyof typeof OUT): GateFinding {
  const { words, remedy } = OUT[why];
  return gateFinding("left_out", path, { message: `${path} ${words}`, remedy });
}

export function leftByCheckFinding(path: string, check: string): GateFinding {
  return gateFinding("left_by_check", path, {
    message: `${path} is as the check ${check} left it and is not committed`,
    remedy: WORDS.left_by_setup.remedy,
  });
}

export function largeFinding(
  { path, bytes }: { readonly path: string; readonly bytes: number | null },
  maxFileBytes: number,
): GateFinding {
  const mib = (size: number) => `${Math.round((size / 1024 ** 2) * 10) / 10} MiB`;
  return gateFinding("file_too_large", path, {
    message: `${path} has ${mib(bytes ?? 0)}, more than the ${mib(maxFileBytes)} allowed`,
    remedy: "Ask the agent to remove the file or to ignore it, or raise `gate.max_file_mib`.",
  });
}

export interface SubmoduleFlaw {
  readonly path: string;
  readonly why: keyof typeof SUBMODULE;
}

/** `NAME` is the submodule's path. */
const SUBMODULE = {
  dirty: {
    words: "the submodule NAME has changes that this repository cannot hold",
    remedy: "Commit them in the submodule's own repository, or ask the agent to put them back.",
  },
  stray: {
    words: "files lie in NAME, the folder of a submodule that was never filled: no commit takes them",
    remedy:
      "Move them elsewhere; or set `submodules` to `init` and begin anew, and commit in the submodule's own repository.",
  },
  unpublished: {
    words: "the submodule NAME is at a commit that its remote does not have: others could not fill it",
    remedy: "Push that commit in the submodule's own repository, or ask the agent to put the submodule back.",
  },
} as const;

export function submoduleFinding({ path, why }: SubmoduleFlaw): GateFinding {
  const { words, remedy } = SUBMODULE[why];
  return gateFinding("dirty_submodule", path, { message: words.replace("NAME", () => path), remedy });
}
