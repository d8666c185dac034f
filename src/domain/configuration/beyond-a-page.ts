/** Tells in words what a change of the user's own settings would run, reach or loosen: a web page may not do that. */
import { loosened } from "./loosened.ts";
import type { Configuration } from "./schema.ts";

export function beyondAPage(after: Configuration, before: Configuration): readonly string[] {
  const changed = Object.entries(WHAT_RUNS_OR_REACHES)
    .filter(([, read]) => JSON.stringify(read(after)) !== JSON.stringify(read(before)))
    .map(([key]) => key);
  return [...changed, ...loosened(after, before)];
}

/** Programs that would run, and addresses that would be told something. */
const WHAT_RUNS_OR_REACHES: Readonly<Record<string, (values: Configuration) => unknown>> = {
  setup: ({ setup }) => setup,
  checks: ({ checks }) => checks,
  copy: ({ copy }) => copy,
  agents: ({ agents }) =>
    Object.entries(agents).map(([name, { model: _, ...runs }]) => [name, runs] as const),
  "forge.api_url": ({ forge }) => forge.api_url,
  terminal: ({ terminal }) => terminal,
  "notify.webhook": ({ notify }) => notify,
};
