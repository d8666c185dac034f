/** Measures this machine's clock against that of the Postgres, and refuses one that is far off. */
import { aheadMs, MOST_OFFSET_MS } from "../../domain/worker/clock-offset.ts";
import { timeOf } from "../../storage/schema/database-time.ts";
import type { Database } from "../../storage/schema/opened-database.ts";
import { systemClock } from "../../utils/time/clock.ts";

export interface ClockError {
  readonly code: "clock_off";
  readonly message: string;
  readonly remedy: string;
}

/** Milliseconds; negative if it is behind. The first question may have to connect, and counts for nothing. */
export async function clockAhead({ reader }: Pick<Database, "reader">): Promise<number> {
  await timeOf(reader);
  const sentAt = systemClock.now().getTime();
  const theirs = Date.parse(await timeOf(reader));
  return aheadMs({ sentAt, receivedAt: systemClock.now().getTime(), theirs });
}

/** Null if the difference can be worked with. */
export function clockTrouble(ahead: number): ClockError | null {
  if (Math.abs(ahead) <= MOST_OFFSET_MS) return null;
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  return {
    code: "clock_off",
    message: `This machine's clock is ${seconds} s ${ahead > 0 ? "ahead of" : "behind"} that of the database.`,
    remedy:
      "Let a time server set it (`timedatectl set-ntp true` on Linux, the system settings on macOS), then start it again.",
  };
}
