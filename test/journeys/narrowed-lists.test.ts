/** Narrows the lists of tasks, attempts, runs and operations over HTTP, and reads a log back from its end. */
import { expect, setDefaultTimeout, test } from "bun:test";
import { httpApi } from "../helpers/http-api.ts";
import { ask, PATIENCE_MS } from "../helpers/journey.ts";
import { startProduct } from "../helpers/product.ts";
import { deep } from "../helpers/tier.ts";

setDefaultTimeout(PATIENCE_MS);

test(deep("lists are narrowed by repository, state, agent, failure and time"), async () => {
  await using product = await startProduct();
  await product.agent("good", "for n in 1 2 3 4 5 6 7 8 9; do echo line $n; done; echo new > new.txt");
  await product.agent("bad", "echo broken >&2; exit 3");
  const first = await ask(product, ["run", "Change it", "--agent", "good", "--agent", "bad"]);
  const api = await httpApi(product);
  const since = new Date().toISOString();
  const second = await ask(product, ["run", "Change it again", "--agent", "good"]);
  const [one, two] = [first.document.task.id, second.document.task.id];
  const [good = "", bad = ""] = first.attempts.map(({ id }) => id);
  const later = second.attempt.id;
  const ids = async (path: string): Promise<readonly string[]> =>
    (await api.json(path)).items.map(({ id }: { id: string }) => id);
  const [{ id: repository }] = (await api.json("/repositories")).items;

  expect(await ids("/tasks?agent=bad")).toEqual([one]);
  expect(await ids(`/tasks?since=${since}`)).toEqual([two]);
  expect(await ids(`/tasks?repository=${repository}&state=failed`)).toEqual([one]);
  expect(await ids("/attempts?agent=good")).toEqual([later, good]);
  expect(await ids("/attempts?failed=true")).toEqual([bad]);
  expect(await ids(`/attempts?state=failed&since=${since}`)).toEqual([]);
  expect(await ids(`/attempts?repository=${repository}&since=${since}`)).toEqual([later]);
  expect(await ids("/runs?failed=true")).toEqual(first.attempts[1]?.runs.map(({ id }) => id) ?? []);
  expect(await ids(`/runs?status=SUCCEEDED&agent=good&since=${since}`)).toEqual([second.run.id]);
  expect((await ids("/runs?agent=nobody")).length).toBe(0);
  const kinds = async (path: string): Promise<ReadonlySet<string>> =>
    new Set((await api.json(path)).items.map(({ kind }: { kind: string }) => kind));
  expect([...(await kinds(`/operations?repository=${repository}&kind=push`))]).toEqual(["push"]);
  const pushed = await api.json("/operations?group=git&text=push");
  expect(pushed.items[0]).toMatchObject({
    kind: "push",
    commands: [expect.stringMatching(/^git push .*refs\/heads\//)],
  });
  expect([...(await kinds("/operations?text=nowhere&named=push"))]).toEqual(["push"]);
  expect((await ids("/operations?undoable=true")).length).toBeLessThan((await ids("/operations")).length);
  expect((await ids("/operations?failed=true")).length).toBe(0);
  expect((await ids(`/operations?since=${since}`)).length).toBeGreaterThan(0);
  expect((await api.call("/attempts?state=odd")).status).toBe(400);
  expect((await api.call("/runs?repository=nowhere")).status).toBe(404);

  // The log of a run, from its end back to its beginning, has the same lines with the same numbers.
  const log = (query: string) => api.json(`/runs/${second.run.id}/events?${query}`);
  const whole = await log("limit=1000");
  const back: unknown[] = [];
  for (let before: number | null = whole.total + 1; before !== null; ) {
    const page: { lines: unknown[]; previous: number | null } = await log(`before=${before}&limit=3`);
    back.unshift(...page.lines);
    before = page.previous;
  }
  expect(back).toEqual(whole.lines);
  const found = await log("query=LINE%207");
  expect(found.lines.map(({ event }: { event: { text: string } }) => event.text.trim())).toEqual(["line 7"]);
});
