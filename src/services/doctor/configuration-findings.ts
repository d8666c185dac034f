/** Turns what is wrong with a configuration into findings. */
import type { ConfigurationError } from "../../domain/configuration/layers.ts";
import type { Finding } from "../../domain/doctor/finding.ts";
import { found, sentence } from "../../domain/doctor/found.ts";
import { configurationRefusal } from "../configuration/configuration-refusal.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import { unavailableSetting } from "../configuration/unavailable-settings.ts";

/** The same error is found by every repository below which the file lies: one id for all. */
export function configurationFinding(error: ConfigurationError): Finding {
  const { message, remedy } = configurationRefusal(error);
  const { source } = error;
  return found("error", `configuration:${source}:${error.key}`, sentence(message), {
    why: "Every command that needs it is refused.",
    path: source.startsWith("/") ? source : null,
    remedy,
  });
}

export function unavailableFinding({ values }: LoadedConfiguration, path: string): readonly Finding[] {
  const refused = unavailableSetting(values);
  if (refused === null) return [];
  const { message, remedy } = refused;
  return [
    found("error", `setting:${path}`, message, {
      why: "Every run is refused.",
      remedy,
    }),
  ];
}
