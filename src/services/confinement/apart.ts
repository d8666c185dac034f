/** Lets a program that belongs to no run be confined as a run's programs are: it has a world and folders of its own. */
import { join } from "node:path";
import type { Run } from "../../domain/run/run.ts";
import type { LoadedConfiguration } from "../configuration/load-configuration.ts";
import type { DataPaths } from "../core/data-paths.ts";
import type { AttemptPlace } from "../core/find-place.ts";
import type { RunWorld } from "../run-core/step.ts";

/** The id is nobody's, so that no process of the program is taken for a run's. */
export function worldApart(of: {
  readonly id: string;
  readonly place: AttemptPlace;
  readonly configuration: LoadedConfiguration;
  /** A run of the attempt: the program is confined as its agent would be. */
  readonly run: Run;
  /** Ends the program. */
  readonly signal: AbortSignal;
}): RunWorld {
  return {
    ...of.place,
    run: { ...of.run, id: of.id, kind: "agent", isolation: null },
    configuration: of.configuration,
    configurationFault: null,
    earlier: [],
    resumed: false,
    epoch: 0,
    signal: of.signal,
  };
}

/** All that the program keeps on the disk lies in this folder, and goes with it. */
export function pathsApart(paths: DataPaths, folder: string): DataPaths {
  return { ...paths, run: () => join(folder, "run"), attempt: () => join(folder, "attempt") };
}
