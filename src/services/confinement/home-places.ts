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

/** Stores of packages: installs need them, and what lies there is built and run by other projects later (the docs say so). */
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
