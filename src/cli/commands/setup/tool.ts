/** Calls one tool of the toolkit as an agent would, and prints its answer. */
import { err, ok, type Result } from "neverthrow";
import { cleanLine } from "../../../contract/text.ts";
import { badUsage } from "../../shared/cli-error.ts";
import type { CliError, ToolEnvelope } from "../../shared/cli-options.ts";
import { defineCommand, type Outcome, optionalArgument, type Scope } from "../../shared/command.ts";
import { jsonText } from "../../shared/print.ts";
import { TOOL_RULE_FLAGS, toolRuleOptions } from "../../shared/tool-flags.ts";

/** Bytes of the arguments: as much as one message over MCP. */
const MAX_BYTES = 10 * 1024 * 1024;

export const toolCommand = defineCommand({
  brief: "Call one tool of the toolkit, as an agent would; without a name list them",
  args: [
    optionalArgument("NAME", "The tool"),
    optionalArgument("JSON", "Its arguments; - reads them from standard input, none is {}"),
  ],
  flags: { ...TOOL_RULE_FLAGS },
  async *act(scope, flags, name, json) {
    if (name === undefined) return list(scope);
    const args = yield* await readArguments(scope, json);
    return call(scope, { ...toolRuleOptions(flags, scope.terminal), name, args });
  },
});

async function list({ entries }: Scope): Promise<Outcome> {
  const tools = await entries.tools();
  const width = Math.max(...tools.map(({ name }) => name.length));
  const text = tools.map(({ name, description }) => `${name.padEnd(width)}  ${cleanLine(description)}\n`);
  return ok({ document: { tools }, text: text.join("") });
}

async function readArguments(
  { terminal }: Scope,
  given: string | undefined,
): Promise<Result<unknown, CliError>> {
  const text = given === "-" ? await readStdin(terminal) : ok(given ?? "{}");
  if (text.isErr()) return err(text.error);
  try {
    return ok(JSON.parse(text.value));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return err(badUsage(`The arguments are not JSON: ${reason}.`, "Give one JSON object, such as '{}'."));
  }
}

async function readStdin(terminal: Scope["terminal"]): Promise<Result<string, CliError>> {
  const read = await terminal.readInput("stdin", MAX_BYTES);
  if (read.isErr()) return err(badUsage(`Standard input cannot be read: ${read.error}.`, "Give the JSON."));
  if (read.value.byteLength > MAX_BYTES)
    return err(badUsage("The arguments are larger than 10 MiB.", "Give less."));
  try {
    return ok(new TextDecoder("utf-8", { fatal: true }).decode(read.value));
  } catch {
    return err(badUsage("Standard input is not text in UTF-8.", "Give the arguments as JSON in UTF-8."));
  }
}

async function call(
  { entries, terminal, json }: Scope,
  options: Omit<Parameters<Scope["entries"]["tool"]>[0], "signal" | "onAnswer">,
): Promise<Outcome> {
  const stop = new AbortController();
  const stopListening = terminal.onInterrupt(() => stop.abort());
  let failed = false;
  try {
    const called = await entries.tool({
      ...options,
      signal: stop.signal,
      onAnswer: (envelope, { services }) => {
        failed = envelope.status !== "success";
        if (json) terminal.stdout.write(jsonText(envelope));
        else print(terminal, envelope);
        if (services > 0) terminal.stderr.write(staying(services));
      },
    });
    if (called.isErr()) return err(called.error);
  } finally {
    stopListening();
  }
  if (stop.signal.aborted) return ok({ exit: 130 });
  return ok({ exit: failed ? 1 : 0 });
}

function staying(services: number): string {
  const [what, them] =
    services === 1 ? ["The service belongs", "it"] : [`${services} services belong`, "them"];
  return `tazuna: ${what} to this command, which stays until the end of ${them}; Ctrl-C stops ${them}.\n`;
}

/** A command's own output goes to the stream that it wrote to; any other answer is JSON. */
function print({ stdout, stderr }: Scope["terminal"], envelope: ToolEnvelope): void {
  if (envelope.status !== "success") {
    const { code, message } = envelope.error;
    stderr.write(`tazuna: ${code}: ${cleanLine(message)}\n`);
    return;
  }
  const { data } = envelope;
  if (!isCommandOutput(data)) {
    stdout.write(jsonText(data));
    return;
  }
  stdout.write(data.stdout);
  stderr.write(data.stderr);
  if (data.timed_out) stderr.write("tazuna: The time was over; the command was stopped.\n");
  else if (data.exit_code !== 0)
    stderr.write(`tazuna: The command ended with exit code ${data.exit_code}.\n`);
}

interface CommandOutput {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit_code: number;
  readonly timed_out: boolean;
}

function isCommandOutput(data: unknown): data is CommandOutput {
  const { stdout, stderr, exit_code, timed_out } = (data ?? {}) as Partial<CommandOutput>;
  const isText = typeof stdout === "string" && typeof stderr === "string";
  return isText && typeof exit_code === "number" && typeof timed_out === "boolean";
}
