/** Defines how a call of git was judged, and makes the sentences of a refusal. */

/** `read` changes nothing; `write` changes the repository, its files or a remote. */
export type GitTier = "read" | "write";

export type GitRefusalCode =
  | "INVALID_ARGUMENT"
  | "SUBCOMMAND_NOT_ALLOWED"
  | "OPTION_NOT_ALLOWED"
  | "DESTRUCTIVE_BLOCKED"
  | "OUTSIDE_WORKSPACE"
  | "UNSAFE_URL";

/** An objection to a call. The caller may allow `destructive`, but not `never`. */
export interface Finding {
  readonly verdict: "destructive" | "never";
  readonly code: GitRefusalCode;
  /** Stable name of the rule, such as `push.force`. */
  readonly rule: string;
  /** One sentence that names the argument. */
  readonly message: string;
  /** What to do instead, in one sentence; null if nothing comes close. */
  readonly alternative: string | null;
}

/** The arguments of a call that name files or folders. The program that runs git must resolve them. */
export interface NamedPaths {
  /** All of them, relative to the folder of the call. */
  readonly paths: readonly string[];
  /** Those at which something is made, or to which it is moved. */
  readonly newPaths: readonly string[];
  /** Those, as given, that some version of git takes relative to the top of the repository. */
  readonly pathsFromTop: readonly string[];
}

export const NO_PATHS: NamedPaths = { paths: [], newPaths: [], pathsFromTop: [] };

/** How a call of git was judged. */
export interface GitVerdict extends NamedPaths {
  readonly verdict: "allow" | "destructive" | "never";
  /** Whether it may run. A destructive call may run if the caller allowed it. */
  readonly allowed: boolean;
  /** Null if allowed. Only `DESTRUCTIVE_BLOCKED` can be opened by `allowDestructive`. */
  readonly code: GitRefusalCode | null;
  /** The rule that objected. It is kept for a destructive call that was allowed. */
  readonly rule: string | null;
  readonly message: string | null;
  readonly alternative: string | null;
  /** Null if the subcommand or its verb is unknown. */
  readonly tier: GitTier | null;
  /** Whether it may talk to a remote. */
  readonly network: boolean;
}

/** Why something is refused, in words that follow an argument's name. */
export interface Why {
  readonly rule: string;
  /** Completes a sentence that begins with the argument: `deletes branches of the remote`. */
  readonly because: string;
  readonly instead?: string;
}

/** A finding that `allowDestructive` can allow. */
export function destroys(given: string, { rule, because, instead }: Why): Finding {
  return {
    verdict: "destructive",
    code: "DESTRUCTIVE_BLOCKED",
    rule,
    message: `${given} ${because}.`,
    alternative: instead ?? null,
  };
}

/** A finding that nothing can allow. */
export function never(
  given: string,
  { rule, because, instead }: Why,
  code: Exclude<GitRefusalCode, "DESTRUCTIVE_BLOCKED"> = "OPTION_NOT_ALLOWED",
): Finding {
  return { verdict: "never", code, rule, message: `${given} ${because}.`, alternative: instead ?? null };
}

/** The facts about a call, independent of objections. */
export type Nature = Pick<GitVerdict, "tier" | "network" | keyof NamedPaths>;

export const UNKNOWN_NATURE: Nature = { tier: null, network: false, ...NO_PATHS };

/** The worst finding decides: `never` counts before `destructive`. Frozen. */
export function verdictOf(
  findings: readonly Finding[],
  nature: Nature,
  { allowDestructive }: { readonly allowDestructive: boolean },
): GitVerdict {
  const worst = findings.find(({ verdict }) => verdict === "never") ?? findings[0];
  if (worst === undefined) return frozen({ ...NOTHING_AGAINST, ...nature });
  const { verdict, rule } = worst;
  if (verdict === "destructive" && allowDestructive)
    return frozen({ ...NOTHING_AGAINST, verdict, rule, ...nature });
  const { code, message, alternative } = worst;
  return frozen({ verdict, allowed: false, code, rule, message, alternative, ...nature });
}

const NOTHING_AGAINST = {
  verdict: "allow",
  allowed: true,
  code: null,
  rule: null,
  message: null,
  alternative: null,
} as const;

/** Frozen, because verdicts share the lists of calls that name no paths. */
export function frozen(verdict: GitVerdict): GitVerdict {
  for (const list of [verdict.paths, verdict.newPaths, verdict.pathsFromTop]) Object.freeze(list);
  return Object.freeze(verdict);
}
