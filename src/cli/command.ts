/** Builds the commands: what each is given, what it answers, and how its arguments are declared. */
import {
  type BaseArgs,
  buildCommand,
  type Command,
  type CommandContext,
  type TypedCommandParameters,
} from "@stricli/core";
import type { Result } from "neverthrow";
import type { CliError, CliOptions, ExitCode } from "./cli-options.ts";

/** What every command works with. */
export interface Scope extends Omit<CliOptions, "version"> {
  /** `--json` was given: stdout takes one document and nothing else. */
  readonly json: boolean;
}

/** What a command came to. Nothing to print where it wrote its output itself. */
export interface Done {
  readonly exit: ExitCode;
  /** For `--json`. */
  readonly document?: unknown;
  /** For people, in so many columns (infinite where nobody looks); ends with a newline unless empty. */
  readonly text?: string | ((columns: number) => string);
}

export type Outcome = Result<Done, CliError>;

/** How a command gets its scope and leaves its outcome, since the parser knows neither. */
export interface CliContext extends CommandContext {
  readonly scope: Scope;
  leave(outcome: Outcome): void;
}

/** Flags are declared with `type`, since an interface has no index signature. */
export type CommonFlags = { readonly json: boolean };

type Flags = CommonFlags & Readonly<Record<string, unknown>>;

interface Spec<FLAGS extends Flags, ARGS extends BaseArgs> {
  readonly brief: string;
  readonly parameters: TypedCommandParameters<FLAGS, ARGS, CliContext>;
  act(scope: Scope, flags: FLAGS, ...args: ARGS): Promise<Outcome>;
}

/** One command of the parser, with `act` as its body. */
export function defineCommand<FLAGS extends Flags, ARGS extends BaseArgs>(
  spec: Spec<FLAGS, ARGS>,
): Command<CliContext> {
  return buildCommand<FLAGS, ARGS, CliContext>({
    docs: { brief: spec.brief },
    parameters: spec.parameters,
    async func(flags, ...args) {
      this.leave(await spec.act(this.scope, flags, ...args));
    },
  });
}

/** The flag that every command takes. */
export const JSON_FLAG = {
  json: { kind: "boolean", brief: "Print one JSON document", default: false, withNegated: false },
} as const;

/** A flag that is either there or not. */
export function switchFlag(brief: string) {
  return { kind: "boolean", brief, default: false, withNegated: false } as const;
}

/** A flag with a text that may be left out. */
export function textFlag(brief: string, placeholder: string) {
  return { kind: "parsed", parse: String, brief, placeholder, optional: true } as const;
}

/** Positional arguments, in order. */
export function argument(placeholder: string, brief: string) {
  return { placeholder, brief, parse: String } as const;
}

export function optionalArgument(placeholder: string, brief: string) {
  return { placeholder, brief, parse: String, optional: true } as const;
}
