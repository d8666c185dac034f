/** Words of the fleet as a table. */
import { words } from "../words.ts";

export const tableWords = words(
  {
    state: "State",
    task: "Task",
    now: "Now",
    agent: "Agent",
    lines: "Lines",
    checks: "Checks",
    cost: "Cost",
    time: "Time",
  },
  {
    state: "状態",
    task: "タスク",
    now: "いま",
    agent: "エージェント",
    lines: "行数",
    checks: "検証",
    cost: "費用",
    time: "時間",
  },
);
