/** Measures the screen of an attempt when it is opened, while its agent tells 100,000 events, and while a person scrolls back through them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type BenchPage, type Lap, openPage } from "./support/browser.ts";
import { startEngine } from "./support/engine.ts";
import { printSummary, printTable } from "./support/report.ts";
import { makeScratch } from "./support/scratch.ts";
import { until } from "./support/until.ts";

const EVENTS = 100_000;
const A_SECOND = 5_000;
const MB = 1_000_000;

/** Plays an agent that reads files: a call and its result are two events. */
const AGENT = `
const say = (event) => process.stdout.write(JSON.stringify({ session_id: "s", ...event }) + "\\n");
const role = (type, content) => say({ type, message: { id: "m", role: type, content } });
if (process.argv.includes("--version")) { console.log("2.1.330 (Claude Code)"); process.exit(0); }
say({ type: "system", subtype: "init", model: "bench" });
for (let n = 1; n < ${EVENTS / 2}; n += 1) {
  const path = process.cwd() + "/src/part-" + (n % 500) + ".ts";
  if (n % 25 === 0) role("assistant", [{ type: "text", text: "I have read part " + n + " and go on with the next one." }]);
  role("assistant", [{ type: "tool_use", id: "t" + n, name: "Read", input: { file_path: path } }]);
  role("user", [{ type: "tool_result", tool_use_id: "t" + n, content: "export const part = " + n + ";\\n".repeat(20) }]);
  if (n % ${A_SECOND / 20} === 0) await new Promise((resolve) => setTimeout(resolve, 100));
}
say({ type: "result", subtype: "success", is_error: false, result: "All parts are read.", total_cost_usd: 0 });
`;

await using scratch = await makeScratch({ files: 1 });
const program = join(scratch.root, "scripts/agent.mjs");
await writeFile(program, AGENT);
await scratch.configure({
  isolation: "guard",
  agents: { reader: { executor: "claude-code", command: [process.execPath, program] } },
});
await using engine = await startEngine(scratch);
const { task, attempts } = await engine.createTask(["reader"]);
const attempt = attempts[0]?.id ?? "";
await using view = await openPage(engine, `/attempts/${attempt}`);
await view.page.locator("[data-event=told]").first().waitFor();
await allAnswered(view);
const opened = await view.lap();
await engine.ended(task.id);
await view.page.locator("[data-event=stop]").waitFor();
const live = await view.lap();
const pages = await scrollToBegin(view);
const back = await view.lap();

const shown = (name: string, lap: Lap) => [
  name,
  lap.longestTask.toFixed(0),
  String(lap.tasksOver50),
  (lap.heapPeak / MB).toFixed(0),
  (lap.heapNow / MB).toFixed(0),
  String(lap.nodes),
];
printTable(
  `${EVENTS} events in one run`,
  ["", "longest task ms", "over 50 ms", "heap at most MB", "heap after MB", "nodes"],
  [shown("opened", opened), shown("followed live", live), shown(`scrolled back, ${pages} steps`, back)],
);
printSummary("long-log", {
  longest_task_ms: Math.max(live.longestTask, back.longestTask),
  heap_mb: Math.max(live.heapPeak, back.heapPeak) / MB,
  must: "task<=50,heap<250",
});

/** To open a screen is work of its own: it ends when the last of its answers is a second old. */
async function allAnswered({ page }: BenchPage): Promise<void> {
  const look =
    "performance.getEntriesByType('resource').every(({ responseEnd }) => responseEnd < performance.now() - 1000)";
  await until("all answers", async () => (await page.evaluate(look)) === true, { everyMs: 100 });
}

/** Turns the wheel until the first event is in sight; gives how often. */
async function scrollToBegin({ page }: BenchPage): Promise<number> {
  await page.locator("[data-timeline]").hover();
  let steps = 0;
  await until(
    "the first event",
    async () => {
      await page.mouse.wheel(0, -2_500);
      steps += 1;
      const isAtTop = await page.evaluate(
        "document.querySelector('[data-timeline]').scrollTop === 0 && document.querySelector('[data-event=more]') === null",
      );
      return isAtTop === true ? true : null;
    },
    { everyMs: 30 },
  );
  return steps;
}
