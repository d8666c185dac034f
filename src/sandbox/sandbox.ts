/** Confines programs with the means of the operating system, once a test shows that they work. */
import { existsSync, realpathSync } from "node:fs";
import { bubblewrapArgv } from "./bubblewrap.ts";
import { layersOf } from "./layers.ts";
import { probeSandbox } from "./probe-sandbox.ts";
import type { Confine } from "./profile.ts";
import { seatbeltArgv } from "./seatbelt.ts";

/** The restrictions that a machine can enforce. */
export type Sandbox =
  | {
      readonly available: true;
      /** Such as `bubblewrap 0.8.0`. */
      readonly name: string;
      /** Whether a program can get its own network with only a proxy in it. */
      readonly listsHosts: boolean;
      /** The path of the profile's temporary folder for the program; null: its real path. */
      readonly temporaryAt: string | null;
      /** The command that runs `argv` confined. */
      readonly confine: Confine;
    }
  | {
      readonly available: false;
      readonly cause: "unknown_system" | "not_installed" | "does_not_hold" | "not_tried";
      /** One sentence: what is missing. */
      readonly reason: string;
      /** One sentence: how to get more. */
      readonly remedy: string;
    };

interface SandboxOptions {
  readonly platform: NodeJS.Platform;
  /** Absolute path of a program on PATH, or null. */
  readonly which: (program: string) => Promise<string | null>;
  /** Absolute; the parent for a temporary folder of ours. It need not exist. */
  readonly scratch: string;
}

/** Finds the sandbox of this machine. A success is not tested again; after a failure, each call tests again. */
export function findSandbox(options: SandboxOptions): () => Promise<Sandbox> {
  let known: Promise<Sandbox> | null = null;
  return async () => {
    known ??= tryPrograms(options).catch(couldNotTry);
    const found = await known;
    if (!found.available) known = null;
    return found;
  };
}

/** A full disk, for example. */
function couldNotTry(thrown: unknown): Sandbox {
  const reason = `The sandbox could not be tried: ${thrown instanceof Error ? thrown.message : String(thrown)}.`;
  return unavailable("not_tried", reason, "Mend what it names; the next run tries again.");
}

async function tryPrograms({ platform, which, scratch }: SandboxOptions): Promise<Sandbox> {
  const kind = KINDS[platform];
  if (kind === undefined)
    return unavailable("unknown_system", `There is no sandbox on ${platform}.`, "None is known.");
  const program = await which(kind.program);
  if (program === null)
    return unavailable("not_installed", `${kind.program} is not installed.`, kind.install);
  const confine = kind.confineBy(program);
  const tried = await probeSandbox(program, { ...kind, confine, scratch });
  if (!tried.holds)
    return unavailable("does_not_hold", `${kind.program} does not hold: ${tried.flaw}.`, kind.allow);
  const { listsHosts, temporaryAt } = kind;
  return { available: true, name: tried.name, listsHosts, temporaryAt, confine };
}

type Cause = Extract<Sandbox, { available: false }>["cause"];

function unavailable(cause: Cause, reason: string, remedy: string): Sandbox {
  return { available: false, cause, reason, remedy };
}

interface Kind {
  readonly program: string;
  readonly install: string;
  readonly allow: string;
  readonly confineBy: (program: string) => Confine;
  /** Whether a confined program has its own process table. */
  readonly ownProcesses: boolean;
  readonly listsHosts: boolean;
  readonly temporaryAt: string | null;
}

const KINDS: Partial<Record<NodeJS.Platform, Kind>> = {
  linux: {
    program: "bwrap",
    install: "Install bubblewrap (`apt install bubblewrap`); the next run tries it.",
    allow:
      "Let bwrap make user namespaces; `tazuna doctor` says how on this system. The next run tries again.",
    ownProcesses: true,
    listsHosts: true,
    temporaryAt: "/tmp",
    confineBy: (program) => (argv, profile) =>
      bubblewrapArgv(argv, { ...profile, program, layers: layersOf(profile), resolver: hiddenResolver() }),
  },
  darwin: {
    program: "sandbox-exec",
    install: "sandbox-exec is part of macOS; look at PATH.",
    allow: "Start the engine outside of any other sandbox.",
    ownProcesses: false,
    // Its loopback is that of the machine, so every program could use a port of ours.
    listsHosts: false,
    temporaryAt: null,
    confineBy: (program) => (argv, profile) =>
      seatbeltArgv(argv, { ...profile, program, layers: layersOf(profile) }),
  },
};

/** The file behind `/etc/resolv.conf`, if that is in `/run`, which is hidden. */
function hiddenResolver(): string | null {
  if (!existsSync("/etc/resolv.conf")) return null;
  const real = realpathSync("/etc/resolv.conf");
  return real.startsWith("/run/") ? real : null;
}
