/** Starts a confined program, and repeats the start if a socket to be covered disappeared meanwhile. */
import { coveredFiles, coverSockets } from "./cover-sockets.ts";

/** How a start ended, as far as it matters here. */
interface HeldEnd {
  /** Null if a signal ended it. */
  readonly code: number | null;
  /** The beginning of each stream, 1000 characters or more. */
  readonly stdout: string;
  readonly stderr: string;
}

type Held<End> =
  | { readonly started: true; readonly end: End }
  /** One sentence. */
  | { readonly started: false; readonly problem: string };

/**
 * If a socket is made and removed without a pause, one start in four fails. So many failures in a row are not chance.
 */
const MAX_STARTS = 20;

/** Each time, `start` runs the command to its end. Programs without bubblewrap are started once, unchanged. */
export async function startHeld<End extends HeldEnd>(
  argv: readonly string[],
  start: (argv: readonly string[]) => Promise<End>,
): Promise<Held<End>> {
  if (process.platform !== "linux" || argv[1] !== "--die-with-parent")
    return { started: true, end: await start(argv) };
  let problem = "";
  for (let starts = 0; starts < MAX_STARTS; starts++) {
    const covered = covering(argv);
    if (covered.argv === null) return notHeld(covered.problem);
    const end = await start(covered.argv);
    if (!missedPlace(covered.argv, end)) return { started: true, end };
    problem = end.stderr.trim();
  }
  return notHeld(`${MAX_STARTS} times in a row ${problem}`);
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
 * Whether bubblewrap ended before the program began, because a file to be covered was gone. Then it prints this in
 * one line, and there is no other output. A program that prints the same is started again, equally often and equally
 * confined, so it gains nothing.
 */
function missedPlace(argv: readonly string[], { code, stdout, stderr }: HeldEnd): boolean {
  if (code !== 1 || stdout !== "" || !stderr.startsWith("bwrap: Can't ")) return false;
  return coveredFiles(argv).some((path) => stderr.includes(`${path}: `));
}
