/** Defines the tool `define_issue`: states the problem of this workspace (seed 004 Overview). */
import { systemClock } from "../../../utils/time/clock.ts";
import { defineTool } from "../../core/tool.ts";
import { issuePlace } from "../place/issue-place.ts";
import { DEFINE_ISSUE_TOOL_DEFINITION } from "./definition.ts";
import { belongsToTask, DEFINE_ISSUE_CODES } from "./error.ts";
import { defineIssue } from "./usecase.ts";
import { defineIssueInput, defineIssueOutput } from "./validator.ts";

export const defineIssueTool = defineTool({
  definition: DEFINE_ISSUE_TOOL_DEFINITION,
  title: "Define the issue",
  input: defineIssueInput,
  output: defineIssueOutput,
  effect: "writes",
  hints: { destructive: false, idempotent: false, openWorld: false },
  paths: [],
  codes: DEFINE_ISSUE_CODES,
  notes: [
    "The issue is kept in `.tazuna/issue.json`, which git is told to ignore; it lasts until it is defined anew.",
    "A character is one UTF-16 unit; white space at the ends is not kept and not counted.",
    "A file that cannot be read as an issue is kept beside the new one, as `.tazuna/issue.json.kept-…`; `meta.kept_aside` names it.",
    "In an attempt the issue is that of the task, and calls are denied with `READ_ONLY`.",
  ],
  async run(input, { context, signal }) {
    const place = issuePlace(context);
    if (place.kind === "handed") return belongsToTask();
    const defined = await defineIssue(input, {
      workspaceRoot: place.root,
      createdAt: systemClock.now(),
      ...(signal === undefined ? {} : { signal }),
    });
    return defined.match(
      (answer) => answer,
      (refusal) => refusal,
    );
  },
});
