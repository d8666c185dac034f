/** Registers journeys that need a real Postgres; without one they are skipped, and say so. */
import { test } from "bun:test";
import { postgres } from "./postgres-server.ts";
import { deep } from "./tier.ts";

/** `missing`: what else it needs and is not there. */
export function teamJourney(title: string, play: () => Promise<void>, missing: string | null = null): void {
  const why = "missing" in postgres ? postgres.missing : missing;
  test.skipIf(why !== null)(deep(why === null ? title : `${title} (skipped: ${why})`), play);
}
