/** Reads the instruction from the command line, a file or standard input, and refuses texts that are too long. */
import { err, ok, type Result } from "neverthrow";
import { MAX_BODY_BYTES } from "../../contract/limits.ts";
import { badUsage } from "./cli-error.ts";
import type { CliError } from "./cli-options.ts";
import type { Terminal } from "./terminal.ts";

/** The value of `--file` for standard input. */
const STDIN = "-";
const REMEDY = "Write what is to be done, in quotes, or name a file with `--file`.";

export async function readInstruction(
  terminal: Pick<Terminal, "absolute" | "readInput">,
  given: { readonly words: string | undefined; readonly file: string | undefined },
): Promise<Result<string, CliError>> {
  const { words, file } = given;
  if (file !== undefined && words !== undefined)
    return err(badUsage("INSTRUCTION and --file exclude each other.", "Leave out one of them."));
  if (file !== undefined) return readFrom(terminal, file);
  return words === undefined || words.trim() === ""
    ? err(badUsage("The instruction is missing.", REMEDY))
    : ok(words);
}

async function readFrom(
  terminal: Pick<Terminal, "absolute" | "readInput">,
  file: string,
): Promise<Result<string, CliError>> {
  const what = file === STDIN ? "Standard input" : `The file ${file}`;
  const source = file === STDIN ? "stdin" : { file: terminal.absolute(file) };
  const read = await terminal.readInput(source, MAX_BODY_BYTES);
  if (read.isErr())
    return err(badUsage(`${what} cannot be read: ${read.error}.`, "Check what is given with --file."));
  if (read.value.byteLength > MAX_BODY_BYTES) return err(tooLarge(["the instruction"]));
  const text = decode(read.value);
  if (text === null)
    return err(
      badUsage(`${what} is not text in UTF-8.`, "Give the instruction as plain text, encoded in UTF-8."),
    );
  return text.trim() === ""
    ? err(badUsage(`${what} is empty.`, "It has to say what is to be done."))
    : ok(text);
}

/** Null if the bytes are not text: not UTF-8, or with a NUL. */
function decode(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}

/**
 * The error if the engine would refuse the request for its size, else null. `texts`: its long parts, as a person
 * knows them.
 */
export function refuseTooLarge(
  request: unknown,
  texts: Readonly<Record<string, string | null | undefined>>,
): CliError | null {
  if (bytesAsSent(request) <= MAX_BODY_BYTES) return null;
  const given = Object.entries(texts).flatMap(([name, text]) => (text ? [[name, text] as const] : []));
  const long = given.find(([, text]) => bytesAsSent(text) > MAX_BODY_BYTES);
  if (long === undefined) return tooLarge(given.map(([name]) => name));
  const [name, text] = long;
  return tooLarge([name], Buffer.byteLength(text) > MAX_BODY_BYTES);
}

/** `whole`: the text itself is too long, not only its JSON form. */
function tooLarge(names: readonly string[], whole = true): CliError {
  const [first = "", ...others] = names;
  const all = [`${first.charAt(0).toUpperCase()}${first.slice(1)}`, ...others].join(" and ");
  const why = whole ? "" : " as it is sent, where quotes and line ends count twice";
  return badUsage(
    `${all} ${others.length === 0 ? "is" : "are together"} larger than 1 MiB${why}.`,
    "Put long material into a file of the repository and name it in the instruction.",
  );
}

function bytesAsSent(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
