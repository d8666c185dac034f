/** Builds the command line: finds the command, runs it, prints its outcome, answers the exit code. */
import type { Cli, CliError, CliOptions, ExitCode } from "./shared/cli-options.ts";
import type { CallScope, Done, Outcome } from "./shared/command.ts";
import { jsonText, printError, textOf } from "./shared/print.ts";

/** Commands and the parser are loaded when one is run: help and version need neither. */
export function createCli(options: CliOptions): Cli {
  const { terminal } = options;
  return {
    async run(argv) {
      const json = wantsJson(argv);
      try {
        const outcome = await dispatch(options, argv, json);
        if (outcome === null) return 0;
        if (outcome.isOk()) return printDone(options, outcome.value, json);
        return fail(options, outcome.error, json);
      } catch (cause) {
        const { unexpectedError } = await import("./shared/cli-error.ts");
        printError(terminal, unexpectedError(cause), { json });
        return 1;
      }
    },
  };
}

/** Null if everything was printed already. */
async function dispatch(
  options: CliOptions,
  argv: readonly string[],
  json: boolean,
): Promise<Outcome | null> {
  const { terminal, version } = options;
  const [first = "serve"] = argv;
  if (first === "--version" || first === "-v") {
    terminal.stdout.write(json ? jsonText({ version }) : `${version}\n`);
    return null;
  }
  const words = first === "help" ? [...argv.slice(1), "--help"] : argv;
  if (words[0] === "--help" || words[0] === "-h") return printHelp(options, null, json);
  const { VERBS } = await import("./verbs.ts");
  const chosen = choose(words, Object.keys(VERBS));
  const verb = chosen.name === null ? undefined : VERBS[chosen.name];
  if (chosen.name !== null && verb !== undefined) {
    const { parseAndRun } = await import("./parse-and-run.ts");
    const { interruptGraceMs } = options;
    const scope: CallScope = {
      connect: (how) => options.connect(how),
      entries: options.entries,
      terminal,
      environment: options.environment,
      json,
      ...(interruptGraceMs === undefined ? {} : { interruptGraceMs }),
    };
    return parseAndRun({
      command: await verb.load(),
      name: `tazuna ${chosen.name}`,
      words: chosen.rest,
      scope,
    });
  }
  if (chosen.group !== null && asksHelp(chosen.rest)) return printHelp(options, chosen.group, json);
  return unknown(chosen, Object.keys(VERBS));
}

interface Chosen {
  /** The command's name, or null if there is none of that name. */
  readonly name: string | null;
  readonly group: string | null;
  readonly rest: readonly string[];
}

/** `tazuna` alone serves, `tazuna repo` alone lists. */
function choose(words: readonly string[], names: readonly string[]): Chosen {
  const [first] = words;
  if (first === undefined || first.startsWith("-")) return { name: "serve", group: null, rest: words };
  if (names.includes(first) && !first.includes(" "))
    return { name: first, group: null, rest: words.slice(1) };
  if (!names.some((name) => name.startsWith(`${first} `))) return { name: null, group: null, rest: words };
  const [, second] = words;
  const rest = words.slice(1);
  if (asksHelp(rest.slice(0, 1))) return { name: null, group: first, rest };
  if (second === undefined || second.startsWith("-")) return { name: `${first} list`, group: first, rest };
  const name = `${first} ${second}`;
  return names.includes(name)
    ? { name, group: first, rest: words.slice(2) }
    : { name: null, group: first, rest };
}

async function unknown({ group, rest }: Chosen, names: readonly string[]): Promise<Outcome> {
  const { err } = await import("neverthrow");
  const { unknownCommand } = await import("./shared/usage-error.ts");
  const known =
    group === null
      ? [...new Set(names.map((name) => name.split(" ")[0] ?? name))]
      : names.filter((name) => name.startsWith(`${group} `)).map((name) => name.slice(group.length + 1));
  return err(unknownCommand(rest[0] ?? "", known, group === null ? "tazuna" : `tazuna ${group}`));
}

async function printHelp({ terminal }: CliOptions, group: string | null, json: boolean): Promise<null> {
  const { helpText } = await import("./root-help.ts");
  const help = helpText(group);
  terminal.stdout.write(json ? jsonText({ help }) : help);
  return null;
}

function printDone({ terminal }: CliOptions, done: Done, json: boolean): ExitCode {
  if (json && done.document !== undefined) terminal.stdout.write(jsonText(done.document));
  const columns = terminal.stdout.isTerminal ? terminal.stdout.size().columns : Number.POSITIVE_INFINITY;
  if (!json) terminal.stdout.write(textOf(done, columns));
  return done.exit ?? 0;
}

function fail({ terminal }: CliOptions, error: CliError, json: boolean): ExitCode {
  printError(terminal, error, { json });
  return error.exit;
}

/** Asked before the words are parsed, since a parse error has to be JSON too. */
function wantsJson(argv: readonly string[]): boolean {
  const rest = argv.indexOf("--");
  return (rest < 0 ? argv : argv.slice(0, rest)).includes("--json");
}

function asksHelp(words: readonly string[]): boolean {
  return words.some((word) => word === "--help" || word === "-h");
}
