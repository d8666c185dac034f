/** Says how a call of git was judged, and makes the sentences of a refusal. */

/** `read` changes nothing; `write` changes the repository, its files or a remote. */
export type GitTier = "read" | "write";

export type GitRefusalCode =
  | "INVALID_ARGUMENT"
  | "SUBCOMMAND_NOT_ALLOWED"
  | "OPTION_NOT_ALLOWED"
  | "DESTRUCTIVE_BLOCKED"
  | "OUTSIDE_WORKSPACE"
  | "UNSAFE_URL";

/** What speaks against a call. `destructive` may be allowed by the caller, `never` may not. */
export interface Finding {
  readonly verdict: "destructive" | "never";
  readonly code: GitRefusalCode;
  /** Stable name of the rule, such as `push.force`. */
  readonly rule: string;
  /** One sentence that names the argument. */
  readonly message: string;
  /** What to do instead, in one sentence; null where nothing comes near it. */
  readonly alternative: string | null;
}

/** The arguments of a call that name files or folders; whoever runs it must resolve them. */
export interface NamedPaths {
  /** All of them, relative to the folder of the call. */
  readonly paths: readonly string[];
  /** Those of them where something is made or moved to. */
  readonly newPaths: readonly string[];
  /** Those of them, as given, that git or one of its versions takes relative to the top of the repository instead. */
  readonly pathsFromTop: readonly string[];
}

export const NO_PATHS: NamedPaths = { paths: [], newPaths: [], pathsFromTop: [] };

/** How a call of git was judged (product contract, section 5). */
export interface GitVerdict extends NamedPaths {
  readonly verdict: "allow" | "destructive" | "never";
  /** Whether it may run; a destructive call may when the caller allowed it. */
  readonly allowed: boolean;
  /** Null when allowed. `DESTRUCTIVE_BLOCKED` is the only one that `allowDestructive` opens. */
  readonly code: GitRefusalCode | null;
  /** The rule that spoke against it; kept for a destructive call that was allowed. */
  readonly rule: string | null;
  readonly message: string | null;
  readonly alternative: string | null;
  /** Null where the subcommand or its verb is unknown. */
  readonly tier: GitTier | null;
  /** Whether it may talk to a remote. */
  readonly network: boolean;
}

/** Why something is refused, in words that an argument's name is put in front of. */
export interface Why {
  readonly rule: string;
  /** Continues a sentence that begins with the argument: `deletes branches of the remote`. */
  readonly because: string;
  readonly instead?: string;
}

/** A finding that `allowDestructive` opens. */
export function destroys(given: string, { rule, because, instead }: Why): Finding {
  return {
    verdict: "destructive",
    code: "DESTRUCTIVE_BLOCKED",
    rule,
    message: `${given} ${because}.`,
    alternative: instead ?? null,
  };
}

/** A finding that nothing opens. */
export function never(
  given: string,
  { rule, because, instead }: Why,
  code: Exclude<GitRefusalCode, "DESTRUCTIVE_BLOCKED"> = "OPTION_NOT_ALLOWED",
): Finding {
  return { verdict: "never", code, rule, message: `${given} ${because}.`, alternative: instead ?? null };
}

/** What is known of a call whatever speaks against it. */
export type Nature = Pick<GitVerdict, "tier" | "network" | keyof NamedPaths>;

export const UNKNOWN_NATURE: Nature = { tier: null, network: false, ...NO_PATHS };

/** The worst finding decides: what is never allowed comes before what may be allowed. */
export function verdictOf(
  findings: readonly Finding[],
  nature: Nature,
  { allowDestructive }: { readonly allowDestructive: boolean },
): GitVerdict {
  const worst = findings.find(({ verdict }) => verdict === "never") ?? findings[0];
  if (worst === undefined)
    return {
      verdict: "allow",
      allowed: true,
      code: null,
      rule: null,
      message: null,
      alternative: null,
      ...nature,
    };
  const { verdict, code, rule, message, alternative } = worst;
  if (verdict === "destructive" && allowDestructive)
    return { verdict, allowed: true, code: null, rule, message: null, alternative: null, ...nature };
  return { verdict, allowed: false, code, rule, message, alternative, ...nature };
}
