/** Turns what is wrong with a configuration into findings. */
import type { ConfigurationError } from "../../domain/configuration/layers.ts";
import { type Finding, makeFinding, sentence } from "../../domain/doctor/finding.ts";
import { configurationRefusal } from "../core/refusal.ts";

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
