/** Describes a subcommand, or one verb of it: its options, its operands, and the objections to a call. */
import type { OptionTable } from "../parse/option-spec.ts";
import type { GitCall } from "../parse/parse-call.ts";
import type { Judgement } from "../verdicts/judgement.ts";
import type { GitTier, Why } from "../verdicts/verdict.ts";
import type { Place } from "./place.ts";

export interface CommandTable {
  readonly tier: GitTier;
  readonly options: OptionTable;
  /** Default: git takes `--end-of-options` there. */
  readonly endOfOptions?: boolean;
  /**
   * Whether this call of a reading subcommand changes something. Options marked as writing need not be checked here.
   */
  readonly writesWhen?: (call: GitCall) => boolean;
  /** Whether this call of a writing subcommand changes nothing. */
  readonly readsWhen?: (call: GitCall) => boolean;
  /** Default: it never talks to a remote. */
  readonly network?: (call: GitCall) => boolean;
  readonly judge?: (call: GitCall, place: Place) => Judgement;
  /** Why the call loses something, whatever its arguments are. */
  readonly loses?: Why;
}

type Verbs = ReadonlyMap<string, CommandTable | { readonly refused: Why }>;

/** A subcommand that is a list of verbs. */
export interface VerbTable {
  /** Options that may come before the verb. */
  readonly before: OptionTable;
  readonly verbs: Verbs;
  /** The table without a verb; null if git requires a verb. */
  readonly plain: CommandTable | null;
  /** Whether a first word that is not a verb is an operand of the plain form. Default: it is refused. */
  readonly open?: boolean;
}

export type SubcommandTable = CommandTable | VerbTable;

/** The tables of verbs by their names, in the order in which a refusal names them. */
export function verbs(tables: Readonly<Record<string, CommandTable | { readonly refused: Why }>>): Verbs {
  return new Map(Object.entries(tables));
}

/** Whether the option was given in its plain form. */
export function has(call: GitCall, ...ids: readonly string[]): boolean {
  return call.options.some(({ spec }) => !spec.negated && ids.includes(spec.id));
}

/** Whether the option is on: the last of its two forms decides. */
export function isOn(call: GitCall, id: string): boolean {
  return call.options.findLast(({ spec }) => spec.id === id)?.spec.negated === false;
}

/** Whether the `--no-` form was given. */
export function hasNo(call: GitCall, id: string): boolean {
  return call.options.some(({ spec }) => spec.negated && spec.id === id);
}

/** All values given for the option. */
export function valuesOf(call: GitCall, id: string): readonly string[] {
  return call.options.flatMap(({ spec, value }) => (spec.id === id && value !== null ? [value] : []));
}

/** Operands on both sides of `--`. */
export function allOperands(call: GitCall): readonly string[] {
  return [...call.operands, ...call.afterDashes];
}
