/** Answers `define_issue` in the words of seed 004, and in the same language if the seed has no words. */
import {
  type SpecialTool,
  toStructuredCallToolResult,
  type Wording,
  wordedError,
} from "../../results/special-tool.ts";
import { defineIssueOutputSchema } from "./schema.ts";

export const defineIssueHandler: SpecialTool = async (args, invoke) => {
  const result = await invoke(args);
  if (result.status !== "success") return wordedError(result.error, wording);
  const defined = defineIssueOutputSchema.parse(result.data);
  const keptAside = result.meta?.kept_aside;
  const messages = [`課題を定義しました: ${defined.issue}`];
  const kept = keptAside === undefined ? [] : [`以前の課題データは ${keptAside} に保存されています。`];
  const { meta } = result;
  return { ...toStructuredCallToolResult([...messages, ...kept], defined, false), _meta: { meta } };
};

/** The faults of the arguments are a text of their own, so that an agent can mend them. */
const wording: Wording = ({ code, message }) => {
  if (code === "INVALID_ARGUMENT") return ["入力パラメータが無効です", message];
  return code === "FILE_SYSTEM_ERROR" ? [`ファイルシステムエラー: ${message}`] : null;
};
