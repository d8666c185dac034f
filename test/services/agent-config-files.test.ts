import { expect, test } from "bun:test";
import { chmod, mkdir, rm, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { agentConfigNotes, readAgentConfig } from "../../src/services/runs/agent/agent-config-files.ts";
import { tempDir } from "../helpers/temp-dir.ts";

const CHANGES: readonly (readonly [string, (at: (name: string) => string) => Promise<unknown>, string])[] = [
  ["a file that is new", (at) => writeFile(at("new.json"), "{}"), "new.json"],
  ["a file of the same length and time", changeUnseen, "settings.json"],
  ["a file that is gone", (at) => rm(at("settings.json")), "settings.json"],
  ["a mode", (at) => chmod(at("settings.json"), 0o755), "settings.json"],
  ["a file deep in a folder", (at) => writeFile(at("hooks/deep/run.sh"), "evil"), "hooks"],
  ["a link to elsewhere", (at) => symlink("/etc/passwd", at("hooks/link")), "hooks"],
  [
    "a folder in a file's place",
    (at) => rm(at("settings.json")).then(() => mkdir(at("settings.json"))),
    "settings.json",
  ],
];

/** Only the time of the change itself tells it. */
async function changeUnseen(at: (name: string) => string): Promise<void> {
  await writeFile(at("settings.json"), "evil");
  await utimes(at("settings.json"), new Date(0), new Date(0));
}

test.each(CHANGES)("%s is reported", async (_, change, told) => {
  await using dir = await tempDir();
  const at = (name: string) => join(dir.path, name);
  await mkdir(at("hooks/deep"), { recursive: true });
  await writeFile(at("settings.json"), "good");
  await utimes(at("settings.json"), new Date(0), new Date(0));
  const before = readAgentConfig(["settings.json", "new.json", "hooks"].map(at));
  expect(agentConfigNotes(before)).toEqual([]);
  await change(at);
  expect(agentConfigNotes(before)).toEqual([
    {
      code: "agent_settings_changed",
      message: `${at(told)} changed while the agent worked. Its program obeys it.`,
      details: { path: at(told) },
    },
  ]);
});
