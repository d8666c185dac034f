/** Decides whether this machine and its database tell the same time. */
import { isOff } from "../worker/clock-offset.ts";
import { type Finding, makeFinding } from "./finding.ts";

/** `aheadMs`: how far this machine's clock is ahead of the database's; negative if it is behind. */
export function clockFindings(aheadMs: number): readonly Finding[] {
  if (!isOff(aheadMs)) return [];
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const side = aheadMs > 0 ? "ahead of" : "behind";
  return [
    makeFinding("warning", "clock", `This machine's clock is ${seconds} s ${side} that of the database.`, {
      why: "Waits for a provider's limit end too early or too late, and times in lists are wrong. Leases follow the database.",
      remedy: "Let a time server set it: `timedatectl set-ntp true` on Linux, the system settings on macOS.",
    }),
  ];
}
