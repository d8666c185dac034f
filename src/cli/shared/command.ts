/** Builds the commands: their input, their outcome, and the declaration of their arguments. */
import { buildCommand, type Command, type CommandContext, type TypedCommandParameters } from "@stricli/core";
import { type Err, type Result, safeTry } from "neverthrow";
import type { CliError, CliOptions, ExitCode } from "./cli-options.ts";
import type { Engine } from "./engine.ts";

/** What is known of a call before its command runs. */
export interface CallScope extends Omit<CliOptions, "version"> {
  /** `--json` was given: stdout takes one document and nothing else. */
  readonly json: boolean;
}

/** What every command works with. */
export interface Scope extends CallScope {
  /** The engine of this data folder. It is found or started when it is first asked. */
  readonly engine: Engine;
}

/** The outcome of a command. It has no text if the command wrote its output itself. */
export interface Done {
  /** 0 if it is absent. */
  readonly exit?: ExitCode;
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
  readonly scope: CallScope;
  leave(outcome: Outcome): void;
}

/** An option as a command declares it; the parser reads the same. */
type FlagDeclaration =
  | { readonly kind: "boolean"; readonly brief: string; readonly default: false; readonly withNegated: false }
  | (Described & { readonly kind: "enum"; readonly values: readonly string[]; readonly optional: true })
  | (Described & {
      readonly kind: "parsed";
      readonly parse: (text: string) => unknown;
      readonly placeholder: string;
      readonly optional?: boolean;
      readonly variadic?: true;
      readonly inferEmpty?: true;
      readonly default?: string | readonly [];
    });

export interface ArgumentDeclaration extends Described {
  readonly placeholder: string;
  readonly parse: (text: string) => unknown;
  readonly optional?: true;
  /** All that it may be; completions offer them. */
  readonly words?: readonly string[];
}

interface Described {
  readonly brief: string;
}

type Flags = Readonly<Record<string, FlagDeclaration>>;

/** What a command gets of its options. */
export type FlagsOf<F extends Flags> = {
  readonly [Name in keyof F as F[Name] extends { optional: true } ? never : Name]: ValueOf<F[Name]>;
} & {
  readonly [Name in keyof F as F[Name] extends { optional: true } ? Name : never]?: ValueOf<F[Name]>;
};

type ValueOf<F> = F extends { kind: "boolean" }
  ? boolean
  : F extends { values: readonly (infer Word)[] }
    ? Word
    : F extends { parse: (text: string) => infer Value }
      ? F extends { variadic: true }
        ? readonly Value[]
        : Value
      : never;

type ArgumentsOf<A extends readonly ArgumentDeclaration[]> = A extends readonly [
  infer First,
  ...infer Rest extends readonly ArgumentDeclaration[],
]
  ? First extends { optional: true }
    ? [ValueOf<First>?, ...ArgumentsOf<Rest>]
    : [ValueOf<First>, ...ArgumentsOf<Rest>]
  : [];

interface Spec<F extends Flags, A extends readonly ArgumentDeclaration[]> {
  readonly brief: string;
  readonly args?: A;
  /** Every command takes `--json` too. */
  readonly flags?: F;
  readonly aliases?: Readonly<Record<string, keyof F & string>>;
  /** A generator ends with the first error that it meets in `yield* await ...`. */
  act(
    scope: Scope,
    flags: FlagsOf<F>,
    ...args: ArgumentsOf<A>
  ): Promise<Outcome> | AsyncGenerator<Err<never, CliError>, Outcome>;
}

/** One command of the parser, with `act` as its body. The types of its options follow from their declaration. */
export function defineCommand<
  const F extends Flags = Record<never, never>,
  const A extends readonly ArgumentDeclaration[] = readonly [],
>({ brief, args, flags, aliases, act }: Spec<F, A>): Command<CliContext> {
  const parameters = {
    positional: { kind: "tuple", parameters: args ?? [] },
    flags: { ...flags, ...JSON_FLAG },
    ...(aliases === undefined ? {} : { aliases }),
  };
  return buildCommand({
    docs: { brief },
    // The parser derives this type from the values; here they are declared first.
    parameters: parameters as unknown as TypedCommandParameters<FlagsOf<F>, ArgumentsOf<A>, CliContext>,
    async func(this: CliContext, given: FlagsOf<F>, ...words: ArgumentsOf<A>) {
      // Loaded here, since help needs no engine.
      const { createEngine } = await import("./engine.ts");
      const engine = createEngine(this.scope, { foreground: false });
      const acted = act({ ...this.scope, engine }, given, ...words);
      this.leave(await (Symbol.asyncIterator in acted ? safeTry(() => acted) : acted));
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
  return parsedFlag(String, brief, placeholder);
}

/** An optional flag with a value. `parse` throws a text that says what is needed. */
export function parsedFlag<Value>(parse: (text: string) => Value, brief: string, placeholder: string) {
  return { kind: "parsed", parse, brief, placeholder, optional: true } as const;
}

/** A flag with a text that may be given several times. */
export function textsFlag(brief: string, placeholder: string) {
  return {
    kind: "parsed",
    parse: String,
    variadic: true,
    optional: false,
    default: [],
    brief,
    placeholder,
  } as const;
}

/** The same; given without a text, it is the empty one. */
export function namesFlag(brief: string, placeholder: string) {
  return { ...textsFlag(brief, placeholder), inferEmpty: true } as const;
}

/** The flags of every command that starts a run. */
export const START_FLAGS = {
  trust: switchFlag("Trust the repository's scripts as they are now"),
  detach: switchFlag("Return at once; it goes on in the background"),
};

/** Positional arguments, in order. */
export function argument(placeholder: string, brief: string) {
  return { placeholder, brief, parse: String } as const;
}

export function optionalArgument(placeholder: string, brief: string) {
  return { placeholder, brief, parse: String, optional: true } as const;
}
