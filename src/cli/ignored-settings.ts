/** Says which variables of this shell the engine does not follow, since it runs already and they hold for all of it. */
import type { ConfigValue } from "../contract/answers.ts";
import { shownValue } from "../contract/shown-value.ts";
import type { Scope } from "./command.ts";
import type { Engine } from "./engine.ts";

/** One line on stderr where there is anything to say; without such variables nothing is asked. */
export async function tellIgnoredSettings(
  { environment, terminal }: Pick<Scope, "environment" | "terminal">,
  engine: Engine,
  repository: string | null,
): Promise<void> {
  if (environment.engine.length === 0) return;
  const list = await engine.ask((client) => client.config({ repository, settings: {} }));
  // What the engine has to say about it is heard again from what is asked next.
  if (list.isErr()) return;
  const ignored = environment.engine.filter(({ key, text }) => !holds(list.value.items, key, text));
  if (ignored.length === 0) return;
  const names = ignored.map(({ variable }) => variable).join(", ");
  terminal.stderr.write(
    `Not followed: ${names} (the engine that runs already has other values; its next start, or config.json in the data folder, changes them).\n`,
  );
}

/** Whether the engine has what the variable says. */
function holds(items: readonly ConfigValue[], key: string, text: string): boolean {
  const value = items.find((item) => item.key === key)?.value ?? null;
  if (typeof value === "number") return Number(text) === value;
  if (typeof value === "boolean") return (value ? ["true", "1"] : ["false", "0"]).includes(text);
  // The engine shows an address without the password in it.
  return value === shownValue(text, []);
}
