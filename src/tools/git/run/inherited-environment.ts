/** Builds the environment of the git calls whose argv a seed fixes: what would make git do harm is turned off there. */

/** Git configuration as key and value; it outranks every configuration file. */
type ConfigPairs = Readonly<Record<string, string>>;

/** Programs that a repository could name for git to run while it only reads its state. */
const FIXED_CONFIG: ConfigPairs = {
  "core.fsmonitor": "false",
  "core.hooksPath": "/dev/null",
  "core.pager": "cat",
  "core.alternateRefsCommand": "exit 0 #",
  "diff.external": "",
  "gc.auto": "0",
  "maintenance.auto": "false",
  "submodule.recurse": "false",
};

const FIXED_VARIABLES: Readonly<Record<string, string>> = {
  LC_ALL: "C",
  GIT_TERMINAL_PROMPT: "0",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_NO_LAZY_FETCH: "1",
  GIT_PAGER: "cat",
};

/** The caller's variables without any `GIT_*`, then ours (product contract, section 13; no ceiling: the workspace may lie in a larger repository). */
export function inheritedGitEnvironment(
  inherited: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const kept = Object.entries(inherited).filter(([name]) => !name.toUpperCase().startsWith("GIT_"));
  return { ...Object.fromEntries(kept), ...FIXED_VARIABLES, ...configVariables(FIXED_CONFIG) };
}

function configVariables(pairs: ConfigPairs): Record<string, string> {
  const entries = Object.entries(pairs);
  const numbered = entries.flatMap(([key, value], index) => [
    [`GIT_CONFIG_KEY_${index}`, key],
    [`GIT_CONFIG_VALUE_${index}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(entries.length), ...Object.fromEntries(numbered) };
}
