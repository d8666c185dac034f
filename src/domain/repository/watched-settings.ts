/** Knows which settings of a repository make git run a program, go to an address, or write in somebody's name. */

/** One setting as git lists it: section and last word in lower case, what stands between them as it is written. */
export interface Setting {
  /** Such as `filter.NAME.clean`; for a file of git's, its path in the git directory, such as `objects/info/alternates`. */
  readonly key: string;
  readonly value: string;
}

/**
 * What cannot be switched off for a single call. The rest can, and is: hooks, the file system monitor, the editor, the
 * pager, diff programs, the programs of the other side, replaced objects.
 */
const WATCHED: readonly RegExp[] = [
  /^filter\..+\.(clean|smudge|process|required)$/s,
  /^merge\..+\.driver$/s,
  /^branch\..+\.mergeoptions$/s,
  /^pull\.(twohead|octopus)$/,
  /^core\.(sshcommand|gitproxy|askpass|attributesfile|excludesfile|hookspath)$/,
  /^(credential|gpg|user|author|committer|http|https|protocol|ssh|hook)\./,
  /^commit\.gpgsign$/,
  /^remote\..+\.(url|pushurl|push|fetch|vcs|proxy|proxyauthmethod|promisor|lfsurl|lfspushurl)$/s,
  /^url\..+\.(insteadof|pushinsteadof)$/s,
  /^(include|includeif\..+)\.path$/s,
  /^alias\.lfs$/,
  /^lfs\.(url|pushurl|standalonetransferagent|customtransfer\..+|extension\..+)$/s,
  /^lfs\..+\.standalonetransferagent$/s,
];

/** The values that `git lfs install` writes, of today and of earlier versions. */
const STANDARD_LFS: Readonly<Record<string, readonly string[]>> = {
  "filter.lfs.clean": ["git-lfs clean -- %f", "git-lfs clean %f"],
  "filter.lfs.smudge": [
    "git-lfs smudge -- %f",
    "git-lfs smudge --skip -- %f",
    "git-lfs smudge %f",
    "git-lfs smudge --skip %f",
  ],
  "filter.lfs.process": ["git-lfs filter-process", "git-lfs filter-process --skip"],
  "filter.lfs.required": ["true"],
};

/** Whether it matters who wrote this setting. Git LFS as it is installed does not. */
export function isWatched({ key, value }: Setting): boolean {
  return WATCHED.some((pattern) => pattern.test(key)) && !(STANDARD_LFS[key] ?? []).includes(value);
}

/** What git runs without such a setting: of these one value counts, so that another one can be put in its place. */
const BY_DEFAULT: Readonly<Record<string, string>> = {
  "core.sshcommand": "ssh",
  "gpg.program": "gpg",
  "gpg.openpgp.program": "gpg",
  "gpg.x509.program": "gpgsm",
  "gpg.ssh.program": "ssh-keygen",
};

/** Git's own value for a setting that can be put back for a single call; null for every other. */
export function defaultOf(key: string): string | null {
  return BY_DEFAULT[key] ?? null;
}

/** Without a filter that was there, git would store what the filter keeps from it. */
export function isMissed(key: string): boolean {
  return key.startsWith("filter.");
}

/** The names of the filters that a setting defines, or the configuration of a submodule. */
export function filtersOf({ key, value }: Setting): readonly string[] {
  if (key.startsWith("modules/"))
    return [...value.matchAll(/\[\s*filter\s+"([^"\n]+)"/gi)].flatMap((match) => match[1] ?? []);
  const name = /^filter\.(.+)\.\w+$/s.exec(key)?.[1];
  return name === undefined ? [] : [name];
}

/** Decides only which hooks there are: git runs none for Tazuna, which runs them itself where it is told to. */
export function isHook(key: string): boolean {
  return key === "core.hookspath" || key.startsWith("hooks/");
}

/** Shown without what a header or a file of credentials may hold. */
export function isSecret(key: string): boolean {
  return /^(http|https)\./.test(key);
}
