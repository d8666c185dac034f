/** Holds the schemas of `get_current_status` without unknown keys (seed 004 MCP Tool Interface). */
import { z } from "zod";

/** パラメータなし: no parameters. Unknown ones are refused and not ignored. */
export const getCurrentStatusSchema = z.object({}).strict();

/** Also closed, because MCP clients read it that way. */
export const getCurrentStatusOutputSchema = z
  .object({
    hasIssue: z.boolean().describe("課題が定義されているかどうか"),
    issue: z.string().optional().describe("課題のタイトル"),
    context: z.string().optional().describe("課題の背景情報"),
    constraints: z.string().optional().describe("制約条件"),
    createdAt: z.string().optional().describe("作成日時（ISO文字列）"),
  })
  .strict();
