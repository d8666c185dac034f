/** Tells a keeper how long its run is surely this worker's. Its agent must not work longer (ADR 0093). */
import { readFileSync } from "node:fs";
import { bootMs } from "../utils/time/boot-time.ts";

/** By run: until when its agent may work, in milliseconds of `bootMs`. Null sets no end. */
type Deadlines = ReadonlyMap<string, number | null>;

/** The content of the file that the engine writes with each renewal of its leases. */
export function formatDeadlines(bootId: string, deadlines: Deadlines): string {
  return `${JSON.stringify({ boot_id: bootId, agents_until: Object.fromEntries(deadlines) })}\n`;
}

interface LeasePlace {
  /** Absolute; null if no other worker could take the run. */
  readonly file: string | null;
  readonly run: string;
  readonly bootId: string;
}

/** Why an agent is stopped, or is not even started, once its deadline is over. */
export const FENCED = {
  reason: "fenced",
  message: "Its engine did not renew its lease in time, so another worker could have taken the run.",
} as const;

/** A timer stands still while the machine sleeps. So the clock is read at least this often. */
const LOOK_MS = 10_000;

interface LeaseWatch {
  /** Whether the deadline is over now. */
  isOver(): boolean;
  begin(): void;
  stop(): void;
}

/** `onOver` is called once. What the file does not say changes nothing: the deadline that was known holds. */
export function watchLease({ file, run, bootId }: LeasePlace, onOver: () => void): LeaseWatch {
  let until: number | null = null;
  let timer: NodeJS.Timeout | undefined;
  const isOver = (): boolean => {
    if (file === null) return false;
    if (until === null || bootMs() >= until) {
      const told = readDeadline(file, { run, bootId });
      if (told !== undefined) until = told;
    }
    return until !== null && bootMs() >= until;
  };
  const look = (): void => {
    if (isOver()) onOver();
    else timer = setTimeout(look, until === null ? LOOK_MS : Math.min(until - bootMs(), LOOK_MS));
  };
  return {
    isOver,
    begin: () => {
      if (file !== null) look();
    },
    stop: () => clearTimeout(timer),
  };
}

/** Undefined if the file says nothing of the run, or is of an earlier boot. */
function readDeadline(file: string, { run, bootId }: Omit<LeasePlace, "file">): number | null | undefined {
  try {
    const told: { readonly boot_id?: unknown; readonly agents_until?: Readonly<Record<string, unknown>> } =
      JSON.parse(readFileSync(file, "utf8"));
    const until = told.boot_id === bootId ? told.agents_until?.[run] : undefined;
    return typeof until === "number" || until === null ? until : undefined;
  } catch {
    return undefined;
  }
}
