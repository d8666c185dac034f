/** The words of the terminal in a worktree. */
import { words } from "../words.ts";

export const terminalWords = words(
  {
    title: "Terminal",
    reads: "In the worktree, confined like the checks. Git only reads here; closing it ends its programs.",
    leaves: "Ctrl+` leaves it",
    close: "Close the terminal",
    ended: "The shell has ended.",
  },
  {
    title: "ターミナル",
    reads:
      "ワークツリー内で、検証と同じ制限のもとで動きます。git は読み取り専用です。閉じると中のプログラムも終了します。",
    leaves: "Ctrl+` で画面に戻る",
    close: "ターミナルを閉じる",
    ended: "シェルが終了しました。",
  },
);
