/** Joins settings, and standing answers. */
import { ok } from "neverthrow";
import { configurationJsonSchema } from "../../domain/configuration/schema.ts";
import { listRules, removeRule } from "../conversation/answer-rules.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { effectiveConfiguration } from "../queries/effective-configuration.ts";
import type { ServiceMemory } from "./memory.ts";

export function settingServices(context: ServiceContext, memory: ServiceMemory) {
  return {
    config: (query) => effectiveConfiguration(context, query),
    changeSetting: (change) => memory.changeSetting(context, change),
    configSchema: async () => ok(configurationJsonSchema()),
    answerRules: (repository) => listRules(context, repository),
    removeAnswerRule: (id) => removeRule(context, id),
  } satisfies Partial<Services>;
}
