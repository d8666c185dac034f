/** Turns what is wrong with a configuration into findings. */
import type { ConfigurationError } from "../../domain/configuration/layers.ts";
import { type Finding, makeFinding, sentence } from "../../domain/doctor/finding.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { configurationRefusal } from "../core/refusal.ts";
import { unavailableSetting } from "../core/unavailable-settings.ts";

/** Every repository that reads the file finds the same error: one id for all. */
export function configurationFinding(error: ConfigurationError): Finding {
  const { message, remedy } = configurationRefusal(error);
  const { source } = error;
  return makeFinding("error", `configuration:${source}:${error.key}`, sentence(message), {
    why: "Every command that needs it is refused.",
    path: source.startsWith("/") ? source : null,
    remedy,
  });
}

export function unavailableFinding(configuration: LoadedConfiguration, path: string): readonly Finding[] {
  const refused = unavailableSetting(configuration);
  if (refused === null) return [];
  const { message, remedy } = refused;
  return [makeFinding("error", `setting:${path}`, message, { why: "Every run is refused.", remedy })];
}
