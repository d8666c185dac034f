/** Looks for secrets in files, in the command lines of processes, and in what the product answers. */
import { chmod, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Product } from "./product.ts";

/** By a name for people. */
export type Needles = Readonly<Record<string, string>>;

/** `NAME in PATH` for each file below `root` that holds a needle, its name included; links are not followed. */
export async function searchFiles(root: string, needles: Needles): Promise<readonly string[]> {
  const found: string[] = [];
  for (const path of await filesBelow(root)) {
    const bytes = Buffer.concat([Buffer.from(path), await readFile(path).catch(() => Buffer.alloc(0))]);
    for (const [name, needle] of Object.entries(needles))
      if (bytes.includes(needle)) found.push(`${name} in ${path}`);
  }
  return found;
}

async function filesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Enough for the program that a long command line begins with. */
const WORDS_BEFORE = 400;

/** `NAME in WHERE: the text around it` for each needle in a text. */
export function searchText(where: string, text: string, needles: Needles): readonly string[] {
  return Object.entries(needles).flatMap(([name, needle]) => {
    const at = text.indexOf(needle);
    return at < 0
      ? []
      : [`${name} in ${where}: ${text.slice(Math.max(0, at - WORDS_BEFORE), at + needle.length + 20)}`];
  });
}

export interface CommandLines extends AsyncDisposable {
  /** Every command line that was seen so far. */
  readonly seen: ReadonlySet<string>;
}

/** Reads the command line of every process again and again; what lives for less than some milliseconds may be missed. */
export function watchCommandLines(): CommandLines {
  const seen = new Set<string>();
  let over = false;
  const watching = (async () => {
    while (!over) {
      const pids = (await readdir("/proc").catch(() => [])).filter((name) => /^\d+$/.test(name));
      for (const pid of pids) {
        const line = await readFile(`/proc/${pid}/cmdline`, "latin1").catch(() => "");
        if (line !== "") seen.add(line.replaceAll("\0", " "));
      }
      await delay(5);
    }
  })();
  return {
    seen,
    [Symbol.asyncDispose]: async () => {
      over = true;
      await watching;
    },
  };
}

/** A folder for the front of the PATH, whose git writes its arguments down before it is git. */
export async function recordingGit(folder: string): Promise<{ readonly bin: string; readonly log: string }> {
  const [bin, log] = [join(folder, "recording-bin"), join(folder, "git-arguments.log")];
  await mkdir(bin, { recursive: true });
  await writeFile(
    join(bin, "git"),
    `#!/bin/sh\nprintf '%s\\n' "$*" >> '${log}'\nexec '${Bun.which("git")}' "$@"\n`,
  );
  await chmod(join(bin, "git"), 0o755);
  return { bin, log };
}

/** All that the command line and the server answer about everything they know, by what was asked. */
export async function allAnswers(product: Product): Promise<Readonly<Record<string, string>>> {
  const answers: Record<string, string> = {};
  const say = async (...args: string[]) => {
    const { stdout, stderr } = await product.tazuna(args);
    answers[`tazuna ${args.join(" ")}`] = stdout + stderr;
    return stdout;
  };
  const runs: string[] = [];
  const listed = JSON.parse(await say("list", "--all", "--json")) as { tasks: { id: string }[] };
  for (const { id } of listed.tasks) {
    const task = JSON.parse(await say("show", id, "--json")) as {
      attempts: { id: string; runs: { id: string }[] }[];
    };
    await say("show", id);
    for (const attempt of task.attempts) {
      await say("diff", attempt.id);
      await say("activity", attempt.id, "--json");
      for (const run of attempt.runs) await say("logs", run.id);
      for (const run of attempt.runs) await say("logs", run.id, "--json");
      runs.push(...attempt.runs.map(({ id }) => id));
    }
  }
  for (const words of [
    ["activity"],
    ["list"],
    ["trash"],
    ["agents"],
    ["repo"],
    ["config"],
    ["doctor"],
    ["clean"],
  ])
    await say(...words);
  const { url, token } = JSON.parse(await readFile(join(product.home, "server.json"), "utf8"));
  const here = `repository=${encodeURIComponent(product.repository)}`;
  const paths = [
    ...["tasks", "attempts", "runs", "operations", "repositories", "trash", "events?after=0"],
    ...["agents", "config", "scripts", "doctor"].map((path) => `${path}?${here}`),
    ...runs.map((id) => `runs/${id}/events`),
  ];
  for (const path of paths) answers[path] = await bodyOf(`${url}/api/v1/${path}`, token);
  return answers;
}

/** A stream is read until it says nothing for a moment. */
async function bodyOf(url: string, token: string): Promise<string> {
  const response = await fetch(url, { headers: { Authorization: `Bearer ${token}` } });
  const reader = response.body?.getReader();
  let text = "";
  for (;;) {
    const next = await Promise.race([reader?.read(), delay(500, null)]);
    if (next === null || next === undefined || next.done) break;
    text += new TextDecoder().decode(next.value);
  }
  await reader?.cancel().catch(() => {});
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text}`);
  return text;
}

/** Messages and names of everything that a repository has. */
export async function wordsOfGit(product: Product, repository: string): Promise<string> {
  const git = (...args: string[]) => product.sandbox.git(repository, args).catch(() => "");
  return [
    await git("log", "--all", "--format=%an %ae %B"),
    await git("for-each-ref"),
    await git("reflog", "--all"),
  ].join("\n");
}
