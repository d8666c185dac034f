/** Ends the stdin of a program that Node started, after its reader has gone. */
import { expect, test } from "bun:test";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { nodeChild } from "../../src/utils/processes/node-child.ts";
import { settlesWithin } from "../../src/utils/time/waiting.ts";

test("the end of a stdin settles at once if the pipe is closed already", async () => {
  const stdin = new PassThrough();
  const child = nodeChild({ pid: 1, stdin, stdout: null, stderr: null, once: () => {}, unref: () => {} });
  stdin.destroy();
  await once(stdin, "close");
  expect(await settlesWithin(1000, child?.stdin?.end("too late") ?? Promise.reject())).toBe(true);
});
