/** Shows the configuration that holds for a repository, each value with its source. */
import { err, ok, type Result } from "neverthrow";
import { secretValues } from "../../domain/agent/redact.ts";
import { shownValue } from "../../domain/configuration/shown-value.ts";
import type { ConfigValue } from "../core/answer-shapes.ts";
import type { Uses } from "../core/context-parts.ts";
import { configurationRefusal, type Refusal } from "../core/refusal.ts";
import type { SettingsQuery } from "../core/request-shapes.ts";
import { findRepository } from "../repositories/register-repository.ts";

/** Leaves in the order of the schema, without secrets; an agent is one value. */
export async function effectiveConfiguration(
  context: Uses<"db" | "git" | "paths" | "configuration" | "owner">,
  { repository, settings }: SettingsQuery,
): Promise<Result<readonly ConfigValue[], Refusal>> {
  const found = repository === null ? null : await findRepository(context, repository);
  const configuration = await context.configuration(found, settings);
  if (configuration.isErr()) return err(configurationRefusal(configuration.error));
  const { values, sources } = configuration.value;
  const secrets = Object.values(values.agents).flatMap(({ env }) => secretValues(env, { names: [] }));
  return ok(
    leaves(values, "").map(({ key, value }) => ({
      key,
      value: shownValue(value, secrets),
      source: sources.get(key) ?? "default",
    })),
  );
}

function leaves(value: Readonly<Record<string, unknown>>, prefix: string): { key: string; value: unknown }[] {
  return Object.entries(value).flatMap(([name, child]) => {
    const key = prefix === "" ? name : `${prefix}.${name}`;
    const isGroup =
      typeof child === "object" && child !== null && !Array.isArray(child) && prefix !== "agents";
    return isGroup ? leaves(child as Record<string, unknown>, key) : [{ key, value: child }];
  });
}
