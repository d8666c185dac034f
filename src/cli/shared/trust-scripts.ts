/** Shows the scripts that a repository would run, and asks the person for permission. */
import { err, ok, type Result } from "neverthrow";
import type { ScriptDocument } from "../../contract/endpoints/repositories.ts";
import { cleanText } from "../../contract/text.ts";
import type { CliError } from "./cli-options.ts";
import type { Scope } from "./command.ts";
import type { Engine } from "./engine.ts";
import type { Terminal } from "./terminal.ts";

interface TrustOptions {
  readonly scope: Pick<Scope, "engine" | "terminal">;
  /** Id or path of the repository that the scripts belong to; asked only when it is needed. */
  readonly repository: string;
  /** `--trust`: do not ask. */
  readonly trust: boolean;
}

/** Ctrl-C at the question. */
export const INTERRUPTED: CliError = {
  exit: 130,
  code: "interrupted",
  message: "Interrupted.",
  remedy: "Nothing was trusted and nothing was run.",
  details: {},
};

/** Makes the call. If it is refused for untrusted scripts, asks (or takes `--trust`) and makes it once more. */
export async function withTrust<T>(
  options: TrustOptions,
  call: () => Promise<Result<T, CliError>>,
): Promise<Result<T, CliError>> {
  const first = await call();
  if (first.isOk() || first.error.code !== "scripts_not_trusted") return first;
  const scripts = await untrusted(options, first.error);
  if (scripts.isErr()) return err(scripts.error);
  const answer = options.trust ? "yes" : await askForTrust(options.scope.terminal, scripts.value);
  if (answer === "interrupted") return err(INTERRUPTED);
  if (answer === "no") return first;
  const saved = await trustThese(options.scope.engine, options.repository, scripts.value);
  return saved.isErr() ? err(saved.error) : call();
}

/** The person's answer to these texts; no if there is no way to ask. */
export async function askForTrust(
  terminal: Terminal,
  scripts: readonly ScriptDocument[],
): Promise<"yes" | "no" | "interrupted"> {
  if (terminal.prompt === null) return "no";
  terminal.stderr.write(`This repository would run:\n\n${scriptsText(scripts)}\n`);
  const { confirm, isCancel } = await import("@clack/prompts");
  const message = "Trust these scripts? You are asked again when they change.";
  const answer = await confirm({ ...terminal.prompt, message, initialValue: false });
  if (isCancel(answer)) return "interrupted";
  return answer ? "yes" : "no";
}

/** Trusts exactly the texts that were shown. */
export async function trustThese(
  engine: Engine,
  repository: string,
  scripts: readonly ScriptDocument[],
): Promise<Result<readonly ScriptDocument[], CliError>> {
  const hashes = scripts.map((script) => script.hash);
  const saved = await engine.ask((client) => client.trust({ repository, hashes }));
  return saved.map((list) => list.items);
}

/** Each script's whole text, indented. */
export function scriptsText(scripts: readonly ScriptDocument[]): string {
  return scripts.map(({ text }) => `${cleanText(text).trimEnd().replace(/^/gm, "    ")}\n`).join("");
}

/** The scripts that the refusal names, else every untrusted one. */
async function untrusted(
  { scope, repository }: TrustOptions,
  refusal: CliError,
): Promise<Result<readonly ScriptDocument[], CliError>> {
  const named = refusal.details.scripts;
  if (Array.isArray(named) && named.length > 0 && named.every(isScript)) return ok(named);
  const list = await scope.engine.ask((client) => client.scripts({ repository }));
  return list.map(({ items }) => items.filter((script) => !script.trusted));
}

function isScript(value: unknown): value is ScriptDocument {
  return (
    typeof value === "object" &&
    value !== null &&
    "hash" in value &&
    "text" in value &&
    typeof value.text === "string"
  );
}
