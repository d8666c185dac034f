/** Names the variables of this shell that a running engine does not follow, since they hold for a whole engine. */
import type { ConfigValue } from "../../contract/endpoints/repositories.ts";
import { shownValue } from "../../contract/words/shown-value.ts";
import type { Scope } from "./command.ts";

/** Prints one line on stderr if there are any; without such variables nothing is asked. */
export async function tellIgnoredSettings(
  { engine, environment, terminal }: Pick<Scope, "engine" | "environment" | "terminal">,
  repository: string | null,
): Promise<void> {
  if (environment.engine.length === 0) return;
  const list = await engine.ask((client) => client.config({ repository, settings: {} }));
  // The next request reports the engine's error.
  if (list.isErr()) return;
  const ignored = environment.engine.filter(({ key, text }) => !holds(list.value.items, key, text));
  if (ignored.length === 0) return;
  const names = ignored.map(({ variable }) => variable).join(", ");
  terminal.stderr.write(
    `Not followed: ${names} (the engine that runs already has other values). The next start of the engine changes them, or config.json in the data folder.\n`,
  );
}

/** Whether the engine has the variable's value. */
function holds(items: readonly ConfigValue[], key: string, text: string): boolean {
  const value = items.find((item) => item.key === key)?.value ?? null;
  if (typeof value === "number") return Number(text) === value;
  if (typeof value === "boolean") return (value ? ["true", "1"] : ["false", "0"]).includes(text);
  // The engine shows an address without its password.
  return value === shownValue(text, []);
}
