/** Reads what a failure printed, holds it to the form of a remedy, and types the command that it names. */
import { expect } from "bun:test";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { ask, type TaskEnd } from "../../helpers/journey.ts";
import type { Product } from "../../helpers/product.ts";

const BIN = join(import.meta.dir, "../../../bin");

const LETTERS = createHash("sha256").update("a credential of a test").digest("base64").replace(/[+/=]/g, "");

/** A line of shell that writes a file with a credential. */
export const WRITES_CREDENTIAL = `printf 'const key = "ghp_%s";\\n' ${LETTERS.slice(0, 36)} > config.js`;

/** Words that stand for a value where a value should stand; a person would have to find it out first. */
const PLACEHOLDER =
  /\b(?:RUN|ATTEMPT|TASK|ID|RULE|NAME|TEXT|WHY|INSTRUCTION|CHECK)\b|\{(?!id8\}|slug\})\w+\}|<\w+>/;

/** What is wrong with the words of a remedy. Nothing if it is one or two plain sentences that can be followed. */
export function wrongWords(remedy: string, of: { readonly worktree: boolean }): readonly string[] {
  const outside = remedy.replace(/`[^`]*`/g, "X");
  const sentences = outside.split(/[.!?](?:\s|$)/).filter((part) => part.trim() !== "");
  return [
    ...(PLACEHOLDER.test(remedy) ? ["it has a placeholder"] : []),
    ...(/\babove\b/.test(remedy) ? ["nothing stands above"] : []),
    ...(!of.worktree && /in the worktree/.test(remedy) ? ["there is no worktree"] : []),
    ...(sentences.length > 4 ? [`it has ${sentences.length} sentences`] : []),
    ...(remedy.split("`").length % 2 === 0 ? ["a backtick is left open"] : []),
    ...(/`tazuna /.test(remedy) ? [] : ["it names no command"]),
  ];
}

/** Every command of a text, as a person would type it. */
export function commandsIn(text: string): readonly string[] {
  return [...text.matchAll(/`((?:tazuna|git) [^`]+)`/g)].map(([, command]) => command ?? "");
}

/** Those that go on with the run. */
export const goingOn = (text: string): readonly string[] =>
  commandsIn(text).filter((command) => /^tazuna (?:retry|continue|publish)\b/.test(command));

/** Types a line into a shell in the repository; its exit code and what it printed. */
export async function typed(product: Product, line: string, cwd = product.repository) {
  const env = { ...product.env, PATH: `${BIN}:${product.env.PATH ?? ""}` };
  const child = Bun.spawn(["sh", "-c", line], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  return { code: await child.exited, stdout, stderr };
}

/** What a person reads of a failed run. */
export async function printedRemedy(product: Product, end: TaskEnd): Promise<string> {
  const { stdout } = await product.tazuna(["show", end.document.task.id], { cwd: product.home });
  const remedy = end.run.failure?.remedy ?? "";
  const isPrinted = stdout.includes(remedy);
  const page = await product.tazuna(["show", end.run.id], { cwd: product.home });
  expect({ remedy, inTask: isPrinted, inRun: page.stdout.includes(remedy) }).toEqual({
    remedy,
    inTask: true,
    inRun: true,
  });
  return remedy;
}

/** The attempt's state after a command of the remedy was typed. */
export async function afterTyping(product: Product, end: TaskEnd, command: string) {
  const { code, stdout, stderr } = await typed(product, command);
  const { run } = await ask(product, ["show", end.document.task.id]);
  const said = code === 0 ? "" : `${stdout}\n${stderr}`;
  return { command, code, status: run.status, failure: run.failure?.code ?? null, said };
}
