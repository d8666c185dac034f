/** Knows which settings of a repository make git run a program, contact an address, or write in another name. */

/** One setting as git lists it: section and last word in lower case, the middle unchanged. */
export interface Setting {
  /**
   * Such as `filter.NAME.clean`; for a file of git's, its path in the git directory, such as
   * `objects/info/alternates`.
   */
  readonly key: string;
  readonly value: string;
}

/**
 * Settings that cannot be switched off for a single call. The rest can, and is: hooks, file system monitor, editor,
 * pager, diff programs, programs of the remote side, replaced objects.
 */
const WATCHED: readonly RegExp[] = [
  /^filter\..+\.(clean|smudge|process|required)$/s,
  /^merge\..+\.driver$/s,
  /^branch\..+\.mergeoptions$/s,
  /^pull\.(twohead|octopus)$/,
  /^core\.(sshcommand|gitproxy|askpass|attributesfile|excludesfile|hookspath)$/,
  /^(credential|gpg|http|https|protocol|ssh|hook)\./,
  /^(user|author|committer)\.(name|email)$/,
  /^user\.(signingkey|useconfigonly)$/,
  /^commit\.gpgsign$/,
  /^remote\..+\.(url|pushurl|push|fetch|vcs|proxy|proxyauthmethod|promisor|lfsurl|lfspushurl)$/s,
  /^(remotes\..+|fetch\.bundleuri)$/s,
  /^url\..+\.(insteadof|pushinsteadof)$/s,
  /^(include|includeif\..+)\.path$/s,
  /^alias\.lfs$/,
  /^lfs\.(url|pushurl|standalonetransferagent|customtransfer\..+|extension\..+)$/s,
  /^lfs\..+\.standalonetransferagent$/s,
];

/** The values that `git lfs install` writes, now and in earlier versions. */
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

/** Whether the origin of this setting matters. For the standard settings of Git LFS it does not. */
export function isWatched({ key, value }: Setting): boolean {
  return WATCHED.some((pattern) => pattern.test(key)) && !(STANDARD_LFS[key] ?? []).includes(value);
}

/** What git runs without such a setting. Only one value of these counts, so another one can replace it. */
const BY_DEFAULT: Readonly<Record<string, string>> = {
  "core.sshcommand": "ssh",
  "gpg.program": "gpg",
  "gpg.openpgp.program": "gpg",
  "gpg.x509.program": "gpgsm",
  "gpg.ssh.program": "ssh-keygen",
};

/** Git's own value for a setting that can be reset for a single call; null for every other. */
export function defaultOf(key: string): string | null {
  return BY_DEFAULT[key] ?? null;
}

/** If a filter is missing, git would store content that the filter removes. */
export function isMissed(key: string): boolean {
  return key.startsWith("filter.");
}

/** The names of the filters that a setting, or the configuration of a submodule, defines. */
export function filtersOf({ key, value }: Setting): readonly string[] {
  if (key.startsWith("modules/"))
    return [...value.matchAll(/\[\s*filter\s+"([^"\n]+)"/gi)].flatMap((match) => match[1] ?? []);
  const name = /^filter\.(.+)\.\w+$/s.exec(key)?.[1];
  return name === undefined ? [] : [name];
}

/** Decides only which hooks there are: git runs none for Tazuna. Tazuna runs them itself if it is told to. */
export function isHook(key: string): boolean {
  return key === "core.hookspath" || key.startsWith("hooks/");
}

/** Shown without its value, which may hold a header or a file of credentials. */
export function isSecret(key: string): boolean {
  return /^(http|https)\./.test(key);
}
