/** The words of the changes in the middle of an attempt. */
import { words } from "./words.ts";

export const patchWords = words(
  {
    sides: "What is compared",
    run: "Run {{number}}",
    since: "Since my look",
    whole: "Whole attempt",
    files_one: "{{count}} file",
    files_other: "{{count}} files",
    review: "Review",
    fileList: "Changed files",
    beingEdited: "being edited",
    notCommitted: "Nothing is committed yet.",
    unified: "Unified",
    split: "Split",
    changes: "Changes",
    noCommentHere: "No comment can stand here",
    noCommentWhy:
      "These lines are those of an earlier run, or of the old side. Comments stand at the lines of the whole attempt.",
    showWhole: "Show the whole attempt",
  },
  {
    sides: "比較の範囲",
    run: "実行 {{number}}",
    since: "前回の確認以降",
    whole: "試行全体",
    files_other: "{{count}} ファイル",
    review: "レビュー",
    fileList: "変更されたファイル",
    beingEdited: "編集中",
    notCommitted: "まだ何もコミットされていません。",
    unified: "統合",
    split: "左右",
    changes: "変更",
    noCommentHere: "ここにはコメントできません",
    noCommentWhy: "以前の実行または変更前の行です。コメントは試行全体の行に付きます。",
    showWhole: "試行全体を表示",
  },
);
