/** The words of the workers that share a database. */
import { words } from "../words.ts";

export const workerWords = words(
  {
    hint: "Each data folder with this Postgres is a worker. All of them show the same board.",
    alone: "This Tazuna works alone.",
    aloneText:
      "Its database is a file that no other one uses. To work as a team, start one on each machine with the same Postgres:",
    here: "this one",
    state_ready: "ready",
    state_silent: "silent",
    state_stopped: "stopped",
    slots: "{{used}}/{{limit}} slots",
    pinned_one: "{{count}} open attempt lies there",
    pinned_other: "{{count}} open attempts lie there",
    noAgents: "no agent is ready",
    seen: "seen {{time}} ago",
  },
  {
    hint: "この Postgres を使うデータフォルダーがそれぞれワーカーになり、どれにも同じ一覧が表示されます。",
    alone: "この Tazuna は単独で動いています。",
    aloneText:
      "データベースは専用のファイルで、ほかからは使われません。チームで使うには、各マシンで同じ Postgres を指定して起動します。",
    here: "このワーカー",
    state_ready: "準備完了",
    state_silent: "応答なし",
    state_stopped: "停止",
    slots: "枠 {{used}}/{{limit}}",
    pinned_other: "進行中の試行 {{count}} 件があります",
    noAgents: "動かせるエージェントなし",
    seen: "{{time}}前に確認",
  },
);
