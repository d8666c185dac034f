/** What a model is told about `apply_patch`. */
import type { ToolDefinition } from "../../core/definition.ts";

export const APPLY_PATCH_TOOL_DEFINITION = {
  name: "apply_patch",
  description:
    "Applies a patch to files of the workspace: all of it or nothing. Makes, changes, renames and deletes files, and says what it did to each.",
  parameters: {
    type: "object",
    properties: {
      patch: {
        type: "string",
        description:
          "A unified diff (as of git diff or diff -u), or the form from *** Begin Patch to *** End Patch.",
      },
      cwd: {
        type: "string",
        default: ".",
        description:
          "Folder in workspace that the paths of the patch are relative to (default: workspace root).",
      },
      dry_run: {
        type: "boolean",
        default: false,
        description: "Only says what would be done (default: false).",
      },
    },
    required: ["patch"],
  },
} as const satisfies ToolDefinition;
