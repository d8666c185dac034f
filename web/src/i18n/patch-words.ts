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
    nothing: "No change yet. The first edit appears here by itself.",
    changes: "Changes",
  },
  {
    sides: "比較の範囲",
    run: "実行 {{number}}",
    since: "前回の確認以降",
    whole: "試行全体",
    files_other: "{{count}} ファイル",
    review: "レビュー",
    nothing: "まだ変更はありません。最初の編集が入るとここに表示されます。",
    changes: "変更",
  },
);
