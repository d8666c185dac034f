/** Words the findings that come from the list of staged paths. */
import type { GateFinding } from "./gate-finding.ts";

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
  return { rule: "left_out", level: "report", path, message: `${path} ${words}`, remedy };
}

export function leftByCheckFinding(path: string, check: string): GateFinding {
  return {
    rule: "left_by_check",
    level: "report",
    path,
    message: `${path} is as the check ${check} left it and is not committed`,
    remedy: "Nothing to do, unless this version should be published: then change the file.",
  };
}

export function leftBySetupFinding(path: string): GateFinding {
  return {
    rule: "left_by_setup",
    level: "report",
    path,
    message: `${path} is as the setup left it and is not committed`,
    remedy: "Nothing to do, unless this version should be published: then change the file.",
  };
}

export function changedAfterSetupFinding(path: string): GateFinding {
  return {
    rule: "changed_after_setup",
    level: "report",
    path,
    message: `${path} was changed by the setup and then by the agent: it is committed whole`,
    remedy: "Look at the diff: it holds the changes of both.",
  };
}

export function deniedFinding(path: string): GateFinding {
  return {
    rule: "denied_path",
    level: "reject",
    path,
    message: `${path} is tracked, matches \`deny\` and was changed`,
    remedy: "Ask the agent to put the file back, or change `deny` in the configuration.",
  };
}

export function largeFinding(
  { path, bytes }: { readonly path: string; readonly bytes: number | null },
  maxFileBytes: number,
): GateFinding {
  const mib = (size: number) => `${Math.round((size / 1024 ** 2) * 10) / 10} MiB`;
  return {
    rule: "file_too_large",
    level: "reject",
    path,
    message: `${path} has ${mib(bytes ?? 0)}, more than the ${mib(maxFileBytes)} allowed`,
    remedy: "Ask the agent to remove the file or to ignore it, or raise `gate.max_file_mib`.",
  };
}

export function nestedFinding(path: string): GateFinding {
  return {
    rule: "nested_repository",
    level: "reject",
    path,
    message: `${path} is a git repository of its own; a commit would hold only a pointer to it`,
    remedy: "Remove its `.git` to make it part of this repository, or ignore the folder.",
  };
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
  return {
    rule: "dirty_submodule",
    level: "reject",
    path,
    message: words.replace("NAME", () => path),
    remedy,
  };
}
