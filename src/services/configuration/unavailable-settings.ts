/** Refuses settings that ask for something this version cannot give: nothing that is set is silently ignored. */
import type { Configuration } from "../../domain/configuration/schema.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";

/** Dotted key of each setting whose capability is still to come, and whether it is asked for. */
const ASKED: readonly (readonly [string, (values: Configuration) => boolean])[] = [
  ["notify.webhook", ({ notify }) => notify.webhook !== null],
  ["forge.fix_loop.enabled", ({ forge }) => forge.fix_loop.enabled],
  ["forge.webhook_secret_env", ({ forge }) => forge.webhook_secret_env !== null],
  ["forge.delete_remote_branch", ({ forge }) => forge.delete_remote_branch],
];

/** Null where everything that is set can be given. */
export function unavailableSetting(values: Configuration): Refusal | null {
  const found = ASKED.find(([, isAsked]) => isAsked(values));
  if (found === undefined) return null;
  const [key] = found;
  return refuse(
    "bad_request",
    "setting_unavailable",
    `The setting "${key}" asks for something that this version cannot give.`,
    {
      remedy: `Take "${key}" out of the configuration; \`tazuna config\` shows where it is set.`,
      details: { key },
    },
  );
}
