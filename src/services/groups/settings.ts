/** Joins settings, standing answers, and access tokens. */
import { ok } from "neverthrow";
import { configurationJsonSchema } from "../../domain/configuration/schema.ts";
import { listTokens, makeToken, recognizeToken, removeToken } from "../access/access-tokens.ts";
import { listRules, removeRule } from "../conversation/answer-rules.ts";
import type { ServiceContext } from "../core/context.ts";
import type { Services } from "../core/services.ts";
import { effectiveConfiguration } from "../queries/effective-configuration.ts";
import { createSettingChanger } from "../settings/change-setting.ts";

export function settingServices(context: ServiceContext) {
  return {
    config: (query) => effectiveConfiguration(context, query),
    changeSetting: createSettingChanger(context),
    configSchema: async () => ok(configurationJsonSchema()),
    accessTokens: () => listTokens(context),
    addAccessToken: (wanted) => makeToken(context, wanted),
    removeAccessToken: (named) => removeToken(context, named),
    recognizeToken: (text) => recognizeToken(context, text),
    answerRules: (repository) => listRules(context, repository),
    removeAnswerRule: (id) => removeRule(context, id),
  } satisfies Partial<Services>;
}
