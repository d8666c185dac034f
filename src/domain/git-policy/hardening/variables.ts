/** Holds the one table of environment variables that harden a git process, for the engine and for the tools. */
import type { GitCaller } from "./settings.ts";

interface HardenedVariables {
  readonly callers: readonly GitCaller[];
  /** Why these callers need them and the others do not. */
  readonly why: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A variable is in several rows only if its callers need different values. */
export const HARDENED_VARIABLES: readonly HardenedVariables[] = [
  {
    callers: ["engine", "engine-local", "tools", "tools-reading"],
    why: "Git answers in one language, without a person or a pager, and writes nothing that it need not.",
    variables: { LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0", GIT_PAGER: "cat" },
  },
  {
    callers: ["engine", "engine-local", "tools"],
    why: "The same, for programs that a status never starts.",
    variables: {
      SSH_ASKPASS_REQUIRE: "never",
      GCM_INTERACTIVE: "never",
      // An editor that changes nothing. Git itself refuses an empty message.
      GIT_EDITOR: "true",
      GIT_SEQUENCE_EDITOR: "true",
      GIT_MERGE_AUTOEDIT: "no",
      PAGER: "cat",
    },
  },
  {
    callers: ["engine-local", "tools", "tools-reading"],
    why: "A call that names no remote fetches no missing objects. For calls of a remote, the caller says more.",
    variables: {
      GIT_NO_LAZY_FETCH: "1",
      // This is a list of protocols, and no protocol is called none.
      GIT_ALLOW_PROTOCOL: "none",
    },
  },
  {
    callers: ["engine", "engine-local"],
    why: "The engine compares, judges and pushes the commits themselves, never what stands in for them here.",
    variables: {
      GIT_NO_REPLACE_OBJECTS: "1",
      // A path that never exists, because git calls even an empty file out of date.
      GIT_GRAFT_FILE: "/dev/null/none",
    },
  },
  {
    callers: ["engine", "engine-local"],
    why: "The engine tells failures apart by git's words: empty, git says that prompts are disabled, and no advice.",
    variables: { GIT_ASKPASS: "", GIT_ADVICE: "0" },
  },
  {
    callers: ["tools"],
    why: "A tool gives git no way to ask. It takes over nothing of the machine: no settings, no attributes, no ssh of others.",
    variables: {
      GIT_ASKPASS: "true",
      SSH_ASKPASS: "true",
      TERM: "dumb",
      GIT_PROTOCOL_FROM_USER: "0",
      GIT_SSH_COMMAND: "ssh -oBatchMode=yes",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_CONFIG_NOSYSTEM: "1",
    },
  },
];

/** The variables for every process of this caller. */
export function hardenedVariables(caller: GitCaller): Readonly<Record<string, string>> {
  const rows = HARDENED_VARIABLES.filter(({ callers }) => callers.includes(caller));
  return Object.assign({}, ...rows.map(({ variables }) => variables));
}

/** Settings as variables. Pairs and not an object: git adds the second value of a repeated key to the first. */
export function configVariables(entries: readonly (readonly [string, string])[]): Record<string, string> {
  return {
    GIT_CONFIG_COUNT: String(entries.length),
    ...Object.fromEntries(
      entries.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  };
}
