/** Makes the environment of a guarded program: the guard's git first, and no push with the user's credentials. */
import { delimiter, join } from "node:path";

/** The configured addresses of a repository's remotes. */
interface RemoteAddresses {
  readonly urls: readonly string[];
  /** The addresses that only pushes use (`pushurl`). */
  readonly pushUrls: readonly string[];
}

/** A repository cannot exist there. */
const NOWHERE = "/dev/null/only-tazuna-pushes/";

/** Uses neither the user's keys nor their settings, which may name keys; there is no prompt. */
const SSH_WITHOUT_KEYS =
  "ssh -F /dev/null -oBatchMode=yes -oIdentitiesOnly=yes -oIdentityFile=/dev/null -oIdentityAgent=none";

/** In the guard's folder, beside its `git`. */
export const BASH_ENV_FILE = "bash-env";

const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

/** A shorter word before a host is a user name. */
const MIN_TOKEN_LENGTH = 16;
/** The length of the prefix that marks a kind of token, such as `ghp_`. */
const TOKEN_KIND = 4;

/**
 * The variables that override `below`. They work by address and not by name, so a push of another repository's
 * `origin` works. The configuration of `below` stays.
 */
export function guardEnvironment(
  below: Readonly<Record<string, string>>,
  { folder, remotes }: { readonly folder: string; readonly remotes: RemoteAddresses },
): Readonly<Record<string, string>> {
  const first = Number(below.GIT_CONFIG_COUNT ?? 0) || 0;
  const pairs = [
    ["credential.helper", ""] as const,
    ...remotes.urls.map((url) => [`url.${NOWHERE}.pushInsteadOf`, beginningOf(url)] as const),
    // Git does not apply the line above to separate push addresses.
    ...remotes.pushUrls.map((url) => [`url.${NOWHERE}.insteadOf`, beginningOf(url)] as const),
  ];
  return {
    PATH: [folder, below.PATH || USUAL_PATH].join(delimiter),
    // Bash expands the name as within double quotes.
    BASH_ENV: join(folder, BASH_ENV_FILE).replace(/[$`"\\]/g, "\\$&"),
    // A reading command then leaves the index unchanged.
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    SSH_ASKPASS_REQUIRE: "never",
    GCM_INTERACTIVE: "never",
    GIT_SSH_COMMAND: SSH_WITHOUT_KEYS,
    GIT_CONFIG_COUNT: String(first + pairs.length),
    ...Object.fromEntries(
      pairs.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${first + index}`, key],
        [`GIT_CONFIG_VALUE_${first + index}`, value],
      ]),
    ),
  };
}

/**
 * Git compares the beginning of an address. A password or a token in the address is the user's, so only the part
 * before it is passed on.
 */
function beginningOf(url: string): string {
  const [, scheme = "", user = ""] = /^([a-z][a-z0-9+.:-]*:\/\/)([^/]*)@/i.exec(url) ?? [];
  if (scheme === "") return url;
  const name = user.slice(0, user.indexOf(":") + 1 || undefined);
  return user === name && user.length < MIN_TOKEN_LENGTH ? url : `${scheme}${name.slice(0, TOKEN_KIND)}`;
}
