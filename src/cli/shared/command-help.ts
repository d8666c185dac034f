/** Writes the help of one command from its declaration: usage, arguments and options, in 80 columns. */
import type { Command } from "@stricli/core";
import { wrapToColumns } from "../../contract/columns.ts";
import type { CliContext } from "./command.ts";

const COLUMNS = 80;

/** What the parser keeps of an argument or an option; each kind has some of these. */
interface Declared {
  readonly brief: string;
  readonly kind?: string;
  readonly placeholder?: string;
  readonly optional?: boolean;
  readonly variadic?: boolean;
  readonly default?: unknown;
  readonly values?: readonly string[];
}

export function commandHelp(command: Command<CliContext>, name: string): string {
  const args = argumentsOf(command);
  const options: (readonly [string, string])[] = Object.entries(command.parameters.flags ?? {}).map(
    ([flag, declared]) => optionRow(flag, declared as Declared),
  );
  const words = args.map(({ placeholder = "ARGUMENT", optional }) =>
    optional === true ? `[${placeholder}]` : placeholder,
  );
  return [
    ["Usage:", name, ...words, "[OPTIONS]"].join(" "),
    "",
    ...wrapToColumns(command.brief, COLUMNS),
    ...section(
      "Arguments",
      args.map(({ placeholder = "ARGUMENT", brief }) => [placeholder, brief]),
    ),
    ...section("Options", [...options, ["--help", "Show this help"]]),
    "",
  ].join("\n");
}

function argumentsOf(command: Command<CliContext>): readonly Declared[] {
  const { positional } = command.parameters;
  if (positional === undefined) return [];
  return positional.kind === "tuple" ? positional.parameters : [positional.parameter];
}

function optionRow(flag: string, declared: Declared): readonly [string, string] {
  const { kind, placeholder, values, variadic, brief } = declared;
  const value = kind === "boolean" ? "" : ` ${values?.join("|") ?? placeholder ?? "VALUE"}`;
  const more = variadic === true ? "..." : "";
  const usual = typeof declared.default === "string" ? ` (default: ${declared.default})` : "";
  return [`${optionName(flag)}${value}${more}`, `${brief}${usual}`];
}

/** `--merge-base` for `mergeBase`. */
export function optionName(flag: string): string {
  return `--${flag.replace(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}`;
}

/** A text that does not fit beside its name goes on below itself. */
function section(title: string, rows: readonly (readonly [string, string])[]): string[] {
  if (rows.length === 0) return [];
  const width = Math.max(...rows.map(([left]) => left.length));
  const lines = rows.flatMap(([left, text]) =>
    wrapToColumns(text, COLUMNS - width - 4).map(
      (line, index) => `  ${(index === 0 ? left : "").padEnd(width)}  ${line}`,
    ),
  );
  return ["", title, ...lines];
}
