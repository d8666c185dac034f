import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readPolicyFile } from "../../src/app/server/policy-file.ts";
import { tempDir } from "../helpers/temp-dir.ts";

async function read(text: string) {
  await using folder = await tempDir();
  const path = join(folder.path, "policy.json");
  await writeFile(path, text);
  return (await readPolicyFile(path)).match<unknown>(
    (policy) => policy,
    (error) => error.replaceAll(path, "FILE"),
  );
}

test("a policy is read; a tool that it does not name is denied unless it says otherwise", async () => {
  expect(await read('{"tools":{"exec_command":"deny","read_file":"allow"}}')).toEqual({
    defaultPolicy: "deny",
    tools: { exec_command: "deny", read_file: "allow" },
  });
  expect(await read('{"defaultPolicy":"allow"}')).toEqual({ defaultPolicy: "allow", tools: {} });
  expect(await read("{}")).toEqual({ defaultPolicy: "deny", tools: {} });
});

test("a tool that does not exist is named, with the nearest that does", async () => {
  expect(await read('{"tools":{"exec_comand":"deny"}}')).toBe(
    'The policy in FILE names a tool that does not exist: "exec_comand" (did you mean "exec_command"?).',
  );
  expect(await read('{"tools":{"toString":"deny"}}')).toContain("does not exist");
});

test("a key that does not exist is named, with the nearest that does", async () => {
  expect(await read('{"defaultpolicy":"deny"}')).toBe(
    'The policy in FILE is wrong: Unrecognized key: "defaultpolicy" (did you mean "defaultPolicy"?).',
  );
  expect(await read('{"defaultPolicy":"allow","tolls":{"exec_command":"deny"}}')).toContain(
    '"tolls" (did you mean "tools"?)',
  );
});

test.each([
  "",
  "{",
  "[]",
  "null",
  '{"tool":{}}',
  '{"tools":{"exec_command":"ask"}}',
  '{"defaultPolicy":true}',
])("what is no policy is refused: %s", async (text) => {
  expect(await read(text)).toStartWith("The policy in FILE ");
});

test("a file that is not there is named", async () => {
  expect((await readPolicyFile("/no/such/file"))._unsafeUnwrapErr()).toContain(
    "/no/such/file cannot be read",
  );
});
