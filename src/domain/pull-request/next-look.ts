/** Decides when a forge is asked next about a pull request: often while something happens, else ever more rarely. */

interface LookFacts {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** `forge.poll_s`. */
  readonly pollS: number;
  /** Looks in a row that found nothing new. */
  readonly quiet: number;
  /** Looks in a row that failed. */
  readonly failures: number;
  /** An agent works, or somebody follows the facts. */
  readonly attended: boolean;
  /** The forge wants no request before; UTC ISO. */
  readonly resumeAt: string | null;
}

/** Looks without news after which the pause doubles. */
const PATIENCE = 10;
/** What nobody attends is looked at this much more rarely. */
const UNATTENDED = 4;
const LONGEST_MS = 1_800_000;

/** UTC ISO. */
export function nextLook({ now, pollS, quiet, failures, attended, resumeAt }: LookFacts): string {
  const doublings = Math.min(Math.floor(quiet / PATIENCE) + failures, 10);
  const pause = pollS * 1000 * (attended ? 1 : UNATTENDED) * 2 ** doublings;
  const at = now + Math.min(pause, Math.max(LONGEST_MS, pollS * 1000));
  const notBefore = resumeAt === null ? 0 : Date.parse(resumeAt);
  return new Date(Math.max(at, notBefore)).toISOString();
}
