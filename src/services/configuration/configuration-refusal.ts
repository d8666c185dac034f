/** Says in one line what is wrong with a configuration. */
import type { ConfigurationError } from "../../domain/configuration/layers.ts";
import { refuse } from "../refusal.ts";
import type { Refusal } from "../services.ts";

export function configurationRefusal(error: ConfigurationError): Refusal {
  const { source, key, line, message } = error;
  const place = line === undefined ? source : `${source}:${line}`;
  return refuse("bad_request", "bad_configuration", `${place}: ${message}`, {
    remedy: "Mend it; `tazuna config --schema` lists every key.",
    details: { source, key, line: line ?? null },
  });
}
