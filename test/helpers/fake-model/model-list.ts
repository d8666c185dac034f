/** Lists models in one document that the readers of all four formats understand. */
import type { JsonRecord } from "./json.ts";

/** OpenAI and Anthropic read `data`, Gemini reads `models`. */
export function modelList(ids: readonly string[]): JsonRecord {
  return {
    object: "list",
    data: ids.map((id) => ({
      id,
      object: "model",
      type: "model",
      display_name: id,
      created: 1_700_000_000,
      created_at: "2023-11-14T22:13:20Z",
      owned_by: "script",
    })),
    has_more: false,
    first_id: ids[0] ?? null,
    last_id: ids.at(-1) ?? null,
    models: ids.map((id) => ({
      name: `models/${id}`,
      displayName: id,
      supportedGenerationMethods: ["generateContent", "countTokens"],
    })),
  };
}
