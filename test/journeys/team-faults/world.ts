/** Runs two workers on one Postgres, of which one serves a depot, with a run of the other one at each state. */
import { cp, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { depotWorld } from "../../helpers/depot-world.ts";
import { killAll } from "../../helpers/moving-world.ts";
import type { Machine } from "../../helpers/network/machines.ts";
import { type TeamNetwork, teamNetwork } from "../../helpers/network/team-network.ts";
import type { RunOptions, StartedCommand } from "../../helpers/product.ts";
import { stopEverythingOf } from "../../helpers/stop-everything.ts";
import { waitFor } from "../../helpers/wait-for.ts";
import { smallDisk } from "../crash/small-disk.ts";
import { gatherCleaned } from "./cleaned.ts";
import { judge } from "./judge.ts";
import { leasesOf } from "./leases.ts";
import { copiesOf, gatherLeftBehind } from "./left-behind.ts";
import { movableClock } from "./movable-clock.ts";
import { readFacts } from "./readers.ts";
import {
  answerWhatIsAsked,
  beginStates,
  type HeldRun,
  holdStates,
  isCanceled,
  openStates,
  PATIENT,
} from "./states.ts";

const LEASE_MS = 24_000;

/** What the first worker has of its own, so that it can go wrong. */
export type Needs = "clock" | "disk";

interface FaultWorldOptions {
  /** Whether each worker, the database and the origin have a machine, and only a network joins them. */
  readonly onMachines: boolean;
  readonly needs?: Needs | null;
  readonly leaseMs?: number;
}

export type FaultWorld = Awaited<ReturnType<typeof faultWorld>>;

/** All runs stand at their states, and the depot has what they had edited. What fails leaves nothing behind either. */
export async function faultWorld({ onMachines, needs = null, leaseMs = LEASE_MS }: FaultWorldOptions) {
  await using made = new AsyncDisposableStack();
  const net: TeamNetwork | null = onMachines ? made.use(await teamNetwork()) : null;
  const clock = made.use(await movableClock());
  const env = needs === "clock" ? clock.env : {};
  const world = made.use(await depotWorld({ leaseMs }, { overLine: net === null, env, net }));
  const { product } = world;
  const disk = needs === "disk" ? made.use(await smallDisk(product.home, "48m")) : null;
  const place = dirname(product.home);
  await holdStates(product);
  made.defer(() => openStates(product));
  const others = made.use(new AsyncDisposableStack());
  /** Another worker, with a data folder and a clone of its own and the clock of this machine. */
  const worker = async (name: "other" | "third", machine: Machine | undefined) => {
    const how = {
      env: {
        TAZUNA_HOME: join(place, `${name} home`),
        TAZUNA_DATABASE: world.postgres.networkUrl,
        LD_PRELOAD: "",
      },
      cwd: join(place, `${name} clone`),
      behind: machine?.behind ?? [],
    };
    const url = await product.sandbox.git(product.repository, ["remote", "get-url", "origin"]);
    await product.sandbox.git(place, ["clone", "--quiet", product.origin, how.cwd]);
    await product.sandbox.git(how.cwd, ["remote", "set-url", "origin", url]);
    await mkdir(how.env.TAZUNA_HOME, { mode: 0o700 });
    await cp(join(product.home, "config.json"), join(how.env.TAZUNA_HOME, "config.json"));
    others.defer(() => stopEverythingOf(how.env.TAZUNA_HOME));
    return how;
  };
  const there = await worker("other", net?.machines.there);
  const clones = [there.cwd];
  const addRepository = async (how: RunOptions) => {
    const { code, stderr } = await product.tazuna(["repo", "add", "."], how);
    if (code !== 0) throw new Error(stderr);
  };
  const serve = () => world.serve(["--depot", world.folder], there.env, net?.machines.there);
  const servers: StartedCommand[] = [await serve()];
  for (const how of [{}, there]) await addRepository(how);
  const held = await beginStates(product);
  const copied = await copiesOf(world, held);
  const readers = [
    made.use(readFacts("here", product.home, net?.machines.here.behind)),
    made.use(readFacts("there", there.env.TAZUNA_HOME, there.behind)),
  ];
  const killServer = async () => {
    servers.at(-1)?.kill("SIGKILL");
    await servers.at(-1)?.end;
  };
  const idOf = (state: HeldRun["state"]) => held.find((each) => each.state === state)?.begun.run.id ?? "";
  const owned = made.move();
  return {
    ...{ ...world, there, held, idOf, killServer, disk },
    /** Only those of a network have machines. */
    machines: () => net?.machines ?? noNetwork(),
    setClock: clock.set,
    serveAgain: async () => void servers.push(await serve()),
    /** A third worker comes, which could take what is lost. */
    joinThird: async () => {
      const third = await worker("third", net?.machines.third);
      clones.push(third.cwd);
      await world.serve([], third.env, net?.machines.third);
      await addRepository(third);
    },
    /** All of a worker ends at once. On one network its connections end with it, on machines nobody hears of it. */
    losePower: async (name: "here" | "there") => {
      if (net !== null) await net.machines[name].losePower();
      else if (name === "there") await killServer();
      else {
        await product.killEngine();
        for (const { begun } of held) await killAll(begun.run.id);
      }
    },
    /** The machine is there again, and nothing has begun there yet. */
    powerIsBack: (name: "here" | "there") => net?.machines[name].plug(),
    /** What the first worker has open to the database carries nothing any more; what it opens from now on works. */
    dropConnections: () => (net === null ? world.line.drop() : net.machines.here.drop(net.machines.database)),
    ...leasesOf(world.postgres.url, { idOf, leaseMs }),
    /** Lets all runs end, and answers with what is wrong. */
    wrongInTheEnd: async (expected: (state: HeldRun["state"]) => readonly string[]) => {
      await openStates(product);
      await product.tazuna(["list"]);
      await answerWhatIsAsked(product, idOf("asking"));
      const seen = await gatherLeftBehind({
        ...{ product, clones, url: world.postgres.url, held },
        expected: (state) => (isCanceled(state) ? ["canceled"] : expected(state)),
      });
      const cleaned = [];
      for (const each of held.filter(({ state }) => isCanceled(state)))
        cleaned.push(await gatherCleaned(world, each));
      const last = seen.facts.at(-1)?.seq ?? 0;
      for (const { name, seen: read } of readers)
        await waitFor(`the reader ${name} to have all`, () => (read.at(-1) ?? 0) >= last, PATIENT);
      const read = Object.fromEntries(
        readers.map(({ name, seen: seqs }) => [name, seqs.filter((seq) => seq <= last)]),
      );
      return judge({ ...seen, cleaned, copied, readers: read });
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

function noNetwork(): never {
  throw new Error("the machines of this world are one");
}
