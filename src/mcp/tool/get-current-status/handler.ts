/** Answers `get_current_status` in the words of its seed (seed 004 Error Handling Strategy, Structured Output Pattern). */
import type { CallToolResult } from "@modelcontextprotocol/server";
import {
  type SpecialTool,
  toStructuredCallToolResult,
  type Wording,
  wordedError,
} from "../../results/special-tool.ts";
import { type GetCurrentStatusResponse, getCurrentStatusOutputSchema } from "./schema.ts";

/** `invoke` checks the arguments, by the same schema as for every caller. */
export const getCurrentStatusHandler: SpecialTool = async (args, invoke) => {
  const result = await invoke(args);
  if (result.status !== "success") return wordedError(result.error, wording);
  return successResponse(getCurrentStatusOutputSchema.parse(result.data));
};

function successResponse(status: GetCurrentStatusResponse): CallToolResult {
  if (!status.hasIssue)
    return toStructuredCallToolResult(["現在、課題は定義されていません。"], status, false);
  return toStructuredCallToolResult([`現在の課題: ${status.issue}`], status, false);
}

const wording: Wording = ({ code, message }) => {
  if (code === "INVALID_ARGUMENT") return ["入力パラメータが無効です"];
  if (code === "CORRUPT_DATA") return ["課題データが破損しています。課題を再定義してください。"];
  return code === "FILE_SYSTEM_ERROR" ? [`ファイルシステムエラー: ${message}`] : null;
};
