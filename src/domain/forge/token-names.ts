/** Names the variables in which forges' own programs expect tokens. */

export const FORGE_TOKENS: readonly string[] = [
  "GH_TOKEN",
  "GITHUB_TOKEN",
  "GH_ENTERPRISE_TOKEN",
  "GITHUB_ENTERPRISE_TOKEN",
  "GITLAB_TOKEN",
  "GITLAB_ACCESS_TOKEN",
  "GITEA_TOKEN",
  "FORGEJO_TOKEN",
  "BITBUCKET_TOKEN",
  "CI_JOB_TOKEN",
];

/** Whether a variable of this name gives access to a forge. */
export function isForgeToken(name: string): boolean {
  return FORGE_TOKENS.includes(name);
}
