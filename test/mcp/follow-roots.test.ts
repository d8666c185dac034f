import { expect, test } from "bun:test";
import { createWorkspace } from "../../src/mcp/server/follow-roots.ts";
import { contextOn } from "../../src/tools/core/context.ts";
import { createAgentToolkit } from "../../src/tools/toolkit/create-agent-toolkit.ts";
import { tempDir } from "../helpers/temp-dir.ts";
import { waitFor } from "../helpers/wait-for.ts";

const host = { platform: process.platform, environment: () => process.env };
const on = (workspaceRoot: string) => contextOn(host, { workspaceRoot, policy: { defaultPolicy: "allow" } });

test("a client that leaves the first folder and comes back finds its tools open, with nothing running", async () => {
  await using home = await tempDir();
  await using elsewhere = await tempDir();
  const workspace = createWorkspace({
    first: on(home.path),
    openRoot: () => on(elsewhere.path),
    report: () => {},
  });
  const services = async () => createAgentToolkit(await workspace.current()).listServices();
  const none: Awaited<ReturnType<typeof services>> = { status: "success", data: { services: [] } };
  const left = await workspace.current();
  expect(await services()).toEqual(none);
  workspace.follow(async () => [{ uri: "file:///elsewhere" }]);
  expect(await services()).toEqual(none);
  workspace.follow(async () => []);
  expect((await workspace.current()).workspaceRoot).toBe(left.workspaceRoot);
  expect(await services()).toEqual(none);
  expect(await createAgentToolkit(left).listServices()).toMatchObject({ error: { code: "CLOSED" } });
  await workspace.close();
  expect(await services()).toMatchObject({ error: { code: "CLOSED" } });
});

test("however often the roots change while a client is asked for them, it is asked once more, for the last", async () => {
  await using home = await tempDir();
  await using elsewhere = await tempDir();
  const workspace = createWorkspace({
    first: on(home.path),
    openRoot: () => on(elsewhere.path),
    report: () => {},
  });
  const questions: PromiseWithResolvers<readonly { readonly uri: string }[]>[] = [];
  const ask = () => {
    const question = Promise.withResolvers<readonly { readonly uri: string }[]>();
    questions.push(question);
    return question.promise;
  };
  workspace.follow(ask);
  await waitFor("the first question", () => questions.length === 1);
  for (let change = 0; change < 100; change += 1) workspace.follow(ask);
  questions[0]?.resolve([]);
  await waitFor("the second question", () => questions.length === 2);
  questions[1]?.resolve([{ uri: "file:///elsewhere" }]);
  expect((await workspace.current()).workspaceRoot).toBe(elsewhere.path);
  expect(questions).toHaveLength(2);
  await workspace.close();
});
