/** Makes variants of a git: with another time limit, shell, checkout, signal or check for its calls. */
import type { Git, GitOptions, GitShell } from "./run-git.ts";

/** The same git with another default time limit for calls (`limits.git_s` of their repository). */
export function withGitTimeout(git: Git, timeoutMs: number): Git {
  return {
    ...git,
    run: (target, args, options) => git.run(target, args, { timeoutMs, ...options }),
    discover: (directory, args, options) => git.discover(directory, args, { timeoutMs, ...options }),
  };
}

/** The same git in the environment of another shell. All shells share what is known of repositories' settings. */
export function inShell(git: Git, shell: GitShell): Git {
  return {
    ...git,
    run: (target, args, options) => git.run(target, args, { shell, ...options }),
    discover: (directory, args, options) => git.discover(directory, args, { shell, ...options }),
  };
}

/** The same git, but relative addresses of remotes start from this checkout of the user. */
export function withCheckout(git: Git, checkout: string): Git {
  return { ...git, run: (target, args, options) => git.run(target, args, { checkout, ...options }) };
}

/** The same git, but its calls of a remote end when `signal` aborts. A call with its own signal keeps that one. */
export function withSignal(git: Git, signal: AbortSignal): Git {
  const stoppable = (options?: GitOptions) =>
    options?.access === "remote" ? { signal, ...options } : options;
  return {
    ...git,
    run: (target, args, options) => git.run(target, args, stoppable(options)),
    discover: (directory, args, options) => git.discover(directory, args, stoppable(options)),
  };
}

/** The same git, but `beforeStart` is called right before each start, and may throw. */
export function withCheckBefore(git: Git, beforeStart: () => void): Git {
  return {
    ...git,
    run: (target, args, options) => git.run(target, args, { beforeStart, ...options }),
    discover: (directory, args, options) => git.discover(directory, args, { beforeStart, ...options }),
  };
}
