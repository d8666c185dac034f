/** Builds the commands: their input, their outcome, and the declaration of their arguments. */
import { buildCommand, type Command, type CommandContext, type TypedCommandParameters } from "@stricli/core";
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
  act(scope: Scope, flags: FlagsOf<F>, ...args: ArgumentsOf<A>): Promise<Outcome>;
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
      this.leave(await act(this.scope, given, ...words));
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

/** An argument that is one of a few words; completions offer them. */
export function wordArgument<const Word extends string>(
  placeholder: string,
  brief: string,
  words: readonly Word[],
) {
  const parse = (text: string): Word => {
    const found = words.find((word) => word === text);
    if (found !== undefined) return found;
    const near = nearestWord(text, words);
    const all = `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
    throw new Error(`it is ${all}${near === null ? "" : `; did you mean "${near}"?`}`);
  };
  return { placeholder, brief, parse, words } as const;
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
