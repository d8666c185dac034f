/** Lets a machine without a clone run into trouble while it clones: nothing half-made counts, and the run is told what to do. */
import { expect, setDefaultTimeout } from "bun:test";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { findMarked } from "../../src/utils/programs/process-identity.ts";
import { noteCodes, PATIENCE_MS, type TaskEnd } from "../helpers/journey.ts";
import { kill } from "../helpers/stop-everything.ts";
import { teamJourney as journey } from "../helpers/team-journey.ts";
import { clonesOf, LONG, PASSWORD, refusedThere, uncloned } from "../helpers/uncloned-world.ts";
import { waitFor } from "../helpers/wait-for.ts";
import { smallDisk, whyNoSmallDisk } from "./crash/small-disk.ts";

setDefaultTimeout(PATIENCE_MS);

type World = Awaited<ReturnType<typeof uncloned>>;

const homeOf = ({ there }: World) => there.env.TAZUNA_HOME ?? "";

/** The other machine took it and ended it in its own clone, of which there is one, and nothing else beside. */
async function isTaken(team: World, asked: TaskEnd): Promise<void> {
  const { attempt } = await team.worked(asked);
  expect(attempt.worktree.startsWith(homeOf(team))).toBe(true);
  const [clone, ...more] = await clonesOf(team.product, team.there);
  expect(more).toEqual([]);
  expect(await readdir(join(homeOf(team), "workspaces"))).toEqual([clone?.id ?? ""]);
}

/** The note says this now. */
function told(team: World, asked: TaskEnd, words: RegExp): Promise<string> {
  return waitFor(
    `the words ${words}`,
    async () => {
      const { notes } = (await team.shown(asked)).run;
      const [why, ...more] = notes.filter(({ code }) => code === "not_taken");
      expect(more).toEqual([]);
      return why !== undefined && words.test(why.message) ? why.message : null;
    },
    LONG,
  );
}

journey(
  "after a kill -9 in the middle of such a clone the next start clones again and takes the run",
  async () => {
    await using team = await uncloned(8);
    const { product, there, server } = team;
    await team.fill();
    server.behave({ breaks: { at: /\/git-upload-pack$/, how: "stall" } });
    const waits = await team.run();
    const workspaces = join(homeOf(team), "workspaces");
    const halfMade = await waitFor(
      "the clone to begin",
      async () => (await readdir(workspaces).catch(() => []))[0] ?? null,
      LONG,
    );
    expect(halfMade).toStartWith("half-made-");
    // Its git at the same moment, as if the machine lost its power: nobody takes anything away.
    const half = join(workspaces, halfMade);
    const gits = await findMarked({ name: "TAZUNA_CLONE", value: half });
    for (const pid of gits) process.kill(pid, "SIGSTOP");
    kill(JSON.parse(await readFile(join(homeOf(team), "server.json"), "utf8")).pid);
    for (const pid of gits) kill(pid);
    expect([gits.length > 0, existsSync(half)]).toEqual([true, true]);
    server.behave({ breaks: null });
    expect((await team.shown(waits)).run.status).toBe("PENDING");
    expect((await product.tazuna(["workers"], there)).code).toBe(0);
    await isTaken(team, waits);
  },
);

const NO_DISK = await whyNoSmallDisk();

journey(
  "a machine whose engine starts anew is asked at once for what it could not clone before",
  async () => {
    await using team = await refusedThere({ cloneRetryMs: 600_000 });
    const { product, there, server, waits } = team;
    server.behave({ password: null });
    await product.tazuna(["engine", "stop"], there);
    expect((await product.tazuna(["workers"], there)).code).toBe(0);
    await isTaken(team, waits);
  },
);

/** Packed it is as long, and does not go into the room that is left. */
const LARGE = 12 * 1024 ** 2;

journey(
  "a disk that is full before or in the middle of such a clone is told, and the run goes there once there is room",
  async () => {
    await using team = await uncloned(8, { cloneRetryMs: 2_000 });
    const { product, there, server } = team;
    await product.sandbox.commitTo(product.origin, "main", {
      "large.txt": randomBytes(LARGE).toString("hex"),
    });
    await product.tazuna(["engine", "stop"], there);
    await using disk = await smallDisk(homeOf(team), "64m");
    expect((await product.tazuna(["workers"], there)).code).toBe(0);
    await team.fill();
    await disk.fill(2 * 1024 ** 2);
    const asked = server.requests.length;
    const waits = await team.run();
    const before = await told(
      team,
      waits,
      /too little room on the disk: nothing was cloned\. To do there: Make room/,
    );
    expect(before).toContain("tazuna repo add");
    expect(server.requests.length).toBe(asked);
    await disk.fill(8 * 1024 ** 2);
    await told(team, waits, /The disk became full: nothing was cloned\. To do there: Make room/);
    expect(server.requests.length).toBeGreaterThan(asked);
    expect(await readdir(join(homeOf(team), "workspaces"))).toEqual([]);
    await disk.free();
    await isTaken(team, waits);
  },
  NO_DISK,
);

journey(
  "each trouble with a server is told in the one note, with the newest cause, what to do, and no secret",
  async () => {
    await using team = await uncloned(8, { cloneRetryMs: 1_000 });
    const { product, server, there } = team;
    await team.fill();
    const pwned = join(dirname(product.home), "pwned");
    server.behave({ password: PASSWORD });
    const waits = await team.run();
    const messages = [await told(team, waits, /did not let this git in/)];
    const targets = [`file://${dirname(product.origin)}`, `ext::touch ${pwned}`];
    for (const redirectTo of targets) {
      const tried = server.requests.length;
      server.behave({ password: null, redirectTo });
      await waitFor("the next try", () => server.requests.length > tried, LONG);
      messages.push(await told(team, waits, /could not be read|was not cloned/));
      expect(await clonesOf(product, there)).toEqual([]);
    }
    for (const message of messages) {
      expect(message).toMatch(/ To do there: .+`tazuna repo add .+`\. It is tried again by itself\.$/s);
      expect(message).not.toContain(PASSWORD.password);
    }
    expect(existsSync(pwned)).toBe(false);
    server.behave({ redirectTo: null });
    await isTaken(team, waits);
    expect(noteCodes((await team.shown(waits)).run)).toContain("moved_in_queue");
  },
);
