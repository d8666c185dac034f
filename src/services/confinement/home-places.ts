/** Names the places of a home folder that no confined program may see, and those that package managers keep for all projects. */

/** Credentials, relative to the home folder (product contract, section 4). */
export const CREDENTIAL_PLACES: readonly string[] = [
  ".ssh",
  ".aws",
  ".azure",
  ".config/gcloud",
  ".config/gh",
  ".config/glab-cli",
  ".config/git/credentials",
  ".docker",
  ".git-credentials",
  ".gnupg",
  ".kube",
  ".netrc",
];

/** Stores whose entries are held against a checksum of the project's own when they are used: what is planted there is refused. */
export const CHECKED_CACHES: readonly string[] = [".npm/_cacache", ".yarn/berry/cache"];

/**
 * Stores of packages that installs need to write, and of which what lies there is run by whoever finds it, unchecked: programs
 * (`.npm/_npx`), unpacked packages, compiled ones. A run has its own of each; only setup before the first agent has the user's.
 */
export const PACKAGE_CACHES: readonly string[] = [
  ".bun/install/cache",
  ".cache/deno",
  ".cache/go-build",
  ".cache/pip",
  ".cache/pnpm",
  ".cache/uv",
  ".cache/yarn",
  ".cargo/git",
  ".cargo/registry",
  ".gradle/caches",
  ".local/share/pnpm/store",
  ".m2/repository",
  ".npm",
  ".nuget/packages",
  "go/pkg/mod",
];
