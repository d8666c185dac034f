/** Names the places of a home folder that no confined program may see, and the stores of package managers. */

/** Credentials, relative to the home folder. */
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

/**
 * Stores whose entries are checked against a checksum of the project when they are used. Planted entries are refused.
 */
export const CHECKED_CACHES: readonly string[] = [".npm/_cacache", ".yarn/berry/cache"];

/**
 * Stores of packages that installs need to write, and whose entries are run unchecked: programs (`.npm/_npx`), unpacked
 * packages, compiled ones. A run has its own copy of each. Only the setup before the first agent uses the user's.
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
