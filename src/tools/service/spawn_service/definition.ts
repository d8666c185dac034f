/** What a model is told about `spawn_service`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const SPAWN_SERVICE_TOOL_DEFINITION = {
  name: "spawn_service",
  description:
    "Starts a long-running command such as a development server in the background and waits until it is ready.",
  parameters: {
    type: "object",
    properties: {
      name: {
        type: "string",
        description: "Name by which the service is listed, read and stopped, e.g. web.",
      },
      command: {
        type: "array",
        items: { type: "string" },
        description: "Only the target command tokens to run in the foreground (e.g. bun run dev).",
      },
      cwd: {
        type: "string",
        description: "Working directory path in workspace (default: the workspace root).",
      },
      shell_mode: {
        type: "string",
        enum: ["default", "direct"],
        default: "default",
        description: "Use default to apply OS shell wrapper automatically (default: default).",
      },
      port: {
        type: "integer",
        description: "Ready when something accepts connections on this port of the local machine.",
      },
      ready_text: {
        type: "string",
        description: "Ready when this text was printed, to stdout or stderr.",
      },
      ready_after_ms: {
        type: "integer",
        default: 500,
        description:
          "Without port and ready_text: ready when it still runs after so many milliseconds (default: 500).",
      },
      ready_timeout_ms: {
        type: "integer",
        default: 30000,
        description: "A service that is not ready by then is stopped (default: 30000).",
      },
    },
    required: ["name", "command"],
  },
} as const satisfies ToolDefinition;
