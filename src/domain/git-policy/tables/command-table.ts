/** Describes a subcommand, or one verb of it: its options, what its operands are, and what speaks against a call. */
import type { Judgement } from "../judgement.ts";
import type { Place } from "../kinds/place.ts";
import type { OptionTable } from "../parse/option-spec.ts";
import type { GitCall } from "../parse/parse-call.ts";
import type { GitTier, Why } from "../verdict.ts";

export interface CommandTable {
  readonly tier: GitTier;
  readonly options: OptionTable;
  /** Default: git takes `--end-of-options` there. */
  readonly endOfOptions?: boolean;
  /** Whether this call of a reading subcommand changes something; options that say so themselves need not be named. */
  readonly writesWhen?: (call: GitCall) => boolean;
  /** Default: it never talks to a remote. */
  readonly network?: (call: GitCall) => boolean;
  readonly judge?: (call: GitCall, place: Place) => Judgement;
}

/** A subcommand that is a list of verbs. */
export interface VerbTable {
  /** Options that may stand before the verb. */
  readonly before: OptionTable;
  readonly verbs: ReadonlyMap<string, CommandTable | { readonly refused: Why }>;
  /** What holds without a verb; null where git needs one. */
  readonly plain: CommandTable | null;
  /** Whether a first word that is no verb is an operand of the plain form; default: it is refused. */
  readonly open?: boolean;
}

export type SubcommandTable = CommandTable | VerbTable;

/** Whether the option was given, in its plain form. */
export function has(call: GitCall, ...ids: readonly string[]): boolean {
  return call.options.some(({ spec }) => !spec.negated && ids.includes(spec.id));
}

/** Whether the `--no-` form was given. */
export function hasNo(call: GitCall, id: string): boolean {
  return call.options.some(({ spec }) => spec.negated && spec.id === id);
}

/** All values that the option was given. */
export function valuesOf(call: GitCall, id: string): readonly string[] {
  return call.options.flatMap(({ spec, value }) => (spec.id === id && value !== null ? [value] : []));
}

/** Operands on both sides of `--`. */
export function allOperands(call: GitCall): readonly string[] {
  return [...call.operands, ...call.afterDashes];
}
