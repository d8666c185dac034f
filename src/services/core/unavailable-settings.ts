/** Refuses settings that this version does not support: no setting is silently ignored. */
import type { Configuration } from "../../domain/configuration/schema.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { type Refusal, refuse } from "./refusal.ts";

/** Dotted key of each setting that is refused, and whether it is set. Notifications are to come. */
const ASKED: readonly (readonly [string, (values: Configuration) => boolean])[] = [
  ["notify.webhook", ({ notify }) => notify.webhook !== null],
];

/** Null if every setting is supported. */
export function unavailableSetting({
  values,
  sources,
}: Pick<LoadedConfiguration, "values" | "sources">): Refusal | null {
  const found = ASKED.find(([, isAsked]) => isAsked(values));
  if (found === undefined) return null;
  const [key] = found;
  const message = `The setting "${key}" asks for something that this version cannot give.`;
  return refuse("bad_request", "setting_unavailable", message, {
    remedy: `Take "${key}" out of ${sources.get(key) ?? "the configuration"}.`,
    details: { key },
  });
}
