/** Describes a browser that is signed in: how it is recognized, until when, and what people know it by. */
import { z } from "zod";
import { type Entity, time } from "../entity.ts";

/** The secret itself is in the browser's cookie alone. All times are those of the database. */
export const browserSchema = z.object({
  id: z.string(),
  /** SHA-256 of the secret, in hexadecimal. It has 256 random bits, so that a slow hash would add nothing. */
  hash: z.string(),
  /** What it says of itself, such as `Firefox on Linux`; empty if it says nothing. */
  userAgent: z.string(),
  /** Whose it is; null if a code of the owner of the machine signed it in. */
  personId: z.string().nullable(),
  /** The worker whose server signed it in. */
  workerId: z.string(),
  createdAt: time,
  /** Exact to an hour. */
  lastSeenAt: time,
  expiresAt: time,
  /** Null as long as nobody has signed it out. */
  signedOutAt: time.nullable(),
});
export type Browser = Entity<typeof browserSchema>;

const LONGEST = 60;

/** The first that fits counts: many programs also name those that they descend from. */
const PROGRAMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ["Edge", /\bEdg(?:e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(?:Firefox|FxiOS)\//],
  ["Chrome", /\b(?:Headless)?(?:Chrome|CriOS)\//],
  ["Chromium", /\bChromium\//],
  ["Safari", /\bSafari\//],
];

const SYSTEMS: readonly (readonly [name: string, mark: RegExp])[] = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["Linux", /\bLinux\b|\bX11\b/],
];

/** What people know a browser by. `said` is one line of plain text: what the browser's header says. */
export function browserName(said: string): string {
  const [program, system] = [PROGRAMS, SYSTEMS].map(
    (table) => table.find(([, mark]) => mark.test(said))?.[0],
  );
  if (program !== undefined && system !== undefined) return `${program} on ${system}`;
  return program ?? [...said].slice(0, LONGEST).join("");
}
