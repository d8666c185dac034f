/** Says what a test needs that is not everywhere, so that a skipped test names it in its title. */

export interface Need {
  /** For `test.skipIf`. */
  readonly missing: boolean;
  /** Behind the title; empty if it is there. */
  readonly why: string;
}

function need(isThere: boolean, what: string): Need {
  return { missing: !isThere, why: isThere ? "" : ` (skipped: ${what})` };
}

function programNeeded(name: string): Need {
  return need(Bun.which(name) !== null, `there is no ${name}`);
}

/** Process trees, sockets and mounts are read and made as Linux has them. */
export const LINUX = need(process.platform === "linux", "it needs Linux");
/** Signals, modes and names with any byte. */
export const POSIX = need(process.platform !== "win32", "it does not run on Windows");
export const BASH = programNeeded("bash");
export const GIT_LFS = programNeeded("git-lfs");
export const PERL = programNeeded("perl");
export const SSH_KEYGEN = programNeeded("ssh-keygen");
