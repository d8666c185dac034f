/** Starts a confined program, and again where a socket that was to be covered went away in the middle of that. */
import { coveredFiles, coverSockets } from "./cover-sockets.ts";

/** How a start ended, as far as it has to be known here. */
export interface HeldEnd {
  /** Null where a signal ended it. */
  readonly code: number | null;
  /** The head of what was printed to each stream, 1000 characters or more. */
  readonly stdout: string;
  readonly stderr: string;
}

export type Held<End> =
  | { readonly started: true; readonly end: End }
  /** One sentence. */
  | { readonly started: false; readonly problem: string };

/** A socket that is made and removed without a pause is hit in one start of four; this many in a row are none of chance. */
const MOST_STARTS = 20;

/** Each time `start` runs the command to its end. Programs that no bubblewrap holds are started once, as they are. */
export async function startHeld<End extends HeldEnd>(
  argv: readonly string[],
  start: (argv: readonly string[]) => Promise<End>,
): Promise<Held<End>> {
  if (process.platform !== "linux" || argv[1] !== "--die-with-parent")
    return { started: true, end: await start(argv) };
  let problem = "";
  for (let starts = 0; starts < MOST_STARTS; starts++) {
    const covered = covering(argv);
    if (covered.argv === null) return notHeld(covered.problem);
    const end = await start(covered.argv);
    if (!missedPlace(covered.argv, end)) return { started: true, end };
    problem = end.stderr.trim();
  }
  return notHeld(`${MOST_STARTS} times in a row ${problem}`);
}

function covering(argv: readonly string[]) {
  try {
    return { argv: coverSockets(argv) };
  } catch (error) {
    return { argv: null, problem: error instanceof Error ? error.message : String(error) };
  }
}

function notHeld(reason: string): { readonly started: false; readonly problem: string } {
  return { started: false, problem: `The sandbox could not be made: ${reason}.` };
}

/**
 * Whether bubblewrap ended before the program began, since a file was gone that it had to cover. It says so in one line and nothing
 * else was said. A program that says the same is started again, as often as that and as confined, which is no way out.
 */
function missedPlace(argv: readonly string[], { code, stdout, stderr }: HeldEnd): boolean {
  if (code !== 1 || stdout !== "" || !stderr.startsWith("bwrap: Can't ")) return false;
  return coveredFiles(argv).some((path) => stderr.includes(`${path}: `));
}
