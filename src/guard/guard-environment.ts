/** Makes the environment of a guarded program: the guard's git in front, and no way for any git to push with what is the user's. */
import { delimiter, join } from "node:path";

/** The addresses of a repository's remotes as its configuration spells them. */
export interface RemoteAddresses {
  readonly urls: readonly string[];
  /** Those that only pushes go to (`pushurl`). */
  readonly pushUrls: readonly string[];
}

/** No repository can be there. */
const NOWHERE = "/dev/null/only-tazuna-pushes/";

/** Neither the user's keys nor their settings, which may name some; nobody is asked. */
const SSH_WITHOUT_KEYS =
  "ssh -F /dev/null -oBatchMode=yes -oIdentitiesOnly=yes -oIdentityFile=/dev/null -oIdentityAgent=none";

/** In the guard's folder, beside its `git`. */
export const BASH_ENV_FILE = "bash-env";

const USUAL_PATH = "/usr/local/bin:/usr/bin:/bin";

/** Git compares beginnings. A password or a token in the address is the user's: of such an address only what stands before it is handed on. */
function beginningOf(url: string): string {
  const [, scheme = "", user = ""] = /^([a-z][a-z0-9+.:-]*:\/\/)([^/]*)@/i.exec(url) ?? [];
  if (scheme === "") return url;
  const name = user.slice(0, user.indexOf(":") + 1 || undefined);
  return user === name && user.length < SHORTEST_TOKEN ? url : `${scheme}${name.slice(0, TOKEN_KIND)}`;
}

/** Shorter words in front of a host name somebody. */
const SHORTEST_TOKEN = 16;
/** What tells one kind of token from others, such as `ghp_`. */
const TOKEN_KIND = 4;

/**
 * What is set over `below`. By address and not by name, so that a push of another repository's `origin` works; the
 * configuration of `below` stays.
 */
export function guardEnvironment(
  below: Readonly<Record<string, string>>,
  { folder, remotes }: { readonly folder: string; readonly remotes: RemoteAddresses },
): Readonly<Record<string, string>> {
  const first = Number(below.GIT_CONFIG_COUNT ?? 0) || 0;
  const pairs = [
    ["credential.helper", ""] as const,
    ...remotes.urls.map((url) => [`url.${NOWHERE}.pushInsteadOf`, beginningOf(url)] as const),
    // Git leaves an address of its own for pushes out of the line above.
    ...remotes.pushUrls.map((url) => [`url.${NOWHERE}.insteadOf`, beginningOf(url)] as const),
  ];
  return {
    PATH: [folder, below.PATH || USUAL_PATH].join(delimiter),
    // Bash expands the name as within double quotes.
    BASH_ENV: join(folder, BASH_ENV_FILE).replace(/[$`"\\]/g, "\\$&"),
    // Reading leaves the index as it is.
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
