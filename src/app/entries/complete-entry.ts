/** Answers a shell that completes a command line: quickly, and without starting an engine. */
import type { Result } from "neverthrow";
import { type Completion, complete } from "../../cli/complete.ts";
import type { Completable } from "../../cli/shared/cli-options.ts";
import { cleanLine } from "../../contract/text.ts";
import { configurationSchema } from "../../domain/configuration/schema.ts";
import { createExecutors } from "../../executors/registry.ts";
import { loadConfiguration } from "../../services/configuration/load-configuration.ts";
import { dataPaths } from "../../services/core/data-paths.ts";
import { clientOf, livingServer } from "../find-engine/living-server.ts";
import { readSettings, type Settings, stayOffProxies } from "../process/settings.ts";

/** A person waits at the keyboard. */
const TIMEOUT_MS = 2_000;
/** Items of one page of the API. */
const MAX_COUNT = 200;

/** `words` follow `tazuna`. It prints one candidate a line, with its description behind a tab. */
export async function runCompleteEntry(words: readonly string[]): Promise<number> {
  const settings = readSettings();
  stayOffProxies();
  const late = new Promise<readonly Completion[]>((resolve) => setTimeout(resolve, TIMEOUT_MS, []).unref());
  const known = (what: Completable) =>
    Promise.race([knownOf(settings, what, words.at(-1) ?? "").catch(() => []), late]);
  const found = await complete(words, known);
  const lines = found.map(({ word, about }) => `${cleanLine(word)}\t${cleanLine(about)}\n`);
  await Bun.write(Bun.stdout, lines.join(""));
  return 0;
}

/** If no beginning is typed, the newest are enough. Else all are looked at; branches are ids too. */
async function knownOf(settings: Settings, what: Completable, typed: string): Promise<readonly Completion[]> {
  if (what === "keys") return keysOf(configurationSchema.parse({}), "");
  if (what === "agents") return agentsOf(settings);
  const server = await livingServer(settings);
  if (server === null) return [];
  const client = clientOf(server, { version: settings.version });
  if (what === "repositories") {
    const list = (await client.repositories()).map(({ items }) => items).unwrapOr([]);
    return list.map(({ name, path }) => ({ word: name, about: path }));
  }
  const named = (id: string, about: string) => ({ word: id.slice(0, 8), about });
  const all = typed !== "";
  if (what === "tasks")
    return (await pages(all, (page) => client.tasks({ ...page, all: false }))).map(({ id, title }) =>
      named(id, title),
    );
  if (what === "runs")
    return (await pages(all, client.runs)).map(({ id, instruction }) => named(id, instruction.slice(0, 60)));
  const attempts = await pages(all, client.attempts);
  return attempts.flatMap(({ id, agent, branch }) => [
    named(id, `${agent} ${branch}`),
    ...(all ? [{ word: branch, about: agent }] : []),
  ]);
}

type Page<T> = Result<{ readonly items: readonly T[]; readonly next: string | null }, unknown>;

/** The items of the first page, or of all of them. */
async function pages<T>(
  all: boolean,
  ask: (page: { readonly cursor: string | null; readonly limit: number }) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let cursor: string | null = null; ; ) {
    const page: Page<T> = await ask({ cursor, limit: MAX_COUNT });
    if (page.isErr()) return found;
    found.push(...page.value.items);
    cursor = page.value.next;
    if (!all || cursor === null) return found;
  }
}

async function agentsOf({ home, env, selfCommand }: Settings): Promise<readonly Completion[]> {
  const builtIn = createExecutors({ selfCommand }).all.filter((executor) => executor.builtIn);
  const sources = { homeFile: dataPaths(home).config, env };
  const loaded = await loadConfiguration(sources, process.cwd());
  const configured = loaded.map(({ values }) => Object.entries(values.agents)).unwrapOr([]);
  return [
    ...configured.map(([id, { executor }]) => ({ word: id, about: executor })),
    ...builtIn.map(({ id, label }) => ({ word: id, about: label })),
  ];
}

function keysOf(values: object, prefix: string): readonly Completion[] {
  return Object.entries(values).flatMap(([key, value]: [string, unknown]) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    const inner = isObject ? keysOf(value, `${prefix}${key}.`) : [];
    return inner.length > 0 ? inner : [{ word: `${prefix}${key}`, about: "" }];
  });
}
