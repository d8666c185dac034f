/** Gives the tools to a model, and answers what it calls. */
import type { AgentToolkit } from "tazuna";

/** What the model's API calls a tool call; the arguments are JSON text. */
interface ToolCall {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
}

/** What the model may call: the tools that the policy allows, in the form of most APIs. */
export function toolsForModel(toolkit: AgentToolkit) {
  return toolkit.definitions.map((definition) => ({ type: "function", function: definition }));
}

/** One answer for each call. Never throws: a refusal and a failure are told to the model too, so that it can do better. */
export async function answer(toolkit: AgentToolkit, call: ToolCall) {
  const result = await toolkit.invoke(call.name, argumentsOf(call));
  return { role: "tool", tool_call_id: call.id, content: JSON.stringify(result) };
}

/** Text that is no JSON is handed on as it is: `invoke` answers it with `INVALID_ARGUMENT`. */
function argumentsOf(call: ToolCall): unknown {
  try {
    return JSON.parse(call.arguments);
  } catch {
    return call.arguments;
  }
}
