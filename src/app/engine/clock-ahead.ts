/** Refuses a clock that is far from that of the Postgres. */
import { isFarOff } from "../../domain/worker/clock-offset.ts";

export interface ClockError {
  readonly code: "clock_off";
  readonly message: string;
  readonly remedy: string;
}

/** Null if the difference can be worked with. */
export function clockTrouble(ahead: number | null): ClockError | null {
  if (ahead === null || !isFarOff(ahead)) return null;
  const seconds = Math.round(Math.abs(ahead) / 1_000);
  return {
    code: "clock_off",
    message: `This machine's clock is ${seconds} s ${ahead > 0 ? "ahead of" : "behind"} that of the database.`,
    remedy:
      "Let a time server set it (`timedatectl set-ntp true` on Linux, the system settings on macOS), then start it again.",
  };
}
