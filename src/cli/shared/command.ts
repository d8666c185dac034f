/** Builds the commands: their input, their outcome, and the declaration of their arguments. */
import {
  type BaseArgs,
  buildCommand,
  type Command,
  type CommandContext,
  type TypedCommandParameters,
} from "@stricli/core";
import type { Result } from "neverthrow";
import { nearestWord } from "../../contract/text.ts";
import type { CliError, CliOptions, ExitCode } from "./cli-options.ts";

/** What every command works with. */
export interface Scope extends Omit<CliOptions, "version"> {
  /** `--json` was given: stdout takes one document and nothing else. */
  readonly json: boolean;
}

/** The outcome of a command. It has no text if the command wrote its output itself. */
export interface Done {
  readonly exit: ExitCode;
  /** For `--json`. */
  readonly document?: unknown;
  /**
   * For people, for a width in columns (infinite if there is no terminal). It ends with a newline unless it is empty.
   */
  readonly text?: string | ((columns: number) => string);
}

export type Outcome = Result<Done, CliError>;

/** How a command gets its scope and returns its outcome, since the parser knows neither. */
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

/** A flag without a value. */
export function switchFlag(brief: string) {
  return { kind: "boolean", brief, default: false, withNegated: false } as const;
}

/** An optional flag with a text. */
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

/** An argument that is one of a few words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return (text: string): Word => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const near = nearestWord(text, words);
    const all = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
    throw new Error(`it is ${all}${near === null ? "" : `; did you mean "${near}"?`}`);
  };
}

/** How many items a page of a list has. */
export function limitFlag(brief: string, byDefault: number) {
  return {
    kind: "parsed",
    parse: parseLimit,
    default: String(byDefault),
    brief,
    placeholder: "N",
  } as const;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 200) throw new Error("a number from 1 to 200 is needed");
  return limit;
}
