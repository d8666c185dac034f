/** Joins the shapes into which output of git is read. */
import { z } from "zod";
import { parsedBlame } from "./blame-lines.ts";
import { parsedBranch } from "./branch-list.ts";
import { parsedDiff } from "./diff-files.ts";
import { parsedLog } from "./log-commits.ts";
import { parsedStashList } from "./stash-list.ts";
import { parsedStatus } from "./status.ts";

/** Told apart by `kind`. */
export const parsedOutput = z.union([
  parsedStatus,
  parsedDiff,
  parsedLog,
  parsedBranch,
  parsedBlame,
  parsedStashList,
]);

export type ParsedOutput = z.output<typeof parsedOutput>;
