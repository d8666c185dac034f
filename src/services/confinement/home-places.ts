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

/** Stores of packages that are checked by their hash or fetched again; nothing that is run by its place. */
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
  ".yarn/berry/cache",
  "go/pkg/mod",
];
